"""The toolbox's jobs as Python functions, without QGIS: files or GeoDataFrames in, results out.

The names and defaults of the parameters are those of the toolbox, in lower case. ``import
randcrowns as rc`` offers the same functions: ``rc.score`` is :func:`randcrowns.jobs.scoring.score`.
"""
