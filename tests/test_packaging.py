"""The plugin zip holds what QGIS needs and nothing else, and metadata.txt says what it must."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import struct
import subprocess
import sys
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from publisher_metadata import add_publisher
from support.once import packed_once, run_package
from translations import LANGUAGES

from randcrowns.layers.libraries import LIBRARIES, REQUIRED

ROOT = Path(__file__).parents[1]
REQUIRED_FIELDS = ["name", "qgisMinimumVersion", "description", "about", "version", "author"]


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


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text))


def _minimum_versions() -> dict[str, tuple[int, ...]]:
    """Return the minimum versions in the table of SECURITY.md by the name of the library."""
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| ([\d.]+) \| (.+) \|$", page, re.MULTILINE)
    assert len(rows) >= 6
    assert all("CVE-" in reason for _, _, reason in rows)
    return {name: _version(minimum) for name, minimum, _ in rows}


def test_no_requirement_allows_a_version_with_known_flaws() -> None:
    requirements = [
        (ROOT / name).read_text(encoding="utf-8")
        for name in ("requirements.txt", "requirements-dev.txt", "pyproject.toml")
    ]
    requirements += [one.requirement for group in LIBRARIES.values() for one in group]
    found = set()
    for name, minimum in _minimum_versions().items():
        for text in requirements:
            for allowed in re.findall(rf"(?<![\w-]){name}(?:\[\w+\])?[>=]=([\d.]+)", text):
                if name == "numpy" and text == "numpy>=1.20":
                    continue  # numpy comes with QGIS, and is never installed.
                assert _version(allowed) >= minimum, (name, allowed)
                found.add(name)
    assert found == set(_minimum_versions())


def test_no_installed_library_has_known_flaws() -> None:
    is_checked = False
    for name, minimum in _minimum_versions().items():
        try:
            library = distribution(name)
        except PackageNotFoundError:
            continue
        is_of_distribution = "dist-packages" in str(library.locate_file(""))
        assert is_of_distribution or _version(library.version) >= minimum, name
        is_checked = True
    assert is_checked


def test_metadata_has_every_required_field(metadata: configparser.SectionProxy) -> None:
    for name in [*REQUIRED_FIELDS, "tags", "icon", "category"]:
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
    assert f"## [{metadata['version']}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_zip_is_one_folder_that_qgis_can_load(packed: zipfile.ZipFile) -> None:
    names = packed.namelist()
    assert {name.split("/")[0] for name in names} == {"randcrowns"}
    for needed in (
        "LICENSE",
        "metadata.txt",
        "__init__.py",
        "core/scoring/score.py",
        "layers/sample.py",
    ):
        assert f"randcrowns/{needed}" in names
    for name in ("crowns.gpkg", "image.tif", "cloud.laz"):
        assert f"randcrowns/resources/sample/{name}" in names
    for language in LANGUAGES:
        assert f"randcrowns/i18n/randcrowns_{language}.qm" in names


def test_zip_leaves_out_what_users_do_not_need(packed: zipfile.ZipFile) -> None:
    folders = {
        "tests",
        "batch",
        "benchmarks",
        "scripts",
        "docs",
        "build",
        "Makefile",
        "pyproject.toml",
    }
    for name in packed.namelist():
        parts = name.split("/")[1:]
        assert not any(part.startswith(".") for part in parts), name
        assert parts[0] not in folders, name
        assert not name.endswith((".pyc", ".pyo")), name
        assert "__pycache__" not in parts, name


def test_zip_is_small(packed: zipfile.ZipFile) -> None:
    assert Path(str(packed.filename)).stat().st_size < 25e6


def test_the_structure_is_what_the_public_repository_takes(packed: zipfile.ZipFile) -> None:
    """Its own rules: one folder that is a Python name, no byte code or hidden folders, metadata
    that it can parse.
    """
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
    assert not [name for name in REQUIRED_FIELDS if not general.get(name, "").strip()]
    links = [general[name] for name in ("homepage", "tracker", "repository") if name in general]
    assert all(link.startswith("https://") for link in links)
    assert f"{folder}/{general['icon']}" in names
    assert "/" not in general["author"]


def test_its_readme_speaks_of_the_plugin_not_of_make(packed: zipfile.ZipFile) -> None:
    text = packed.read("randcrowns/README.md").decode()
    assert text == packed.read("randcrowns/resources/help.md").decode()
    assert not re.search(r"(?m)^ {4}make |`make ", text)


def test_readme_and_help_say_the_same_about_libraries() -> None:
    tables = [
        re.search(
            r"(?m)(^\| system \|.*\n(?:\|.*\n)+)", (ROOT / name).read_text(encoding="utf-8")
        ).group(1)  # type: ignore[union-attr]
        for name in ("README.md", "resources/help.md")
    ]
    assert tables[0] == tables[1]
    for library in LIBRARIES[REQUIRED][1:]:
        assert library.package in tables[0]


def test_it_is_installed_into_a_profile_with_its_libraries_looked_at(
    packed: zipfile.ZipFile, tmp_path: Path
) -> None:
    profile = tmp_path / "profile"
    install = [str(ROOT / "scripts" / "install.sh"), str(packed.filename)]
    told = {
        "false": "its libraries were not checked",
        sys.executable: "all required libraries can be used",
    }
    for python, said in told.items():  # over itself
        environment = {**os.environ, "QGIS_PROFILE": str(profile), "QGIS_PYTHON": python}
        done = subprocess.run(install, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert said in done.stdout
        assert (profile / "python" / "plugins" / "randcrowns" / "metadata.txt").is_file()


def test_links_come_from_the_settings_and_a_release_refuses_empty_ones(
    packed: zipfile.ZipFile, tmp_path: Path
) -> None:
    """All else, the pages of the guide included, is the same in every zip of a commit."""
    done = run_package(tmp_path / "refused.zip", "--release")
    assert done.returncode
    assert "fill in email, homepage, tracker, repository at the top of the Makefile" in done.stderr
    assert not (tmp_path / "refused.zip").exists()
    own = {
        name: f"https://forest.org/{name.lower()}" for name in ("HOMEPAGE", "TRACKER", "REPOSITORY")
    }
    settings = {
        f"PLUGIN_{name}": value for name, value in {**own, "EMAIL": "anna@forest.org"}.items()
    }
    done = run_package(tmp_path / "taken.zip", "--release", **settings)
    assert done.returncode == 0, done.stderr
    taken = zipfile.ZipFile(tmp_path / "taken.zip")
    text = taken.read("randcrowns/metadata.txt").decode()
    assert "\ntracker=https://forest.org/tracker\n" in text
    before, now = (
        [(one.filename, one.date_time, one.external_attr, one.CRC) for one in made.infolist()]
        for made in (packed, taken)
    )
    assert [one for one in now if one not in before] == [
        one for one in now if one[0] == "randcrowns/metadata.txt"
    ]
    assert [one[0] for one in now] == [one[0] for one in before]


def test_the_scanners_of_the_public_repository_find_what_is_planted_and_nothing_else(
    tmp_path: Path,
) -> None:
    """``make lint`` scans the plugin, ``make release`` the zip to publish; in neither a comment
    hides anything.
    """
    (tmp_path / "shell.py").write_text(
        "import subprocess\n\nsubprocess.run('ls', shell=True)  # nosec\n"
    )
    (tmp_path / "table.py").write_text("def find(c, t):\n    c.execute(f'SELECT * FROM {t}')\n")
    (tmp_path / "code.py").write_text(
        "import os\nx=1\n\n\ndef long(one, two):\n    return one if one else two"
        + "  # a" * 20
        + "\n"
    )
    secrets = [
        "KEY = 'AKIA" + "IOSFODNN7EXAMPLE'",
        "AKIA" + "IOSFODNN7EXAMPLF",
        "-----BEGIN RSA PRIVATE KEY-----",
    ]
    secrets += [
        "pass" + 'word = "a few words"',
        "('" + "d41d8cd98f00b204')",
        "https://anna:" + "hidden@forest.org",
    ]
    (tmp_path / "notes.md").write_text("# Notes\n\n" + "\n".join(secrets))
    scan = [sys.executable, str(ROOT / "scripts" / "scanners.py"), str(tmp_path)]
    done = subprocess.run(scan, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    codes = re.findall(r"(?m)^(?:\./)?(\w+\.py:\d+):(?:\d+:)? (\w+) ", done.stdout)
    assert sorted(codes) == [
        ("code.py:1", "F401"),
        ("code.py:2", "E225"),
        ("shell.py:1", "B404"),
        ("shell.py:3", "B602"),
        ("shell.py:3", "B607"),
        ("table.py:2", "B608"),
    ]
    others = [line.partition(": ")[::2] for line in done.stdout.splitlines() if ".py:" not in line]
    assert {line for _, line in others} == {*secrets}
    kinds = ["Basic Auth Credentials", "Hex High Entropy String", "Private Key", "Secret Keyword"]
    assert sorted(kind for kind, _ in others) == ["AWS Access Key", "AWS Access Key", *kinds]


def test_a_release_has_the_publishers_addresses() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert add_publisher(project, {}) == project
    values = {"AUTHOR": 'A "B" C', "EMAIL": "a@b.org", "HOMEPAGE": "https://b.org", "TRACKER": ""}
    released = add_publisher(project, values)
    assert 'authors = [{ name = "A \\"B\\" C", email = "a@b.org" }]' in released
    assert released.endswith('\n[project.urls]\nHomepage = "https://b.org"\n')
    assert released.count("[project.urls]") == 1
