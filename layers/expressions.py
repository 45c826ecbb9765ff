"""Functions for QGIS expressions: scores, regions and problems of a pair of outlines."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any, NamedTuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsFeature,
    QgsGeometry,
    QgsProject,
)

from randcrowns.core.scoring.parameters import PRESETS
from randcrowns.layers.installation import libraries_message
from randcrowns.layers.localization import error_message, tr
from randcrowns.layers.persistent_functions import (
    FunctionDeclaration,
    register_persistently,
    withdraw_work,
)

# Modules that need numpy and shapely are imported when a function is first used. QGIS starts
# without them.

GROUP = "RandCrowns"
#: Side of the square cells, in units of a projected CRS, that share one working CRS.
_CELL_SIZE = 1e5
#: Time between two checks of the libraries while one of them cannot be used, s.
_CHECK_INTERVAL = 10.0
#: Names and default values of the parameters of the score.
_SCORE_OPTIONS = tuple(
    (name, getattr(PRESETS["image_boxes"], name)) for name in ("alpha", "omega", "gamma")
)
_TARGET = ("target",)
_PAIR = ("target", "delineation")


class _Definition(NamedTuple):
    """Declaration of an expression function."""

    name: str  #: name in expressions.
    geometries: Sequence[str]  #: names of the parameters that are polygons; they come first.
    options: Sequence[tuple[str, Any]]  #: name and default value of each other parameter.
    description: str  #: help text, in the user's language.
    compute: Callable[..., Any]  #: called with shapely polygons in metres, then the options.
    value_without_delineation: Any = None  #: result if only the delineation is NULL.


class CrownFunction:
    """Computation of an expression function of polygons.

    Coordinates are in the layer's CRS, or in metres if there is no layer or if it has no CRS. The
    result is NULL if an argument is NULL, except for the value that the definition has for a
    missing delineation. What cannot be computed is an evaluation error of the expression.

    Args:
        definition: name, parameters, help text and computation.
    """

    def __init__(self, definition: _Definition) -> None:
        self._definition = definition

    def declaration(self) -> FunctionDeclaration:
        """Return the declaration to register the function with QGIS."""
        definition = self._definition
        parameters = {**dict.fromkeys(definition.geometries), **dict(definition.options)}
        return FunctionDeclaration(
            name=definition.name,
            parameters=parameters,
            group=GROUP,
            help=_compose_help(definition),
            work=self.evaluate,
        )

    def evaluate(self, arguments: Mapping[str, Any], context: Any, parent: Any) -> Any:
        """Return the value of the function.

        Args:
            arguments: arguments by name. An optional one is missing if QGIS registered the function
                of an older version of the plugin.
            context: the QgsExpressionContext, which names the layer.
            parent: the QgsExpression, which receives an evaluation error.

        Returns:
            A number, a text or a QgsGeometry; None for NULL and after an error.
        """
        definition = self._definition
        values = {**dict(definition.options), **arguments}
        null_names = [name for name, value in values.items() if _is_null(value)]
        if null_names == ["delineation"]:
            return definition.value_without_delineation
        if null_names:
            return None

        problem = _describe_missing_libraries(time.monotonic() // _CHECK_INTERVAL)
        if problem:
            parent.setEvalErrorString(f"{definition.name}: {problem}")
            return None
        try:
            return self._compute(values, context)
        except Exception as error:  # noqa: BLE001 - QGIS would show a traceback for each feature
            parent.setEvalErrorString(f"{definition.name}: {error_message(error)}")
            return None

    def _compute(self, values: Mapping[str, Any], context: Any) -> Any:
        """Return the value of the function for arguments that are not NULL.

        Raises:
            RandCrownsError: if an outline is no polygon, or if the layer's CRS is not known.
            ValueError: if an option is no number.
            TypeError: if an option is of a wrong type.
        """
        import shapely

        from randcrowns.layers.vector.geometry import to_map_geometries

        geometries = [values[name] for name in self._definition.geometries]
        options = [values[name] for name, _ in self._definition.options]
        crs = _get_layer_crs(context)
        working = _choose_working_crs(geometries[0], crs)
        polygons = [_read_polygon(geometry, crs, working) for geometry in geometries]
        result = self._definition.compute(*polygons, *options)
        if isinstance(result, shapely.Geometry):
            return to_map_geometries([result], working, crs)[0]
        return result


def register_functions() -> list[str]:
    """Register the functions with QGIS, for all expressions.

    Functions that are registered already get the work of this version of the plugin.

    Returns:
        Names that another plugin has registered; these functions are not available.
    """
    functions = [CrownFunction(definition).declaration() for definition in _define_functions()]
    return register_persistently([*functions, _define_class_function()])


def withdraw_functions() -> None:
    """Let the functions give an evaluation error; they stay registered until QGIS quits."""
    withdraw_work(tr("The plugin RandCrowns is not loaded."))


def _is_null(value: Any) -> bool:
    """Return True if the value of an argument is NULL."""
    return value is None or str(value) == "NULL"


@lru_cache(maxsize=1)
def _describe_missing_libraries(_interval: float) -> str:
    """Return why the required libraries cannot be used, or "" if they can.

    The answer is cached for a time, since a check imports the libraries and an expression is
    evaluated for each feature.

    Args:
        _interval: number of the interval of time; each interval has its own check.
    """
    return libraries_message()


def _define_functions() -> list[_Definition]:
    """Return the definitions of all functions, with descriptions in the user's language."""
    return [
        _Definition(
            name="rc_score",
            geometries=_PAIR,
            options=_SCORE_OPTIONS,
            description=tr("RandCrowns of a delineation, 0 to 1."),
            compute=_score_function("randcrowns"),
        ),
        _Definition(
            name="rc_iou_crowns",
            geometries=_PAIR,
            options=_SCORE_OPTIONS,
            description=tr("IoUCrowns of a delineation, 0 to 1."),
            compute=_score_function("iou_crowns"),
        ),
        _Definition(
            name="rc_iou",
            geometries=_PAIR,
            options=(),
            description=tr("Shared area over the area of both, 0 to 1."),
            compute=_score_function("iou"),
        ),
        _Definition(
            name="rc_region",
            geometries=_TARGET,
            options=(("region", None), *_SCORE_OPTIONS),
            description=tr(
                "A region of the target: 'a' surely crown, 'o' up to where it may reach, 'e' outer "
                "edge, 'b' surely not crown."
            ),
            compute=_read_region,
        ),
        _Definition(
            name="rc_problem",
            geometries=_PAIR,
            options=(*_SCORE_OPTIONS, ("threshold", 0.5)),
            description=tr(
                "The first problem of a delineation that applies: missing, shifted, too large, too "
                "small, low overlap; or none. Without a delineation (NULL) the problem is "
                "'missing'."
            ),
            compute=_find_problem,
            value_without_delineation="missing",
        ),
    ]


