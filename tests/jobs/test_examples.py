from __future__ import annotations

import doctest
import importlib

import pytest
from support.code import ROOT

MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for folder in ("jobs", "command")
    for path in (ROOT / folder).rglob("[a-z]*.py")
)
WITH_EXAMPLES = {
    "jobs.agreement",
    "jobs.benchmarks.benchmark",
    "jobs.benchmarks.neon",
    "jobs.evaluation",
    "jobs.exchange",
    "jobs.image_tiles",
    "jobs.images",
    "jobs.layers",
    "jobs.outlines",
    "jobs.parameters",
    "jobs.point_clouds",
    "jobs.ranking",
    "jobs.records",
    "jobs.results",
    "jobs.scoring",
    "jobs.signatures",
    "jobs.tables",
    "jobs.tuning",
    "jobs.written_files",
    "command.completion",
    "command.main",
    "command.manual",
    "command.printing",
}


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_run(name: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testmod(importlib.import_module(f"randcrowns.{name}"))
    assert failed == 0
    assert (tried > 0) == (name in WITH_EXAMPLES)
