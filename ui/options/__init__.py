"""Page of the plugin in QGIS's options dialog."""
