"""Annotator variance and the choice of parameters."""
