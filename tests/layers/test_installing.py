"""The way to install libraries, for systems as they are: what is asked of whom, and whether pip
finds versions.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from randcrowns.layers.installation import (
    System,
    current_system,
    failure_message,
    installation_instructions,
    python_program,
)
from randcrowns.layers.libraries import CLOUDS, LIBRARIES, REQUIRED, LibraryProblem

HERE = System(
    platform="linux",
    is_debian=True,
    is_flatpak=False,
    python="/usr/bin/python3",
    python_version=(3, 13),
    numpy_version="2.2.4",
    has_pip=False,
    is_root=False,
    can_ask_password=True,
    pip_folder="/home/anna/QGIS/python/randcrowns_libraries/py3.13",
)
DEBIAN_13 = HERE
SID = replace(HERE, python_version=(3, 14), numpy_version="2.4.6")
UBUNTU_24 = replace(HERE, python_version=(3, 12), numpy_version="1.26.4")
DEBIAN_12 = replace(HERE, python_version=(3, 11), numpy_version="1.24.2", pip_folder="/home/anna/p")
UBUNTU_22 = replace(
    HERE, python_version=(3, 10), numpy_version="1.21.5", has_pip=True, pip_folder="/home/anna/p"
)
FLATPAK = replace(
    HERE,
    is_debian=False,
    is_flatpak=True,
    python_version=(3, 12),
    numpy_version="2.2.6",
    pip_folder="/home/anna/p",
)
FEDORA = replace(
    HERE,
    is_debian=False,
    python_version=(3, 13),
    numpy_version="2.2.6",
    has_pip=True,
    pip_folder="/home/anna/p",
)
MACOS = replace(
    FEDORA,
    platform="darwin",
    python="/Applications/QGIS.app/Contents/MacOS/bin/python3",
    python_version=(3, 9),
    numpy_version="1.20.1",
    pip_folder="/Users/anna/Library/Application Support/QGIS/p",
)
WINDOWS = replace(
    FEDORA,
    platform="win32",
    python="C:\\OSGeo4W\\apps\\Python312\\python3.exe",
    python_version=(3, 12),
    numpy_version="2.2.6",
    pip_folder="C:\\Users\\Anna B\\p",
)
SHAPELY, PANDAS, SCIPY = (LibraryProblem(one, "not installed") for one in LIBRARIES[REQUIRED][1:])
ALL = (SHAPELY, PANDAS, SCIPY)
#: Systems, and what uv calls them, for which pip is to find versions; by their names.
RESOLVED = {
    "Debian 12": (replace(DEBIAN_12, has_pip=True), "x86_64-manylinux2014"),
    "Ubuntu 22.04": (UBUNTU_22, "x86_64-manylinux2014"),
    "Flatpak": (replace(FLATPAK, has_pip=True), "x86_64-manylinux_2_28"),
    "macOS": (
        replace(MACOS, numpy_version="1.26.4", python_version=(3, 12)),
        "aarch64-apple-darwin",
    ),
    "macOS with numpy 1.20.3": (replace(MACOS, numpy_version="1.20.3"), "x86_64-apple-darwin"),
    "macOS with numpy 1.20.1": (MACOS, "x86_64-apple-darwin"),
    "Windows": (WINDOWS, "x86_64-pc-windows-msvc"),
}


@pytest.mark.parametrize("system", [DEBIAN_13, SID, UBUNTU_24])
def test_packages_of_the_system_come_first_where_they_are_new_enough(system):
    way = installation_instructions([SHAPELY, PANDAS], system)
    assert way.commands == (
        ("pkexec", "apt-get", "install", "-y", "python3-shapely", "python3-pandas"),
    )
    assert way.shell_line == "sudo apt-get install -y python3-shapely python3-pandas"
    assert (
        installation_instructions([SHAPELY], replace(system, is_root=True)).commands[0][0]
        == "apt-get"
    )


def test_what_is_no_package_comes_through_pip_which_comes_first():
    way = installation_instructions(
        [LibraryProblem(one, "not installed") for one in LIBRARIES[CLOUDS]], DEBIAN_13
    )
    assert way.commands[0][-2:] == ("python3-laspy", "python3-pip")
    assert way.commands[1][-2:] == ("lazrs>=0.5", "numpy==2.2.4")


def test_where_packages_are_too_old_pip_installs_beside_qgiss_numpy():
    way = installation_instructions(ALL, DEBIAN_12)
    assert way.shell_line == (
        "sudo apt-get install -y python3-pip && /usr/bin/python3 -m pip install --upgrade --only-binary=:all: "
        "--target /home/anna/p 'shapely>=2.0' 'pandas>=1.5' 'scipy>=1.9' numpy==1.24.2"
    )
    assert [command[0] for command in way.commands] == ["pkexec", "/usr/bin/python3"]
    assert len(installation_instructions(ALL, UBUNTU_22).commands) == 1


@pytest.mark.parametrize("system", [DEBIAN_12, UBUNTU_22, FLATPAK, FEDORA, MACOS])
def test_the_line_is_the_commands_as_a_shell_reads_them(system):
    line = installation_instructions(ALL, system).shell_line
    commands = " && ".join(
        map(shlex.join, installation_instructions(ALL, replace(system, has_pip=True)).commands)
    )
    assert shlex.split(line)[-4:] == shlex.split(commands)[-4:]
    assert system.pip_folder in shlex.split(line)


def test_a_flatpak_without_pip_is_told_the_line_that_brings_one():
    way = installation_instructions([SHAPELY], FLATPAK)
    assert way.commands == ()
    assert way.shell_line.startswith(
        "flatpak run --devel --command=python3 org.qgis.qgis -m pip install "
    )
    assert "into a terminal" in way.explanation


def test_windows_is_told_the_names_in_osgeo4w_and_a_line_for_its_shell():
    way = installation_instructions([SHAPELY, PANDAS], WINDOWS)
    assert "python3-shapely, python3-pandas" in way.explanation
    assert '"C:\\Users\\Anna B\\p" "shapely>=2.0"' in way.shell_line


def test_without_a_way_to_ask_for_a_password_or_without_a_python_only_the_line_is_left():
    assert (
        installation_instructions([SHAPELY], replace(DEBIAN_13, can_ask_password=False)).commands
        == ()
    )
    assert installation_instructions([SHAPELY], replace(FEDORA, python="")).commands == ()
    assert installation_instructions([SHAPELY], replace(FEDORA, has_pip=False)).commands == ()


def test_this_system_is_read():
    system = current_system("/profile")
    assert system.python_version == sys.version_info[:2]
    assert subprocess.run([system.python, "-c", "import qgis.core"], check=False).returncode == 0
    assert system.pip_folder.startswith("/profile/python/") or system.platform == "win32"


@pytest.mark.parametrize("asks", [True, False])
def test_a_window_that_asks_for_a_password_is_there_or_not(tmp_path, monkeypatch, asks):
    if asks:
        (tmp_path / "pkexec").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert current_system().can_ask_password is asks


def test_the_python_of_qgis_is_found_beside_the_program(tmp_path):
    program = tmp_path / "QGIS.app" / "Contents" / "MacOS" / "QGIS"
    python = program.parent / "bin" / "python3"
    python.parent.mkdir(parents=True)
    assert python_program(str(tmp_path), str(program)) == ""
    python.touch()
    assert python_program(str(tmp_path), str(program)) == str(python)
    assert python_program(str(program.parent), str(program)) == str(python)


def resolve(name):
    """Ask the index for wheels that fit a system, as the line of installation would."""
    system, platform = RESOLVED[name]
    command = installation_instructions(ALL, system).commands[-1]
    lines = [word for word in command if "=" in word and not word.startswith("-")]
    words = ["-m", "uv", "pip", "compile", "-", "--only-binary", ":all:", "--quiet", "--no-header"]
    words += ["--no-annotate", "--python-version", "{}.{}".format(*system.python_version)]
    return subprocess.run(
        [sys.executable, *words, "--python-platform", platform],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def resolved():
    """What would be installed on each system, asked all at once: most of the time is waiting."""
    pytest.importorskip("uv", reason="uv, which resolves for other systems, is not installed")
    with ThreadPoolExecutor() as pool:
        answers = dict(zip(RESOLVED, pool.map(resolve, RESOLVED)))
    if any("error sending request" in answer.stderr for answer in answers.values()):
        pytest.skip("there is no network")
    return answers


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name in RESOLVED if not name.endswith("1.20.1")])
def test_there_are_versions_beside_qgiss_numpy(resolved, name):
    answer = resolved[name]
    assert answer.returncode == 0, answer.stderr
    found = dict(line.split("==") for line in answer.stdout.split())
    assert found["numpy"] == RESOLVED[name][0].numpy_version
    assert tuple(map(int, found["shapely"].split(".")[:2])) >= (2, 0)
    assert tuple(map(int, found["pandas"].split(".")[:2])) >= (1, 5)


@pytest.mark.nightly
def test_on_a_mac_with_numpy_before_1_20_3_nothing_fits(resolved):
    assert resolved["macOS with numpy 1.20.1"].returncode != 0


def test_that_no_version_fits_is_said():
    pip = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-index", "numpy==1.20.1"]
    log = subprocess.run(pip, capture_output=True, text=True, check=False)
    said = failure_message(log.stdout + log.stderr, MACOS)
    assert said.startswith(
        "No versions of these libraries fit Python 3.9 and numpy 1.20.1 of this QGIS"
    )


def test_another_failure_is_no_verdict_on_versions():
    assert "the log says why" in failure_message("Connection reset by peer", MACOS)
