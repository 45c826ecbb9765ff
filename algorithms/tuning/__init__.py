"""Algorithms that measure the variance between annotators and tune parameters by it."""
