"""Page Review: verdicts on scored crowns, their agreement, and the accepted share."""
