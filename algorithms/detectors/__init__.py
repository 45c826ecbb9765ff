"""Algorithm that ranks detectors under the ground truths of several annotators."""
