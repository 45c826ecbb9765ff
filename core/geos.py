"""Import of shapely with its own GEOS library, separate from the one linked into QGIS."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _ShapelyImportHook(MetaPathFinder):
    """Import hook that loads shapely with ``RTLD_DEEPBIND``, then removes itself.

    The QGIS program has GEOS linked in. Every wheel of shapely from PyPI contains a GEOS of its
    own. On Linux the dynamic linker would resolve shapely's calls to QGIS's functions of the same
    name, so that geometries are read wrongly or the program crashes. ``RTLD_DEEPBIND`` makes a
    library resolve its own functions first. It must be set when shapely is first imported, so this
    package must be imported before anything that imports shapely.
    """

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the module specification of shapely with a patched loader; None for others.

        Args:
            name: full name of the module that is imported.
            path: not used; part of the interface of import hooks.
            target: not used; part of the interface of import hooks.
        """
        if name != "shapely":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is None:
            sys.meta_path.insert(0, self)  # shapely may be installed while QGIS runs.
        elif spec.loader is not None:
            load = spec.loader.exec_module

            def load_with_deepbind(module: ModuleType) -> None:
                with _deepbind():
                    load(module)

            # The loader belongs to this specification alone.
            setattr(spec.loader, "exec_module", load_with_deepbind)  # noqa: B010
        return spec


@contextmanager
def _deepbind() -> Iterator[None]:
    """Load shared libraries with ``RTLD_DEEPBIND`` within the ``with`` statement."""
    flags = sys.getdlopenflags()
    sys.setdlopenflags(flags | os.RTLD_DEEPBIND)
    try:
        yield
    finally:
        sys.setdlopenflags(flags)


def shapely_uses_own_geos() -> bool:
    """Return True if shapely uses its own GEOS library.

    If another plugin imported shapely before this package, shapely may call the GEOS of QGIS. The
    operations tried here then give wrong results without a crash.

    >>> shapely_uses_own_geos()
    True
    """
    import shapely

    box = shapely.box(0, 0, 2, 1)
    try:
        coordinates = shapely.to_ragged_array([box])[1]
        copy = shapely.from_wkb(shapely.to_wkb(box))
    except shapely.errors.ShapelyError:
        return False
    return bool(coordinates.shape == (5, 2) and shapely.equals(box, copy))


if hasattr(os, "RTLD_DEEPBIND") and "shapely" not in sys.modules:
    sys.meta_path.insert(0, _ShapelyImportHook())
