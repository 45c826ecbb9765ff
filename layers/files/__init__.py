"""Where results are kept: GeoPackages and other files, whole or not at all."""
