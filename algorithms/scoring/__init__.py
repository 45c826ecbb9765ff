"""Scoring crowns against a target layer."""
