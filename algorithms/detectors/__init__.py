"""Ranking detectors."""
