"""The wheel works in an environment of its own, without QGIS."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from support.batch import random_layers, whole_run

from randcrowns.core import PRESETS

ROOT = Path(__file__).parents[2]
#: Whatever the run may write elsewhere, the environment keeps what it has compiled: several
#: processes need it.
COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("the wheel is made from a git commit, and this folder is no git checkout")
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([ROOT / "scripts" / "wheel.sh", folder], check=True, capture_output=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory) -> Path:
    """A fresh environment with the wheel and its extras batch and cloud; what is used of them is
    compiled when it is.
    """
    pytest.importorskip("uv", reason="uv, which installs the wheel, is not installed")
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    install = [
        sys.executable,
        "-m",
        "uv",
        "pip",
        "install",
        "--quiet",
        "--python",
        folder / "bin" / "python",
    ]
    done = subprocess.run(
        [*install, f"{wheel}[batch,cloud]"], capture_output=True, text=True, check=False
    )
    if done.returncode and "error sending request" in done.stderr:
        pytest.skip(
            f"the libraries of the extras cannot be fetched here: {done.stderr.strip()[-300:]}"
        )
    assert done.returncode == 0, done.stderr
    return folder / "bin"


def test_it_holds_core_and_batch_and_nothing_of_the_plugin(wheel) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        metadata = packed.read(next(name for name in names if name.endswith("METADATA"))).decode()
    assert "randcrowns/core/scoring/score.py" in names
    assert "randcrowns/command/main.py" in names
    folders = {name.split("/")[1] for name in names if name.startswith("randcrowns/")}
    modules = {"__init__.py", "__main__.py", "plotting.py"}
    assert folders == {*modules, "core", "report", "jobs", "batch", "command", "resources"}
    resources = [name.split("/resources/")[1] for name in names if "/resources/" in name]
    assert sorted(name for name in resources if name.startswith("sample/")) == [
        f"sample/{file}" for file in ("cloud.laz", "crowns.gpkg", "image.tif")
    ]
    assert {"report.html", "sources.bib"} <= set(resources)
    assert "randcrowns/jobs/toolbox.json" in names
    for extra in ("batch", "cloud"):
        assert f"Provides-Extra: {extra}" in metadata
    version = next(
        line
        for line in (ROOT / "metadata.txt").read_text().splitlines()
        if line.startswith("version=")
    )
    assert f"Version: {version.partition('=')[2]}" in metadata


def test_the_source_distribution_holds_the_files_of_the_wheel(wheel) -> None:
    with tarfile.open(next(wheel.parent.glob("*.tar.gz"))) as packed:
        names = {name.partition("/src/")[2] for name in packed.getnames() if "/src/" in name}
    with zipfile.ZipFile(wheel) as archive:
        shipped = {name for name in archive.namelist() if name.startswith("randcrowns/")}
    assert shipped <= names


def test_without_the_extra_the_command_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None; sys.argv = ['randcrowns', 'summary', 'results']; "
        "from randcrowns.__main__ import main; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=COMPILED, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    said = done.stderr.strip()
    assert said.startswith("randcrowns: ")
    assert "require pyarrow" in said
    assert said.endswith("pip install 'randcrowns[batch]'")


def test_the_command_scores_without_qgis(environment, tmp_path) -> None:
    layers = random_layers(tmp_path, 30)
    looked = "import randcrowns; import importlib.util as u; print(u.find_spec('qgis'), randcrowns.__file__)"
    how = {"cwd": tmp_path, "env": COMPILED, "capture_output": True, "text": True}
    found = subprocess.run([environment / "python", "-c", looked], **how, check=True)
    assert found.stdout.startswith("None ")
    assert str(environment.parent) in found.stdout
    command = [
        environment / "randcrowns",
        "score",
        *layers.paths,
        "--out",
        tmp_path / "out",
        "--tile",
        "25",
        "--json",
    ]
    done = subprocess.run([*command, "--workers", "1"], **how, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)[0]
    expected = whole_run(layers, PRESETS["image_boxes"], "nearest").summary.iloc[0]
    for name in (
        "targets",
        "matched",
        "randcrowns_mean",
        "iou_mean",
        "randcrowns_low",
        "f1_iou_0.5",
    ):
        assert told[name] == pytest.approx(expected[name], abs=1e-9)


# tests/page_examples runs the examples, and the import contracts keep QGIS out of core and batch.
@pytest.mark.nightly
def test_the_examples_of_the_docs_run_without_qgis(environment, tmp_path) -> None:
    pages = ROOT / "README.md", ROOT / "docs" / "recipes.md"
    command = [environment / "python", ROOT / "tests" / "page_examples" / "run_pages.py", *pages]
    done = subprocess.run(
        command, cwd=tmp_path, env=COMPILED, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
