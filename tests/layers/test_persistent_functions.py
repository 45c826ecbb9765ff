"""Functions that stay registered while the modules that declare them are unloaded and upgraded."""

from __future__ import annotations

import gc
import importlib
import sys

import pytest
from qgis.core import QgsExpression, QgsExpressionContext, QgsExpressionFunction

from randcrowns.layers import persistent_functions
from randcrowns.layers.persistent_functions import FunctionDeclaration

NAMES = ("n_double", "n_other")


@pytest.fixture(autouse=True)
def nothing_is_left(qgis_app):
    yield
    for name in NAMES:
        QgsExpression.unregisterFunction(name)
        persistent_functions._list_registered_functions().pop(name, None)


def declaration(work, **parameters) -> FunctionDeclaration:
    return FunctionDeclaration("n_double", parameters, "tests", "", work)


def double(arguments, _context, _parent):
    return 2 * arguments["number"]


def evaluate(expression: QgsExpression):
    found = expression.evaluate(QgsExpressionContext())
    return expression.evalErrorString() or found


#: QGIS keeps no reference to a registered function.
OTHERS = []


class OfAnotherPlugin(QgsExpressionFunction):
    """Registered as ``@qgsfunction`` does."""

    def __init__(self, name: str) -> None:
        super().__init__(name, 0, "other", "")
        OTHERS.append(self)

    def func(self, *_):
        return "other"


def test_a_function_of_another_plugin_behind_it_stays_what_it_is():
    persistent_functions.register_persistently([declaration(double, number=None)])
    other = OfAnotherPlugin("n_other")
    assert QgsExpression.registerFunction(other)
    ours, theirs = QgsExpression("n_double(21)"), QgsExpression("n_other()")
    assert (evaluate(ours), evaluate(theirs)) == (42, "other")
    persistent_functions.withdraw_work("not loaded")
    gc.collect()
    assert (evaluate(ours), evaluate(theirs)) == ("n_double: not loaded", "other")


def test_an_upgraded_module_replaces_the_work_of_the_function_before():
    persistent_functions.register_persistently([declaration(double, number=None)])
    parsed = QgsExpression("n_double(21)")
    persistent_functions.withdraw_work("not loaded")
    # QGIS deletes the modules of a plugin, and imports those of the new version.
    name = persistent_functions.__name__
    package = sys.modules[name.rpartition(".")[0]]
    before = sys.modules.pop(name)
    try:
        gc.collect()
        newer = importlib.import_module(name)
        assert newer._PersistentFunction is not before._PersistentFunction
        newer.register_persistently(
            [
                declaration(
                    lambda arguments, *_: f"{arguments['number']}, {arguments.get('factor')}",
                    number=None,
                    factor=2,
                )
            ]
        )
        assert evaluate(parsed) == "21, None"
        assert [one.name() for one in QgsExpression.Functions()].count("n_double") == 1
        newer.withdraw_work("gone again")
        assert evaluate(parsed) == "n_double: gone again"
    finally:
        sys.modules[name] = before
        package.persistent_functions = before


def test_a_name_of_another_plugin_is_reported_and_left_alone():
    other = OfAnotherPlugin("n_double")
    assert QgsExpression.registerFunction(other)
    refused = persistent_functions.register_persistently([declaration(double, number=None)])
    assert refused == ["n_double"]
    assert evaluate(QgsExpression("n_double()")) == "other"


def test_a_function_that_was_unregistered_by_others_is_registered_again():
    persistent_functions.register_persistently([declaration(double, number=None)])
    QgsExpression.unregisterFunction("n_double")
    assert persistent_functions.register_persistently([declaration(double, number=None)]) == []
    assert evaluate(QgsExpression("n_double(4)")) == 8
