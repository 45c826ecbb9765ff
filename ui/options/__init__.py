"""The page of RandCrowns in QGIS's options."""
