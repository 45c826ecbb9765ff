from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

MODULES = sorted(path.stem for path in (Path(__file__).parents[2] / "batch").glob("[a-z]*.py"))
WITH_EXAMPLES = {"agreement", "evaluation", "export", "partition", "records", "scoring", "summary"}


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_run(name: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testmod(importlib.import_module(f"randcrowns.batch.{name}"))
    assert failed == 0
    assert (tried > 0) == (name in WITH_EXAMPLES)
