"""The functions of QGIS's expressions: scores, regions and problems of two outlines at hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsExpression,
    QgsExpressionFunction,
    QgsFeature,
    QgsGeometry,
    QgsProject,
)

from randcrowns.core.scoring.parameters import PRESETS
from randcrowns.layers.words import reason, tr

# What computes is imported when a function is first used: QGIS starts without it.

GROUP = "RandCrowns"
#: Side of the squares, units of a system that is not in degrees, in each of which the metres are those of its middle.
_CELL = 1e5
#: Lengths where none are given, and their names.
_LENGTHS = tuple(
    (name, getattr(PRESETS["image_boxes"], name)) for name in ("alpha", "omega", "gamma")
)
_PAIR = ("target", "delineation")


class CrownFunction(QgsExpressionFunction):
    """A function of outlines, in the units of the layer's coordinate system, or in metres where none is known.

    NULL gives NULL, or ``alone`` where only the delineation is NULL; what cannot be computed is an error of the
    expression.
    """

    def __init__(
        self,
        name: str,
        shapes: Sequence[str],
        more: Sequence[tuple[str, Any]],
        about: str,
        work: Any,
        alone: Any = None,
    ) -> None:
        kind = QgsExpressionFunction.Parameter
        parameters = [
            *(kind(one) for one in shapes),
            *(kind(one, default is not None, default) for one, default in more),
        ]
        super().__init__(name, parameters, GROUP, _help(name, shapes, more, about), False, True)
        self._shapes, self._work, self._alone = len(shapes), work, alone

    def func(self, values: Any, context: Any, parent: Any, _node: Any) -> Any:
        """The value; called by QGIS for each feature."""
        import shapely

        from randcrowns.core.errors import RandCrownsError
        from randcrowns.layers.vector.geometry import map_shapes

        nothing = [number for number, one in enumerate(values) if one is None or str(one) == "NULL"]
        if nothing:
            return self._alone if nothing == [1] else None
        shapes, rest = values[: self._shapes], values[self._shapes :]
        try:
            crs, working = _place(shapes[0], context)
            found = self._work(*(_polygon(shape, crs, working) for shape in shapes), *rest)
            return (
                map_shapes([found], working, crs)[0]
                if isinstance(found, shapely.Geometry)
                else found
            )
        except (RandCrownsError, ValueError, TypeError) as error:
            parent.setEvalErrorString(f"{self.name()}: {reason(error)}")
            return None


def register() -> list[CrownFunction]:
    """Offer the functions to all expressions; what is returned must be kept until :func:`unregister`."""
    made = [CrownFunction(*declared) for declared in _declared()]
    for function in made:
        QgsExpression.registerFunction(function)
    return made


def unregister(functions: Sequence[CrownFunction]) -> None:
    """Take them back."""
    for function in functions:
        QgsExpression.unregisterFunction(function.name())


def _declared() -> list[tuple[Any, ...]]:
    return [
        (
            "rc_score",
            _PAIR,
            _LENGTHS,
            tr("RandCrowns of a delineation, 0 to 1."),
            _score("randcrowns"),
        ),
        (
            "rc_iou_crowns",
            _PAIR,
            _LENGTHS,
            tr("IoUCrowns of a delineation, 0 to 1."),
            _score("iou_crowns"),
        ),
        ("rc_iou", _PAIR, (), tr("Shared area over the area of both, 0 to 1."), _score("iou")),
        (
            "rc_region",
            _PAIR[:1],
            (("region", None), *_LENGTHS),
            tr(
                "A region of the target: 'a' surely crown, 'o' up to where it may reach, 'e' outer edge, "
                "'b' surely not crown."
            ),
            _region,
        ),
        (
            "rc_problem",
            _PAIR,
            (*_LENGTHS, ("threshold", 0.5)),
            tr(
                "What is wrong with a delineation, the first that applies of: missing, shifted, too large, too small, "
                "low overlap; or none. Without a delineation (NULL) it is missing."
            ),
            _problem,
            "missing",
        ),
    ]


def _help(name: str, shapes: Sequence[str], more: Sequence[tuple[str, Any]], about: str) -> str:
    call = ", ".join(
        [*shapes, *(one if default is None else f"{one}={default:g}" for one, default in more)]
    )
    example = {
        "rc_region": "rc_region($geometry, 'a', 0.6, 3, 3)",
        "rc_iou": "rc_iou($geometry, @other)",
    }.get(name, f"{name}($geometry, geometry(get_feature('drawn', 'id', \"match\")), 0.6, 3, 3)")
    units = tr(
        "Outlines in the layer's coordinates; alpha and omega are metres, gamma is a ratio of areas."
    )
    return f"<h3>{name}({escape(call)})</h3><p>{escape(about)}</p><p>{units}</p><p><code>{escape(example)}</code></p>"


def _place(shape: Any, context: Any) -> tuple[QgsCoordinateReferenceSystem, Any]:
    """The coordinate system of the layer at hand, and where to compute; without one, the coordinates are metres."""
    from randcrowns.layers.crs import WorkingCrs, definition_of, in_degrees

    code, layer = (
        str((context and context.variable(name)) or "") for name in ("layer_crs", "layer_id")
    )
    found = None if code else QgsProject.instance().mapLayer(layer)  # of a system of the user's own
    crs = QgsCoordinateReferenceSystem(code) if found is None else found.crs()
    if not (crs.isValid() and isinstance(shape, QgsGeometry)):
        return crs, WorkingCrs.of_pixels(QgsCoordinateTransformContext())
    middle, cell = shape.boundingBox().center(), 1.0 if in_degrees(crs) else _CELL
    corner = [
        cell * math.floor(at / cell) if math.isfinite(at) else 0.0
        for at in (middle.x(), middle.y())
    ]
    return crs, _working(definition_of(crs), *(at + cell / 2 for at in corner))


@lru_cache(maxsize=64)
def _working(definition: str, x: float, y: float) -> Any:
    """Where the crowns around a place are computed: each of them is an expression's only one."""
    from randcrowns.layers.crs import WorkingCrs

    crs, context = (
        QgsCoordinateReferenceSystem(definition),
        QgsProject.instance().transformContext(),
    )
    return WorkingCrs.for_layer(GROUP, crs, (x, y), context)


