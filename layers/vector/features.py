"""Reading of features with a check for errors, which iterators of QGIS do not report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from osgeo import gdal
from qgis.core import (
    QgsFeature,
    QgsFeatureIterator,
    QgsFeatureRequest,
    QgsVectorLayer,
    QgsVectorLayerFeatureSource,
)

from randcrowns.core.errors import InputError

#: Parts of GDAL's error messages, in lower case, that mean that a file cannot be read.
_READ_ERRORS = ("is locked", "malformed", "not a database", "corrupt")


@contextmanager
def open_features(
    source: QgsVectorLayer | QgsVectorLayerFeatureSource, request: QgsFeatureRequest
) -> Iterator[QgsFeatureIterator]:
    """Provide an iterator over the features of a request, and close it at the end.

    QGIS crashes if a snapshot is deleted while an iterator over its features is open. After an
    error, a cancel, or features that nobody needs, Python could delete the snapshot first.
    Messages of GDAL from before are cleared.

    Args:
        source: a layer, or a snapshot of its features, which can be read on any thread.
        request: the requested features.
    """
    gdal.ErrorReset()
    iterator = source.getFeatures(request)
    try:
        yield iterator
    finally:
        iterator.close()


def iterate_features(
    source: QgsVectorLayer | QgsVectorLayerFeatureSource, request: QgsFeatureRequest
) -> Iterator[QgsFeature]:
    """Yield the features of a request, and raise an error if GDAL cannot read them.

    An iterator of QGIS ends in the same way after the last feature and after an error. QGIS reuses
    connections to files: one that was opened without locks returns nothing after another program,
    or QGIS itself, has begun a write-ahead log.

    Args:
        source: a layer, or a snapshot of its features, which can be read on any thread.
        request: the requested features.

    Raises:
        InputError: if the features cannot be read with two connections.
    """
    n_read = 0
    with ExitStack() as open_iterators:
        iterator = open_iterators.enter_context(open_features(source, request))
        first = next(iterator, None)
        # A search by ids fails without an error of GDAL.
        is_by_id = request.filterFid() >= 0 or bool(request.filterFids())
        if first is None and (is_by_id or last_read_error()):
            # An open iterator occupies the connection, so that the next one gets another.
            open_iterators.enter_context(open_features(source, request))
            iterator = open_iterators.enter_context(open_features(source, request))
            first = next(iterator, None)
        if first is not None:
            yield first
            n_read = 1
        for feature in iterator:
            yield feature
            n_read += 1
    error = last_read_error()
    if error and (n_read == 0 or is_file_error(error)):
        raise InputError(
            "layer.not_readable_now",
            "A layer cannot be read now ({error}). Close other programs that use its file, and "
            "try again.",
            error=error,
        )


def last_read_error() -> str:
    """Return the last error of GDAL on this thread in lower case; "" if there is none."""
    has_failed = gdal.GetLastErrorType() >= gdal.CE_Failure
    return str(gdal.GetLastErrorMsg()).lower() if has_failed else ""


def is_file_error(error: str) -> bool:
    """Return True if one of GDAL's error messages (lower case) means that a file is unreadable."""
    return any(part in error for part in _READ_ERRORS)
