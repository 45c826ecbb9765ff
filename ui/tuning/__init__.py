"""Page Parameters: find alpha, omega and gamma, and inspect the crowns at each set."""
