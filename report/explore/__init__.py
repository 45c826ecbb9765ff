"""A run as one HTML file to explore in a browser: map, table, crowns and verdicts; no QGIS.

The plugin, the command line and Python fill the content model of
:mod:`randcrowns.report.explore.content`, and
:func:`randcrowns.report.explore.page.render_explorer` writes it as one file.
"""
