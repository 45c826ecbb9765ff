"""Page Report."""
