"""The sample plot and the results of ``make demo``, made once for all."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable

import pytest

Outcome = dict[str, Any]


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``make demo`` wrote; the sample plot is in its folder ``sample``."""
    from support.once import demo_once

    return demo_once(tmp_path_factory)[1]


@pytest.fixture(scope="session")
def _outcomes() -> dict[str, Outcome]:
    return {}


@pytest.fixture(scope="session")
def _sample(demo_folder: Path) -> Any:
    """The layers of the sample plot, for all runs."""
    from frozen.cases import Sample

    return Sample(demo_folder / "sample")


@pytest.fixture
def outcome(
    algorithms: object,
    qgis_new_project: object,
    demo_folder: Path,
    _sample: Any,
    _outcomes: dict[str, Outcome],
) -> Callable[[str], Outcome]:
    """The outputs of a run, or of ``make demo`` as run "demo"; each is made once."""
    from frozen.runs import demo_outputs, run_outputs
    from frozen.values import plain

    def outcome_of(case: str) -> Outcome:
        if case not in _outcomes:
            made = demo_outputs(demo_folder) if case == "demo" else run_outputs(case, _sample)
            _outcomes[case] = plain(made)
        return _outcomes[case]

    return outcome_of
