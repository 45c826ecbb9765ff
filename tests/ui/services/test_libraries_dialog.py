"""The dialog that installs libraries with real commands, run on request, with a log."""

from __future__ import annotations

import sys
import zipfile
from dataclasses import replace

import pytest
from qgis.PyQt.QtWidgets import QApplication
from support.qt import spin, wait_until

from randcrowns.layers import libraries
from randcrowns.layers.installation import Instructions, current_system
from randcrowns.layers.libraries import Library, LibraryProblem
from randcrowns.ui.services.libraries_dialog import InstallButton, LibrariesDialog

pytestmark = pytest.mark.usefixtures("qgis_app")


@pytest.fixture
def wheel(tmp_path):
    """A library, as pip takes it."""
    path = tmp_path / "stand_in_library-2.5-py3-none-any.whl"
    info = "stand_in_library-2.5.dist-info"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("stand_in_library.py", "__version__ = '2.5'\ndef needed(): return 1\n")
        file.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: stand-in-library\nVersion: 2.5\n"
        )
        file.writestr(
            f"{info}/WHEEL",
            "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        file.writestr(f"{info}/RECORD", "")
    return path


@pytest.fixture
def library(wheel, monkeypatch, tmp_path):
    wanted = Library("stand_in_library", "2.0", "tests", lambda it: it.needed(), str(wheel), "")
    monkeypatch.setitem(libraries.LIBRARIES, "stand_in", (wanted,))
    monkeypatch.setattr(libraries, "library_folder", lambda profile="": tmp_path / "own")
    monkeypatch.setattr(libraries, "_usable", set())
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield wanted
    sys.modules.pop("stand_in_library", None)


@pytest.fixture
def system(tmp_path):
    return replace(
        current_system(),
        python=sys.executable,
        has_pip=True,
        is_debian=False,
        numpy_version="",
        pip_folder=str(tmp_path / "own"),
    )


@pytest.fixture
def made(library, system):
    dialog = LibrariesDialog(libraries.library_problems("stand_in"), "stand_in", system)
    dialog.show()
    yield dialog
    dialog.reject()
    dialog.deleteLater()


def test_nothing_happens_until_it_is_asked_for(made, tmp_path):
    assert not (tmp_path / "own").exists()
    assert made.process is None
    assert made.log.isHidden()
    assert made.install_button.isEnabled()


def test_the_line_is_copied(made):
    made.copy_button.click()
    assert QApplication.clipboard().text() == made.installation.shell_line


def test_a_library_is_installed_and_can_be_used_at_once(made, library, tmp_path):
    ended = []
    made.installation_finished.connect(ended.append)
    made.install_button.click()
    assert made.cancel_button.text() == "Cancel"
    wait_until(lambda: ended)
    assert ended == [True], made.log.toPlainText()
    assert (tmp_path / "own" / "stand_in_library.py").is_file()
    assert made.status_label.text() == "Installed; everything can be used."
    assert "Successfully installed" in made.log.toPlainText()
    assert libraries.library_problems("stand_in") == ()


def test_what_fails_is_said_with_its_log(made, wheel):
    wheel.unlink()
    ended = []
    made.installation_finished.connect(ended.append)
    made.install()
    wait_until(lambda: ended)
    assert ended == [False]
    assert "The installation failed; the log says why" in made.status_label.text()
    assert wheel.name in made.log.toPlainText()
    assert made.install_button.isEnabled()


def test_an_installation_is_cancelled(made):
    made.installation = Instructions(
        (
            (sys.executable, "-c", "import time; print('begun', flush=True); time.sleep(60)"),
            ("never",),
        ),
        "",
        "",
    )
    ended = []
    made.installation_finished.connect(ended.append)
    made.install()
    wait_until(lambda: "begun" in made.log.toPlainText())
    made.cancel_button.click()
    wait_until(lambda: ended)
    assert ended == [False]
    assert made.status_label.text() == "Cancelled."
    assert "never" not in made.log.toPlainText()


def test_closing_the_dialog_ends_what_is_running(made):
    made.installation = Instructions(
        ((sys.executable, "-c", "import time; time.sleep(60)"),), "", ""
    )
    made.install()
    process = made.process
    made.reject()
    assert process.state() == process.ProcessState.NotRunning


def test_a_program_that_is_not_there_is_said(made):
    made.installation = Instructions((("no-such-program",),), "", "")
    ended = []
    made.installation_finished.connect(ended.append)
    made.install()
    wait_until(lambda: ended)
    assert "could not be started" in made.status_label.text()


def test_without_commands_only_the_line_is_offered(library, system):
    dialog = LibrariesDialog(
        libraries.library_problems("stand_in"), "stand_in", replace(system, python="")
    )
    assert not dialog.install_button.isEnabled()
    assert "into a terminal" in dialog.status_label.text()
    dialog.deleteLater()


def test_a_button_offers_a_group_and_tells_when_it_can_be_used(library):
    button, told = InstallButton("stand_in"), []
    button.installed.connect(lambda: told.append(True))
    button.click()
    assert button.dialog.isVisible()
    assert told == []
    button.dialog.installation_finished.emit(True)
    assert told == [True]
    button.dialog.reject()
    button.dialog.deleteLater()


def test_clouds_and_plots_offer_their_libraries_when_first_needed(monkeypatch, tmp_path):
    from randcrowns.layers import installation
    from randcrowns.ui.instances.cloud_fields import CloudPicker
    from randcrowns.ui.widgets.plot import ScatterPlot

    lacking: set[str] = {"clouds", "plots"}
    before = libraries.library_problems
    found = lambda group="needed": (  # noqa: E731
        (LibraryProblem(libraries.LIBRARIES[group][0], "not installed"),)
        if group in lacking
        else before(group)
    )
    monkeypatch.setattr(libraries, "library_problems", found)
    monkeypatch.setattr(installation, "library_problems", found)
    (tmp_path / "cloud.las").write_bytes(b"LASF")
    picker, plot = CloudPicker(), ScatterPlot()
    assert picker.install_button.isHidden()
    picker.select_cloud(str(tmp_path / "cloud.las"))
    assert "laspy 2.5 or later (not installed)" in picker.problem
    assert not picker.install_button.isHidden()
    plot.show()
    spin()
    assert plot.axes is None
    assert not plot.install_button.isHidden()
    lacking.clear()
    picker.install_button.click()
    plot.install_button.click()
    assert picker.install_button.isHidden()
    assert "laspy" not in picker.problem
    assert plot.install_button.isHidden()
    assert plot.axes is not None
    for widget in (picker, plot):
        widget.deleteLater()
