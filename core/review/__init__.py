"""Reviewing crowns: what is wrong with each, samples of them, and verdicts."""
