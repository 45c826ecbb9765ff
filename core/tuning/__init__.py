"""Annotator variance and the choice of alpha, omega and gamma (Stewart et al. 2021)."""
