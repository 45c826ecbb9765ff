"""Signatures of the jobs' functions, which name all parameters for help and completion."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

from randcrowns.jobs.parameters import JobParameter, describe_jobs
from randcrowns.jobs.refused import REFUSED

_Function = TypeVar("_Function", bound=Callable[..., Any])


def with_parameters(
    job_name: str, options: type[Any] | None = None
) -> Callable[[_Function], _Function]:
    """Return a decorator that adds the parameters of a job to the signature of its function.

    The function accepts them as ``**parameters``, so that their names and defaults are written only
    in the description of the toolbox. Parameters that are refused without QGIS are left out.

    Args:
        job_name: name of the job.
        options: dataclass with further options of the function; None without them.

    >>> @with_parameters("score")
    ... def own(targets, **parameters): ...
    >>> inspect.signature(own).parameters["gamma"].default
    3.0
    """

    def decorate(function: _Function) -> _Function:
        signature = inspect.signature(function)
        by_name = dict(signature.parameters)
        parameters = by_name.pop("parameters")
        refused = REFUSED.get(job_name, {})
        for name, parameter in describe_jobs()[job_name].parameters.items():
            is_argument = parameter.is_input and not parameter.is_optional
            if name not in refused and not is_argument:
                by_name.setdefault(name, _keyword(name, _shown_default(parameter)))
        for option in fields(options) if options is not None else ():
            by_name.setdefault(option.name, _keyword(option.name, option.default))
        decorated: Any = function
        decorated.__signature__ = signature.replace(parameters=[*by_name.values(), parameters])
        return function

    return decorate


def _keyword(name: str, default: Any) -> inspect.Parameter:
    """Return an argument that is passed by its name."""
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)


def _shown_default(parameter: JobParameter) -> Any:
    """Return the default of a parameter; a range of numbers as it is written."""
    if parameter.kind == "numbers" and parameter.default:
        return ":".join(f"{number:g}" for number in parameter.default)
    return parameter.default
