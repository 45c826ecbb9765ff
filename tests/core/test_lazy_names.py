"""Public names of the topics are imported on first access, as are the packages of scipy."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import randcrowns

TOPICS = ("agreement", "classes", "detectors", "exchange", "instances", "tuning")
#: Prints the modules of the core and of scipy that a module of a topic needs.
_SCRIPT = """
import sys
import randcrowns.core.agreement.checks
names = [name for name in sys.modules if name.startswith(("randcrowns.core.", "scipy."))]
print(*names)
"""


@pytest.mark.parametrize("topic", TOPICS)
def test_every_public_name_is_that_of_its_module(topic):
    package = importlib.import_module(f"randcrowns.core.{topic}")
    modules = {path.stem for path in Path(package.__file__).parent.iterdir()}
    assert set(package._MODULES) <= set(package.__all__)
    assert set(package.__all__) <= set(dir(package))
    for name, module in package._MODULES.items():
        # An imported submodule would hide a name like its own.
        assert name not in modules
        defining = importlib.import_module(f"{package.__name__}.{module}")
        assert getattr(package, name) is getattr(defining, name)
    with pytest.raises(AttributeError, match="no attribute 'missing'"):
        _ = package.missing


def test_a_module_does_not_import_its_whole_topic():
    """The first opening of the dock imported all topics and five packages of scipy."""
    root = Path(randcrowns.__file__).parents[1]
    process = subprocess.run(
        [sys.executable, "-c", _SCRIPT], cwd=root, capture_output=True, text=True, check=True
    )
    names = process.stdout.split()
    assert "randcrowns.core.agreement.votes" in names
    assert "randcrowns.core.agreement.lsml" not in names
    assert "randcrowns.core.classes.evaluation" not in names
    packages = {"scipy.optimize", "scipy.sparse", "scipy.ndimage", "scipy.special"}
    assert packages.isdisjoint(names)
