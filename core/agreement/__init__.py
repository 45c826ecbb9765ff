"""Annotator agreement and ground truths from many annotators, on the vote table (Lampert et al. 2016)."""
