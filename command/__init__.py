"""The command ``randcrowns``: the jobs of the toolbox in a shell, without QGIS."""
