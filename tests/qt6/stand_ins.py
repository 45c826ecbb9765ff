"""Run alone, with PyQt6: imports every module of ui, algorithms and layers, and makes and shows
every widget.

QGIS 4 is no package here: qgis.PyQt is PyQt6, as QGIS 4 has it, and qgis.core and qgis.gui are
stand-ins, whose classes take every call. What is seen is what PyQt6 itself refuses: names that are
gone, enums without their
scope, signals and types of arguments.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import sys
import traceback
import types
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"
for name in ("PyQt5", "processing", "pyplugin_installer"):
    sys.modules[name] = None  # type: ignore[assignment]

from PyQt6 import QtCore, QtGui, QtWidgets, sip  # noqa: E402

ROOT = Path(__file__).parents[2]


class Anything:
    """Takes every call and every question; is nothing, and empty."""

    def __getattr__(self, name):
        if name.startswith("__") or name.startswith("_repr"):
            raise AttributeError(name)
        return _known(name) or Anything()

    def __call__(self, *_, **__):
        return Anything()

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0

    def __bool__(self):
        return False

    def __int__(self):
        return 0

    __index__ = __int__

    def __float__(self):
        return 0.0

    def __str__(self):
        return ""

    def __or__(self, _):
        return self

    __and__ = __ror__ = __rand__ = __sub__ = __add__ = __radd__ = __or__

    def __contains__(self, _):
        return False

    def __getitem__(self, _):
        return Anything()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


#: What is asked for by these names is text, a number, a widget.
_TEXTS = (
    "authid",
    "name",
    "id",
    "source",
    "fileName",
    "filePath",
    "toWkt",
    "toProj",
    "text",
    "title",
    "absolutePath",
)
_TEXTS += (
    "description",
    "homePath",
    "presetHomePath",
    "absoluteFilePath",
    "qgisSettingsDirPath",
    "displayName",
    "currentField",
    "subsetString",
    "baseName",
)
_TEXTS += (
    "userFriendlyIdentifier",
    "QGIS_VERSION",
    "readEntry",
    "mapUnitsName",
    "crsName",
    "expression",
)


def _known(name):
    if name in _TEXTS:
        return lambda *_, **__: ("", True) if name == "readEntry" else ""
    if name in ("featureCount", "count", "QGIS_VERSION_INT"):
        return 40000 if name == "QGIS_VERSION_INT" else lambda *_, **__: 0
    if name.startswith("icon") or name == "getThemeIcon":
        return lambda *_, **__: QtGui.QIcon()
    if name in ("lineEdit",):
        return lambda *_, **__: QtWidgets.QLineEdit()
    if name in ("mainWindow", "layerTreeView"):
        return lambda *_, **__: _WINDOW
    if name in ("mapLayers", "mapLayersByName"):
        return lambda *_, **__: {}
    return None


class _Class(type):
    """A class with every attribute, such as scoped enums."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _known(name) or Anything()


class StandIn(Anything, metaclass=_Class):
    """A class of qgis.core."""

    def __init__(self, *_, **__):
        pass


class Signal:
    """A signal of a stand-in."""

    def connect(self, *_):
        return None

    disconnect = emit = connect


#: Ends of names of QGIS's widgets -> Qt's widgets that they extend; the first that fits.
_BASES = {
    "QgsDockWidget": QtWidgets.QDockWidget,
    "QgsMapCanvas": QtWidgets.QGraphicsView,
    "DoubleSpinBox": QtWidgets.QDoubleSpinBox,
    "SpinBox": QtWidgets.QSpinBox,
    "ComboBox": QtWidgets.QComboBox,
    "Dialog": QtWidgets.QDialog,
    "": QtWidgets.QWidget,
}


#: Names of QGIS's widgets -> methods that our subclasses extend.
_EXTENDED = {"QgsCollapsibleGroupBox": ("setCollapsed",)}


def _widget(name):
    base = next(base for end, base in _BASES.items() if name.endswith(end))

    def asked(self, attribute):
        if attribute.startswith("_"):
            raise AttributeError(attribute)
        return Signal() if attribute.endswith("Changed") else _known(attribute) or Anything()

    meta = type("Meta", (type(base),), {"__getattr__": lambda cls, attribute: _of_class(attribute)})
    content = {"__getattr__": asked, "__init__": lambda self, *given: base.__init__(self)}
    # What a subclass extends by super() is looked up in the class itself.
    content |= {method: lambda self, *given: None for method in _EXTENDED.get(name, ())}
    return meta(name, (base,), content)


