"""Page Parameters."""
