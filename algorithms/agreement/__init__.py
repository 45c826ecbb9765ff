"""Algorithms that compare annotators and make a consensus of their polygons."""
