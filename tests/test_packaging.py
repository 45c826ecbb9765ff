"""The plugin zip holds what QGIS needs and nothing else, and metadata.txt says what it must."""

from __future__ import annotations

import configparser
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support.once import packed_once, run_package

from randcrowns.layers.libraries import LIBRARIES, NEEDED

ROOT = Path(__file__).parents[1]
REQUIRED = ["name", "qgisMinimumVersion", "description", "about", "version", "author", "email", "repository"]


@pytest.fixture(scope="module")
def metadata() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(ROOT / "metadata.txt", encoding="utf-8")
    return parser["general"]


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The zip of the last commit, or the one that make release made."""
    if os.environ.get("RANDCROWNS_ZIP"):
        return zipfile.ZipFile(os.environ["RANDCROWNS_ZIP"])
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("the zip is made from a git commit, and this folder is no git checkout")
    return zipfile.ZipFile(packed_once(tmp_path_factory))


@pytest.fixture(scope="module")
def unpacked(packed: zipfile.ZipFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    packed.extractall(folder)
    return folder


def test_metadata_has_every_required_field(metadata: configparser.SectionProxy) -> None:
    for name in [*REQUIRED, "homepage", "tracker", "tags", "icon", "category"]:
        assert metadata.get(name, "").strip(), name
    assert metadata["hasProcessingProvider"] == "yes"
    assert metadata["qgisMinimumVersion"] == "3.22"
    assert metadata["qgisMaximumVersion"] == "4.99"
    assert re.fullmatch(r"\d+\.\d+\.\d+", metadata["version"])
    icon = (ROOT / metadata["icon"]).read_bytes()
    assert icon.startswith(b"\x89PNG")
    assert struct.unpack(">II", icon[16:24]) == (64, 64)
    for library in [one for group in LIBRARIES.values() for one in group]:
        assert library.name in metadata["about"], library.name


def test_changelog_tells_of_this_version(metadata: configparser.SectionProxy) -> None:
    assert f"## {metadata['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_zip_is_one_folder_that_qgis_can_load(packed: zipfile.ZipFile) -> None:
    names = packed.namelist()
    assert {name.split("/")[0] for name in names} == {"randcrowns"}
    for needed in ("LICENSE", "metadata.txt", "__init__.py", "core/scoring/score.py", "layers/sample.py"):
        assert f"randcrowns/{needed}" in names
    assert "randcrowns/resources/sample.json" in names
    assert "randcrowns/i18n/randcrowns_de.qm" in names


def test_zip_leaves_out_what_users_do_not_need(packed: zipfile.ZipFile) -> None:
    folders = {"tests", "batch", "benchmarks", "scripts", "docs", "build", "Makefile", "pyproject.toml"}
    for name in packed.namelist():
        parts = name.split("/")[1:]
        assert not any(part.startswith(".") for part in parts), name
        assert parts[0] not in folders, name
        assert not name.endswith((".pyc", ".pyo")), name
        assert "__pycache__" not in parts, name


def test_zip_is_small(packed: zipfile.ZipFile) -> None:
    assert Path(str(packed.filename)).stat().st_size < 25e6


def test_the_structure_is_what_the_public_repository_takes(packed: zipfile.ZipFile) -> None:
    """Its own rules: one folder that is a Python name, no byte code or hidden folders, metadata that it can parse."""
    assert packed.testzip() is None
    names = packed.namelist()
    (folder,) = {name.split("/")[0] for name in names}
    assert folder.isidentifier()
    for name in names:
        assert ".." not in name
        assert not name.startswith("/")
        assert packed.getinfo(name).external_attr >> 16 & 0o111 == 0, f"{name} is a program"
    parser = configparser.ConfigParser()  # with interpolation: a single % would break it
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(packed.read(f"{folder}/metadata.txt").decode())
    general = dict(parser.items("general"))
    assert not [name for name in [*REQUIRED, "tracker"] if not general.get(name, "").strip()]
    assert all(general[name].startswith("https://") for name in ("homepage", "tracker", "repository"))
    assert f"{folder}/{general['icon']}" in names
    assert "/" not in general["author"]


def test_its_readme_speaks_of_the_plugin_not_of_make(packed: zipfile.ZipFile) -> None:
    text = packed.read("randcrowns/README.md").decode()
    assert text == packed.read("randcrowns/resources/help.md").decode()
    assert not re.search(r"(?m)^ {4}make |`make ", text)


def test_readme_and_help_say_the_same_about_libraries() -> None:
    tables = [
        re.search(r"(?m)(^\| system \|.*\n(?:\|.*\n)+)", (ROOT / name).read_text(encoding="utf-8")).group(1)  # type: ignore[union-attr]
        for name in ("README.md", "resources/help.md")
    ]
    assert tables[0] == tables[1]
    for library in LIBRARIES[NEEDED][1:]:
        assert library.package in tables[0]


def test_it_is_installed_into_a_profile_with_its_libraries_looked_at(packed: zipfile.ZipFile, tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    install = [str(ROOT / "scripts" / "install.sh"), str(packed.filename)]
    told = {"false": "its libraries were not looked at", sys.executable: "all that the plugin requires can be used"}
    for python, said in told.items():  # over itself
        environment = {**os.environ, "QGIS_PROFILE": str(profile), "QGIS_PYTHON": python}
        done = subprocess.run(install, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert said in done.stdout
        assert (profile / "python" / "plugins" / "randcrowns" / "metadata.txt").is_file()


def test_links_come_from_the_settings_and_a_release_refuses_those_of_nobody(
    packed: zipfile.ZipFile, tmp_path: Path
) -> None:
    """All else is the same in every zip of a commit."""
    done = run_package(tmp_path / "refused.zip", "--release")
    assert done.returncode
    assert "fill in email, homepage, tracker, repository at the top of the Makefile" in done.stderr
    assert not (tmp_path / "refused.zip").exists()
    own = {name: f"https://forest.org/{name.lower()}" for name in ("HOMEPAGE", "TRACKER", "REPOSITORY")}
    settings = {f"PLUGIN_{name}": value for name, value in {**own, "EMAIL": "anna@forest.org"}.items()}
    done = run_package(tmp_path / "taken.zip", "--release", **settings)
    assert done.returncode == 0, done.stderr
    taken = zipfile.ZipFile(tmp_path / "taken.zip")
    text = taken.read("randcrowns/metadata.txt").decode()
    assert "\ntracker=https://forest.org/tracker\n" in text
    assert "example.org" not in text
    before, now = (
        [(one.filename, one.date_time, one.external_attr, one.CRC) for one in made.infolist()]
        for made in (packed, taken)
    )
    assert [one for one in now if one not in before] == [one for one in now if one[0] == "randcrowns/metadata.txt"]
    assert [one[0] for one in now] == [one[0] for one in before]


#: A secret is one word in quotes, a long word with digits, part of an address, or beside a word that says so.
_MAY_BE_SECRET = re.compile(
    r"""(["'`])[^\s"'`]{8,}\1|(?=\S*\d)[\w/+=-]{16,}|(?i:key|pass|pwd|secret|contrase)|://\S+@"""
)


def _tool(name: str, *words: object, within: Path = ROOT) -> str:
    pytest.importorskip(name, reason=f"{name}, which the public repository scans with, is not installed")
    command = [sys.executable, "-m", name, *map(str, words)]
    done = subprocess.run(command, cwd=within, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def test_bandit_finds_what_is_planted_and_nothing_else(unpacked: Path, tmp_path: Path) -> None:
    """The public repository refuses what it finds; in the plugin no comment hides anything from it."""
    (tmp_path / "shell.py").write_text("import subprocess\nsubprocess.run('ls', shell=True)\n")
    (tmp_path / "table.py").write_text("def find(c, t):\n    c.execute(f'SELECT * FROM {t}')\n")
    found = json.loads(_tool("bandit", "-r", unpacked, tmp_path, "-f", "json", "-q", "--ignore-nosec"))
    assert found["errors"] == []
    of_plugin = [one for one in found["results"] if Path(one["filename"]).parent != tmp_path]
    assert [f"{one['filename']}:{one['line_number']}: {one['issue_text']}" for one in of_plugin] == []
    assert {one["test_id"] for one in found["results"]} >= {"B602", "B608"}
    assert len(found["metrics"]) > 150


def test_detect_secrets_finds_what_is_planted_and_nothing_else(unpacked: Path, tmp_path: Path) -> None:
    """Each line once, of those that may hold one. It passes over whatever lies outside the folder that it is run in."""
    contents = [path.read_bytes() for path in unpacked.rglob("*") if path.is_file()]
    texts = [content.decode("utf-8", "replace") for content in contents if b"\0" not in content]
    planted = ["KEY = 'AKIA" + "IOSFODNN7EXAMPLE'", "AKIA" + "IOSFODNN7EXAMPLF", "-----BEGIN RSA PRIVATE KEY-----"]
    planted += ["pass" + 'word = "a few words"', "('" + "d41d8cd98f00b204')", "https://anna:" + "hidden@forest.org"]
    lines = {line.strip() for text in [*texts, *planted] for line in text.splitlines() if _MAY_BE_SECRET.search(line)}
    assert len(lines) > 3000
    (tmp_path / "lines.txt").write_text("\n".join(lines), encoding="utf-8")
    found = json.loads(_tool("detect_secrets", "scan", "--all-files", "lines.txt", within=tmp_path))["results"]
    told = sorted((one["type"], one["line_number"]) for one in found["lines.txt"])
    others = ["Basic Auth Credentials", "Hex High Entropy String", "Private Key", "Secret Keyword"]
    assert [kind for kind, _ in told] == ["AWS Access Key", "AWS Access Key", *others], told


#: What flake8 does not ask by default, and what ruff, which formats the code, does in another way.
_NOT_ASKED = "E121,E123,E126,E226,E24,E704,W503,W504,E203,E501,E701"


def test_flake8s_two_parts_find_what_is_planted_and_else_spaces_and_breaks_as_ruff_formats_them(
    unpacked: Path, tmp_path: Path
) -> None:
    """What the names of the code say is asked of ruff, which says the same in a tenth of the time."""
    planted = tmp_path / "code.py"
    planted.write_text("import os\nx=1\n")
    found = _tool("pycodestyle", "--max-line-length=120", f"--ignore={_NOT_ASKED}", unpacked, tmp_path)
    assert found == f"{planted}:2:2: E225 missing whitespace around operator\n"
    found = _tool("ruff", "check", "--isolated", "--select=F", "--output-format=concise", unpacked, tmp_path)
    assert [line for line in found.splitlines() if re.search(r":\d+:\d+: ", line)] == [
        f"{planted}:1:8: F401 [*] `os` imported but unused"
    ]
