"""Ranking detectors under many ground truths (Lampert et al. 2016)."""
