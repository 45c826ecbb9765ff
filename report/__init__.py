"""Reports on runs: their content, figures and pages, without QGIS.

The plugin and the command line fill the content model of :mod:`randcrowns.report.content`, and
:func:`randcrowns.report.render.render_html` writes it as one HTML file. Matplotlib and Jinja2 are
imported when a figure or a page is made.
"""

from __future__ import annotations

import randcrowns.core  # noqa: F401 - before anything that imports shapely, see core/geos.py
