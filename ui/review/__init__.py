"""Page Review."""
