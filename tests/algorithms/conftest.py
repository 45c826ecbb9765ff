from __future__ import annotations

import pytest


@pytest.fixture
def evaluate(run):
    """Runs randcrowns:evaluatepointcloud on a file, or on what QGIS finds by a text."""
    from support.clouds import NAMES, OUTPUTS

    def evaluate_file(path, **parameters):
        return run("evaluatepointcloud", {"INPUT": str(path), **NAMES, **parameters}, outputs=OUTPUTS)

    return evaluate_file
