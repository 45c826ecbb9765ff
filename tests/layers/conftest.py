"""What tests of layers share."""

from __future__ import annotations

import importlib.util

import pytest


@pytest.fixture(scope="session", autouse=True)
def _asked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The index is asked while other tests run."""
    wanted = any(item.path.name == "test_installing.py" for item in request.session.items)
    if wanted and importlib.util.find_spec("uv") is not None:
        from support.resolving import begin, shared_folder
        from support.systems import questions

        begin(shared_folder(tmp_path_factory), questions())
