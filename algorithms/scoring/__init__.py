"""Scores of delineations against target crowns, and regions of target crowns."""