def _define_class_function() -> FunctionDeclaration:
    """Return the declaration of the function that compares two classes."""
    name = "rc_class_confusion"
    description = tr(
        "Compares the class of a target with that of its match: right, or both classes such as "
        "'oak → ash', or no class if one of them is missing."
    )
    help_text = (
        f"<h3>{name}(class, matched_class)</h3><p>{escape(description)}</p>"
        f'<p><code>{name}("target_class", "found_class")</code></p>'
    )
    parameters: dict[str, Any] = {"class": None, "matched_class": None}
    return FunctionDeclaration(
        name=name, parameters=parameters, group=GROUP, help=help_text, work=_evaluate_confusion
    )


def _evaluate_confusion(arguments: Mapping[str, Any], _context: Any, parent: Any) -> str | None:
    """Return the value of the function that compares two classes.

    Args:
        arguments: class and class of the match by name; NULL without one.
        _context: unused.
        parent: the QgsExpression, which receives an evaluation error.
    """
    problem = _describe_missing_libraries(time.monotonic() // _CHECK_INTERVAL)
    if problem:
        parent.setEvalErrorString(f"rc_class_confusion: {problem}")
        return None
    own_class = arguments["class"]
    if _is_null(own_class):
        own_class = None
    matched_class = arguments["matched_class"]
    if _is_null(matched_class):
        matched_class = None
    try:
        return _format_confusion(own_class, matched_class)
    except Exception as error:  # noqa: BLE001 - QGIS would show a traceback for each feature
        parent.setEvalErrorString(f"rc_class_confusion: {error_message(error)}")
        return None


def _format_confusion(own_class: Any, matched: Any) -> str:
    """Return "right", "no class", or both classes with an arrow between them.

    Args:
        own_class: class of a target, or None.
        matched: class of its match, or None.

    Raises:
        InputError: if a class is a number with decimals or a list.
    """
    from randcrowns.core.class_names import class_values
    from randcrowns.core.classes.evaluation import ClassResult
    from randcrowns.layers.compat import plain_value

    values = [plain_value(own_class), plain_value(matched)]
    own_name, matched_name = class_values(values, "rc_class_confusion").tolist()
    if own_name is None or matched_name is None:
        return ClassResult.NO_CLASS.value
    if own_name == matched_name:
        return ClassResult.RIGHT.value
    return f"{own_name} → {matched_name}"


def _compose_help(definition: _Definition) -> str:
    """Return the help page of a function as HTML: its call, description, units and an example."""
    name = definition.name
    arguments = list(definition.geometries)
    for option, default in definition.options:
        arguments.append(option if default is None else f"{option}={default:g}")
    call = f"{name}({', '.join(arguments)})"
    if name == "rc_region":
        example = "rc_region($geometry, 'a', 0.6, 3, 3)"
    elif name == "rc_iou":
        example = "rc_iou($geometry, @other)"
    else:
        example = f"{name}($geometry, geometry(get_feature('drawn', 'id', \"match\")), 0.6, 3, 3)"
    units = tr(
        "Outlines are in the layer's coordinates. Alpha and omega are metres, gamma is a ratio of "
        "areas."
    )
    return (
        f"<h3>{escape(call)}</h3><p>{escape(definition.description)}</p><p>{units}</p>"
        f"<p><code>{escape(example)}</code></p>"
    )


def _get_layer_crs(context: Any) -> QgsCoordinateReferenceSystem:
    """Return the CRS of the layer that an expression is evaluated for.

    Returns:
        The CRS; an invalid one if there is no layer, or if the layer has no CRS.

    Raises:
        RandCrownsError: if the CRS of the layer is not known, because the layer is not in the
            project and the expression's context does not contain its CRS.
    """
    from randcrowns.core.errors import RandCrownsError

    # QGIS sets this variable for layers of any kind, also if the CRS has no code.
    context_crs = _get_context_variable(context, "_layer_crs")
    if isinstance(context_crs, QgsCoordinateReferenceSystem):
        return context_crs
    layer_id = str(_get_context_variable(context, "layer_id") or "")
    layer = QgsProject.instance().mapLayer(layer_id)
    if layer is not None:
        return layer.crs()
    code = str(_get_context_variable(context, "layer_crs") or "")
    crs = QgsCoordinateReferenceSystem(code)
    if (layer_id or code) and not crs.isValid():
        raise RandCrownsError(
            "expression.unknown_crs",
            "The coordinate system of the layer is not known. Add the layer to the project.",
        )
    return crs


def _get_context_variable(context: Any, name: str) -> Any:
    """Return a variable of an expression's context; None without a value or a context."""
    return None if context is None else context.variable(name)


def _choose_working_crs(geometry: Any, crs: QgsCoordinateReferenceSystem) -> Any:
    """Return the WorkingCrs for a geometry in a layer's CRS.

    Without a CRS or a geometry, coordinates are used as they are.
    """
    from randcrowns.layers.crs import WorkingCrs, crs_definition_text, is_in_degrees

    if not (crs.isValid() and isinstance(geometry, QgsGeometry)):
        return WorkingCrs.for_pixels(QgsCoordinateTransformContext())
    centre = geometry.boundingBox().center()
    cell_size = 1.0 if is_in_degrees(crs) else _CELL_SIZE
    x = _compute_cell_centre(centre.x(), cell_size)
    y = _compute_cell_centre(centre.y(), cell_size)
    return _create_working_crs_at(crs_definition_text(crs), x, y)


def _compute_cell_centre(coordinate: float, cell_size: float) -> float:
    """Return the centre of the grid cell with a coordinate; of the first cell if not finite."""
    lower = cell_size * math.floor(coordinate / cell_size) if math.isfinite(coordinate) else 0.0
    return lower + cell_size / 2


@lru_cache(maxsize=64)
def _create_working_crs_at(definition: str, x: float, y: float) -> Any:
    """Return the WorkingCrs at a point of a CRS, given by its definition.

    It is cached per cell of a grid, because an expression is evaluated for one crown at a time.

    Args:
        definition: text that defines the CRS.
        x: x of the point.
        y: y of the point.
    """
    from randcrowns.layers.crs import WorkingCrs

    crs = QgsCoordinateReferenceSystem(definition)
    context = QgsProject.instance().transformContext()
    return WorkingCrs.for_layer(GROUP, crs, (x, y), context)


def _read_polygon(geometry: Any, crs: QgsCoordinateReferenceSystem, working: Any) -> Any:
    """Return a geometry in ``crs`` as a valid shapely polygon in working coordinates.

    Args:
        geometry: geometry of QGIS.
        crs: CRS of the geometry.
        working: the WorkingCrs of the result.

    Raises:
        RandCrownsError: if it is no polygon with an area.
    """
    import numpy as np

    from randcrowns.core.errors import RandCrownsError
    from randcrowns.layers.vector.geometry import ReadReport, features_to_polygons, repair_polygons

    if not isinstance(geometry, QgsGeometry):
        raise RandCrownsError(
            "expression.not_polygon", "A polygon is needed, not {value}.", value=geometry
        )
    feature = QgsFeature()
    feature.setGeometry(geometry)
    ids = np.array([0])
    report = ReadReport("")
    shapes = features_to_polygons([feature], ids, report)
    (polygon,) = repair_polygons(shapes, ids, report, lambda xy: working.to_working(crs, xy))
    if polygon is None:
        raise RandCrownsError("expression.no_area", "The outline is no polygon with an area.")
    return polygon


@lru_cache(maxsize=16)
def _score_parameters(alpha: float, omega: float, gamma: float) -> Any:
    """Return RandCrownsParameters; ``alpha`` and ``omega`` are metres, ``gamma`` is a ratio."""
    from randcrowns.core.scoring.parameters import RandCrownsParameters

    return RandCrownsParameters(alpha, omega, gamma)


def _score_function(name: str) -> Callable[..., float | None]:
    """Return a function that computes a score of a target and a delineation, polygons in metres.

    Args:
        name: the score, a column of ``score_pairs``.
    """

    def compute(target: Any, delineation: Any, *options: float) -> float | None:
        """Return the score; None if it is undefined.

        Args:
            target: polygon of the target.
            delineation: polygon of the delineation.
            *options: alpha, omega and gamma; none for their defaults.
        """
        from randcrowns.core.scoring.score import score_pairs

        lengths = options or [default for _, default in _SCORE_OPTIONS]
        alpha, omega, gamma = (float(length) for length in lengths)
        scores = score_pairs([target], [delineation], _score_parameters(alpha, omega, gamma))
        score = float(scores[name].iloc[0])
        return None if math.isnan(score) else score

    return compute


def _read_region(target: Any, region: str, alpha: float, omega: float, gamma: float) -> Any:
    """Return the region ``a``, ``o``, ``e`` or ``b`` of a target, polygons in metres.

    Args:
        target: polygon of the target, metres.
        region: letter of the region.
        alpha: alpha, metres.
        omega: omega, metres.
        gamma: gamma, a ratio of areas.
    """
    from randcrowns.core.errors import RandCrownsError
    from randcrowns.core.scoring.score import target_regions

    if region not in ("a", "o", "e", "b"):
        raise RandCrownsError(
            "expression.unknown_region",
            "There is no region '{region}'; choose a, o, e or b.",
            region=region,
        )
    parameters = _score_parameters(float(alpha), float(omega), float(gamma))
    return getattr(target_regions([target], parameters), f"R_{region}")[0]


def _find_problem(
    target: Any, delineation: Any, alpha: float, omega: float, gamma: float, threshold: float
) -> str:
    """Return the key of the problem of a target and its only delineation, polygons in metres.

    Args:
        target: the target.
        delineation: the delineation.
        alpha: tolerance inside the target's outline, metres.
        omega: tolerance outside the target's outline, metres.
        gamma: ratio of areas.
        threshold: score below which the overlap is low.
    """
    from randcrowns.core.crowns import Crowns
    from randcrowns.core.review.problems import ProblemLimits, find_problems
    from randcrowns.core.scoring.layer import score_crowns

    targets = Crowns([target])  # type: ignore[arg-type]
    delineations = Crowns([delineation])  # type: ignore[arg-type]
    parameters = _score_parameters(float(alpha), float(omega), float(gamma))
    scores = score_crowns(targets, delineations, parameters, "max_score")
    limits = ProblemLimits(score=float(threshold))
    problems = find_problems(targets, delineations, scores, limits)
    return str(problems.targets["problem"].iloc[0])
