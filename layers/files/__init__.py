"""Reading and writing of files: GeoPackages, exports and annotations, written completely or not."""
