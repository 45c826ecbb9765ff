"""Expression functions that stay registered with QGIS until it quits.

QGIS refers to an expression function by its position in one list of all functions. Virtual fields,
labels and open attribute tables keep that position. If a function is unregistered, the functions
behind it move: fields of this and of other plugins then call a different function, or none, and
QGIS crashes. A function is therefore registered once. Only its work is replaced when the plugin is
unloaded, reloaded or upgraded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from qgis.core import QgsExpression, QgsExpressionFunction

__all__ = ["FunctionDeclaration", "Work", "register_persistently", "withdraw_work"]

#: Computation of a function. It gets the arguments by name, the QgsExpressionContext, and the
#: QgsExpression, which receives an evaluation error.
Work = Callable[[Mapping[str, Any], Any, Any], Any]

#: Attribute of QGIS's class QgsExpression that refers to the registered functions by name. The
#: modules of the plugin are deleted when it is unloaded; the class exists until QGIS quits.
_REGISTRY = "randcrowns_functions"


class FunctionDeclaration(NamedTuple):
    """Declaration of an expression function."""

    name: str  #: name in expressions.
    parameters: Mapping[str, Any]  #: default value by name; None for a required parameter.
    group: str  #: group in QGIS's expression builder.
    help: str  #: help page, HTML.
    work: Work  #: computation.


class _PersistentFunction(QgsExpressionFunction):
    """Registered function whose work can be replaced.

    An object of this class may be older than the module: an upgraded plugin finds the objects that
    the version before has registered. The attribute ``work`` and the method :meth:`withdraw`
    must therefore keep their names and meanings.

    Args:
        declaration: declaration of the function.
    """

    def __init__(self, declaration: FunctionDeclaration) -> None:
        parameters = [
            QgsExpressionFunction.Parameter(name, default is not None, default)
            for name, default in declaration.parameters.items()
        ]
        lazy_evaluation = False
        handles_null = True
        super().__init__(
            declaration.name,
            parameters,
            declaration.group,
            declaration.help,
            lazy_evaluation,
            handles_null,
        )
        self._parameter_names = tuple(declaration.parameters)
        #: The computation; None while the plugin is not loaded.
        self.work: Work | None = None
        self._unavailable_message = ""

    def withdraw(self, message: str) -> None:
        """Remove the work; evaluations give an evaluation error with this message from now on."""
        self._unavailable_message = message
        self.work = None

    def func(self, values: Any, context: Any, parent: Any, _node: Any) -> Any:
        """Return the value of the function; QGIS calls it for each feature, in any thread."""
        work = self.work
        if work is None:
            parent.setEvalErrorString(f"{self.name()}: {self._unavailable_message}")
            return None
        return work(dict(zip(self._parameter_names, values)), context, parent)


def register_persistently(declarations: Iterable[FunctionDeclaration]) -> list[str]:
    """Register functions, or replace the work of those that are registered already.

    A function that is registered already keeps its parameters and its help until QGIS is restarted.

    Returns:
        Names that another plugin has registered; these functions are not available.
    """
    registered = _list_registered_functions()
    refused_names = []
    for declaration in declarations:
        function = registered.get(declaration.name) or _PersistentFunction(declaration)
        function.work = declaration.work
        if _find_qgis_function(declaration.name) is function:
            continue
        if QgsExpression.registerFunction(function):
            registered[declaration.name] = function
        else:
            refused_names.append(declaration.name)
    return refused_names


def withdraw_work(message: str) -> None:
    """Remove the work of all functions that :func:`register_persistently` has registered.

    The functions stay registered; an expression with one of them has an evaluation error.

    Args:
        message: text of the error, in the user's language.
    """
    for function in _list_registered_functions().values():
        function.withdraw(message)


def _list_registered_functions() -> dict[str, Any]:
    """Return the registered functions by name; changes of the dict are stored."""
    if not hasattr(QgsExpression, _REGISTRY):
        setattr(QgsExpression, _REGISTRY, {})
    functions: dict[str, Any] = getattr(QgsExpression, _REGISTRY)
    return functions


def _find_qgis_function(name: str) -> QgsExpressionFunction | None:
    """Return the function that QGIS calls for a name; None if there is none."""
    functions = (function for function in QgsExpression.Functions() if function.name() == name)
    return next(functions, None)
