"""Page Detectors."""
