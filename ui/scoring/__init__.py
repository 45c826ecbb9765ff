"""Page Score: score delineations against target crowns and show the results."""