def _polygon(geometry: Any, crs: QgsCoordinateReferenceSystem, working: Any) -> Any:
    """The outline as a valid polygon in metres."""
    import numpy as np

    from randcrowns.core.errors import RandCrownsError
    from randcrowns.layers.vector.geometry import ReadReport, plain_polygons, usable_polygons

    if not isinstance(geometry, QgsGeometry):
        raise RandCrownsError("A polygon is needed, not {value}.", value=geometry)
    feature, ids, report = QgsFeature(), np.array([0]), ReadReport("")
    feature.setGeometry(geometry)
    shapes = plain_polygons([feature], ids, report)
    (found,) = usable_polygons(shapes, ids, report, lambda xy: working.metres_from(crs, xy))
    if found is None:
        raise RandCrownsError("The outline is no polygon with an area.")
    return found


@lru_cache(maxsize=16)
def _lengths(alpha: float, omega: float, gamma: float) -> Any:
    from randcrowns.core.scoring.parameters import RandCrownsParameters

    return RandCrownsParameters(alpha, omega, gamma)


def _score(name: str) -> Callable[..., float | None]:
    def work(target: Any, delineation: Any, *lengths: float) -> float | None:
        from randcrowns.core.scoring.score import score_pairs

        usual = lengths or [value for _, value in _LENGTHS]
        value = float(
            score_pairs([target], [delineation], _lengths(*map(float, usual)))[name].iloc[0]
        )
        return None if value != value else value

    return work


def _region(target: Any, region: str, *lengths: float) -> Any:
    from randcrowns.core.errors import RandCrownsError
    from randcrowns.core.scoring.score import target_regions

    if region not in ("a", "o", "e", "b"):
        raise RandCrownsError("There is no region '{region}'; choose a, o, e or b.", region=region)
    return getattr(target_regions([target], _lengths(*map(float, lengths))), f"R_{region}")[0]


def _problem(
    target: Any, delineation: Any, alpha: float, omega: float, gamma: float, threshold: float
) -> str:
    from randcrowns.core.crowns import Crowns
    from randcrowns.core.review.problems import ProblemLimits, find_problems
    from randcrowns.core.scoring.layer import score_crowns

    one, other = Crowns([target]), Crowns([delineation])  # type: ignore[arg-type]
    scores = score_crowns(
        one, other, _lengths(float(alpha), float(omega), float(gamma)), "max_score"
    )
    return str(
        find_problems(one, other, scores, ProblemLimits(score=float(threshold)))
        .targets["problem"]
        .iloc[0]
    )
