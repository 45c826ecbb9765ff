"""Page Detectors: rankings of detectors under several ground truths."""
