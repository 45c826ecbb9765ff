"""Conversion between QGIS layers and the tables and arrays of the core package."""
