"""shapely on its own GEOS library, apart from the one in the QGIS program."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _Apart(MetaPathFinder):
    """Has shapely, whoever imports it first, find the GEOS library it was built with; then takes itself away.

    The QGIS program has GEOS linked in. Where shapely brings a newer GEOS of its own (every wheel from PyPI), the
    dynamic linker on Linux would let QGIS's functions stand in for those of the same name, and geometries would be
    read wrongly or crash. ``RTLD_DEEPBIND`` makes a library look at its own functions first. It must be set when
    shapely is imported for the first time, so this package is imported before anything that needs shapely.
    """

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """What the other finders find; nothing but shapely is of interest."""
        if name != "shapely":
            return None
        sys.meta_path.remove(self)
        found = importlib.util.find_spec(name)
        if found is None:
            sys.meta_path.insert(0, self)  # it may be installed while QGIS runs
        elif found.loader is not None:
            load = found.loader.exec_module

            def load_apart(module: ModuleType) -> None:
                with _looking_at_own_functions_first():
                    load(module)

            setattr(found.loader, "exec_module", load_apart)  # noqa: B010 - the loader is this module's alone
        return found


@contextmanager
def _looking_at_own_functions_first() -> Iterator[None]:
    flags = sys.getdlopenflags()
    sys.setdlopenflags(flags | os.RTLD_DEEPBIND)
    try:
        yield
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


if hasattr(os, "RTLD_DEEPBIND") and "shapely" not in sys.modules:
    sys.meta_path.insert(0, _Apart())