def _of_class(attribute):
    if attribute.startswith("__"):
        raise AttributeError(attribute)
    return Anything()


class Module(types.ModuleType):
    """qgis.core or qgis.gui: every name in it is a class."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        gui = self.__name__ == "qgis.gui" and name.endswith(
            ("Widget", "Box", "Dialog", "View", "Canvas", "Bar")
        )
        made = _widget(name) if gui else _Class(name, (StandIn,), {})
        setattr(self, name, made)
        return made


def _problems():
    from randcrowns.layers.libraries import LIBRARIES, REQUIRED, LibraryProblem

    return tuple(LibraryProblem(one, "not installed") for one in LIBRARIES[REQUIRED])


#: What widgets are made with, by the names of their arguments; those that need others are made
#: within these.
GIVEN = {
    "iface": Anything,
    "group": lambda: "needed",
    "unusable": _problems,
    "file_name": lambda: "file",
    "sentence": lambda: "sentence",
    "check": lambda: lambda *_: "",
    "optional": lambda: "",
    "show_page": lambda: lambda *_: None,
}


def stand_in():
    """Put the stand-ins where qgis would be."""
    qgis, pyqt = types.ModuleType("qgis"), types.ModuleType("qgis.PyQt")
    qgis.__path__, pyqt.__path__ = [], []
    sys.modules.update({"qgis": qgis, "qgis.PyQt": pyqt})
    for name in (
        "QtCore",
        "QtGui",
        "QtWidgets",
        "QtPrintSupport",
        "QtSvg",
        "QtNetwork",
        "QtXml",
        "sip",
    ):
        module = sip if name == "sip" else importlib.import_module(f"PyQt6.{name}")
        sys.modules[f"qgis.PyQt.{name}"] = module
        setattr(pyqt, name, module)
    QtWidgets.QAction, QtCore.NULL = (
        QtGui.QAction,
        QtCore.QVariant(),
    )  # as qgis.PyQt of QGIS 4 has them
    for name in ("qgis.core", "qgis.gui", "qgis.utils", "qgis.analysis"):
        sys.modules[name] = Module(name)
        setattr(qgis, name.partition(".")[2], sys.modules[name])


def modules():
    """The names of all modules of the plugin."""
    paths = [
        path
        for floor in ("layers", "algorithms", "ui")
        for path in sorted((ROOT / floor).rglob("*.py"))
    ]
    names = [
        ".".join(("randcrowns", *path.relative_to(ROOT).with_suffix("").parts)) for path in paths
    ]
    return [*(name.removesuffix(".__init__") for name in names), "randcrowns.plugin"]


def _needed(kind):
    """The arguments that a widget of ours cannot be made without."""
    if not hasattr(kind.__init__, "__code__"):  # that of Qt
        return []
    return [
        one.name
        for one in list(inspect.signature(kind.__init__).parameters.values())[1:]
        if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD
    ]


def main():
    """Print what was imported, made and shown, and what failed, as JSON."""
    global _WINDOW
    stand_in()
    application = QtWidgets.QApplication([])
    _WINDOW = QtWidgets.QMainWindow()
    told = {"imported": 0, "made": [], "failed": {}}
    sys.excepthook = lambda kind, error, trace: told["failed"].setdefault(
        f"slot: {error}", "".join(traceback.format_exception(kind, error, trace))
    )
    found = []
    for name in modules():
        try:
            module = importlib.import_module(name)
        except Exception:
            told["failed"][name] = traceback.format_exc()
            continue
        told["imported"] += 1
        found += [
            one for _, one in inspect.getmembers(module, inspect.isclass) if one.__module__ == name
        ]
    kept = []
    for kind in (one for one in found if issubclass(one, QtWidgets.QWidget)):
        try:
            needed = _needed(kind)
            if set(needed) <= set(GIVEN):
                widget = kind(*(GIVEN[name]() for name in needed))
                kept.append(widget)
                widget.show()
                application.processEvents()
                widget.grab()
        except Exception:
            told["failed"][kind.__name__] = traceback.format_exc()
    shown = {base for widget in application.allWidgets() for base in type(widget).__mro__}
    told["made"] = sorted(one.__name__ for one in found if one in shown)
    told["not made"] = sorted(
        one.__name__ for one in found if issubclass(one, QtWidgets.QWidget) and one not in shown
    )
    print(json.dumps(told))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
