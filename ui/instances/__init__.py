"""Page Instances."""
