"""The mathematics of RandCrowns: numpy, scipy, pandas and shapely only, no QGIS."""
