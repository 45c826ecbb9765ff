"""Review of crowns: the problem of each crown, samples, the review queue, and verdicts."""
