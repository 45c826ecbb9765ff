"""Page Score."""
