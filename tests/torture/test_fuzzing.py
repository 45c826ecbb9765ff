"""Every reader gives a result or a sentence for any file, within 10 s and 500 MB."""

from __future__ import annotations

import os

import pytest
from torture.fuzzing import MAX_BYTES, MAX_SECONDS, fuzz

#: Names of all formats; those of the first list are also fuzzed in the suite.
_FORMATS = ("DeepForest", "GeoPackage")
_NIGHTLY = (
    *(
        "COCO",
        "label raster",
        "points as text",
        "verdicts",
        "COCO results",
        "Pascal VOC",
        "CVAT",
        "LabelMe",
        "Label Studio",
        "VIA",
        "recognised",
        "YOLO",
    ),
    *("YAML", "mask of a layer", "virtual raster", "image", "world file", "GeoJSON", "FlatGeobuf"),
    *("Shapefile", "LAS", "LAZ", "COPC", "PLY", "numpy", "verdicts of a page"),
)
#: Number of inputs of a format in the suite and in ``make torture``.
_FEW, _MANY = 20, 100_000


@pytest.mark.parametrize(
    "name",
    [*_FORMATS, *(pytest.param(name, marks=pytest.mark.nightly) for name in _NIGHTLY)],
)
def test_reader(promise, folders, name):
    n_inputs = promise.size(_MANY, _FEW)

    def attempt(rng):
        folder = next(folders)
        folder.mkdir()
        seconds = float(os.environ.get("FUZZ_SECONDS", 40)) if promise.thoroughly else 10.0
        result = fuzz(name, int(rng.integers(1 << 31)), n_inputs, seconds, folder)
        failures = [f"input {number}: {text}" for number, text in result.failures.items()]
        assert not failures, "\n".join(failures[:3])
        return result.slowest, result.n_inputs

    promise.keep(
        f"any file is read or refused with a sentence, within {MAX_SECONDS} s and "
        f"{MAX_BYTES >> 20} MB: {name}",
        attempt,
        many=1,
        seconds=60,
        worst="{:.2f} s of processor time in {:,} files",
        conditions="bytes, words, numbers, nesting, repetition and encoding of whole files changed",
    )
