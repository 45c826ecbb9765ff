"""Between QGIS layers and the tables of the core."""
