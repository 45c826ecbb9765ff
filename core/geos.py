"""shapely on its own GEOS library, apart from the one in the QGIS program."""

from __future__ import annotations

import os
import sys


def _import_shapely_apart() -> None:
    """Import shapely so that it finds the GEOS library it was built with.

    The QGIS program has GEOS linked in. Where shapely brings a newer GEOS of its own (every wheel from PyPI), the
    dynamic linker on Linux would let QGIS's functions stand in for those of the same name, and geometries would be
    read wrongly or crash. ``RTLD_DEEPBIND`` makes a library look at its own functions first. It must be set when
    shapely is imported for the first time, so this package is imported before anything that needs shapely.
    """
    deep = getattr(os, "RTLD_DEEPBIND", 0)
    if not deep or "shapely" in sys.modules:
        return
    flags = sys.getdlopenflags()
    sys.setdlopenflags(flags | deep)
    try:
        import shapely  # noqa: F401
    except ImportError:
        return  # the plugin says on load what is missing
    finally:
        sys.setdlopenflags(flags)


def shapely_answers_rightly() -> bool:
    """Whether shapely stands on its own GEOS; where another plugin imported it first, QGIS's may stand in for it.

    The questions are such that are answered wrongly then, and do not crash.
    """
    import shapely

    box = shapely.box(0, 0, 2, 1)
    try:
        coordinates = shapely.to_ragged_array([box])[1]
        again = shapely.from_wkb(shapely.to_wkb(box))
    except shapely.errors.ShapelyError:
        return False
    return bool(coordinates.shape == (5, 2) and shapely.equals(box, again))


_import_shapely_apart()
