"""Comparing annotators and making a consensus."""
