"""The functions of QGIS's expressions: scores, regions and problems of two outlines at hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from qgis.core import QgsCoordinateReferenceSystem, QgsExpression, QgsExpressionFunction, QgsFeature, QgsGeometry

from randcrowns.core.scoring.parameters import PRESETS
from randcrowns.layers.words import reason, tr

# What computes is imported when a function is first used: QGIS starts without it.

GROUP = "RandCrowns"
#: Lengths where none are given, and their names.
_LENGTHS = tuple((name, getattr(PRESETS["image_boxes"], name)) for name in ("alpha", "omega", "gamma"))
_PAIR = ("target", "delineation")


class CrownFunction(QgsExpressionFunction):
    """A function of outlines in metres. NULL gives NULL; what cannot be computed is an error of the expression."""

    def __init__(
        self, name: str, shapes: Sequence[str], more: Sequence[tuple[str, Any]], about: str, work: Any
    ) -> None:
        kind = QgsExpressionFunction.Parameter
        parameters = [
            *(kind(one) for one in shapes),
            *(kind(one, default is not None, default) for one, default in more),
        ]
        super().__init__(name, parameters, GROUP, _help(name, shapes, more, about))
        self._shapes, self._work = len(shapes), work

    def func(self, values: Any, context: Any, parent: Any, _node: Any) -> Any:
        """The value; called by QGIS for each feature."""
        from randcrowns.core.errors import RandCrownsError

        given = list(values)
        if any(one is None or str(one) == "NULL" for one in given):
            return None
        try:
            crs = QgsCoordinateReferenceSystem(str(context.variable("layer_crs") or "")) if context else None
            if crs is not None and crs.isValid() and crs.isGeographic():
                raise RandCrownsError("The layer is in degrees, but lengths are metres: transform() the outlines.")
            return self._work(*map(_polygon, given[: self._shapes]), *given[self._shapes :])
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


def _declared() -> list[tuple[str, Sequence[str], Sequence[tuple[str, Any]], str, Callable[..., Any]]]:
    return [
        ("rc_score", _PAIR, _LENGTHS, tr("RandCrowns of a delineation, 0 to 1."), _score("randcrowns")),
        ("rc_iou_crowns", _PAIR, _LENGTHS, tr("IoUCrowns of a delineation, 0 to 1."), _score("iou_crowns")),
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
                "low overlap; or none."
            ),
            _problem,
        ),
    ]


def _help(name: str, shapes: Sequence[str], more: Sequence[tuple[str, Any]], about: str) -> str:
    call = ", ".join([*shapes, *(one if default is None else f"{one}={default:g}" for one, default in more)])
    example = {"rc_region": "rc_region($geometry, 'a', 0.6, 3, 3)", "rc_iou": "rc_iou($geometry, @other)"}.get(
        name, f"{name}($geometry, geometry(get_feature('drawn', 'id', \"match\")), 0.6, 3, 3)"
    )
    units = tr("Outlines in metres; alpha and omega are metres, gamma is a ratio of areas.")
    return f"<h3>{name}({escape(call)})</h3><p>{escape(about)}</p><p>{units}</p><p><code>{escape(example)}</code></p>"


def _polygon(geometry: Any) -> Any:
    """The outline as a valid polygon."""
    import numpy as np

    from randcrowns.core.errors import RandCrownsError
    from randcrowns.layers.vector.geometry import ReadReport, plain_polygons, usable_polygons

    if not isinstance(geometry, QgsGeometry):
        raise RandCrownsError("A polygon is needed, not {value}.", value=geometry)
    feature, ids, report = QgsFeature(), np.array([0]), ReadReport("")
    feature.setGeometry(geometry)
    (found,) = usable_polygons(plain_polygons([feature], ids, report), ids, report, lambda xy: xy)
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
        value = float(score_pairs([target], [delineation], _lengths(*map(float, usual)))[name].iloc[0])
        return None if value != value else value

    return work


def _region(target: Any, region: str, *lengths: float) -> QgsGeometry:
    from randcrowns.core.errors import RandCrownsError
    from randcrowns.core.scoring.score import target_regions
    from randcrowns.layers.vector.geometry import to_qgs_geometries

    if region not in ("a", "o", "e", "b"):
        raise RandCrownsError("There is no region '{region}'; choose a, o, e or b.", region=region)
    found = getattr(target_regions([target], _lengths(*map(float, lengths))), f"R_{region}")
    return to_qgs_geometries(found)[0]


def _problem(target: Any, delineation: Any, alpha: float, omega: float, gamma: float, threshold: float) -> str:
    from randcrowns.core.crowns import Crowns
    from randcrowns.core.review.problems import ProblemLimits, find_problems
    from randcrowns.core.scoring.layer import score_crowns

    one, other = Crowns([target]), Crowns([delineation])  # type: ignore[arg-type]
    scores = score_crowns(one, other, _lengths(float(alpha), float(omega), float(gamma)), "max_score")
    return str(find_problems(one, other, scores, ProblemLimits(score=float(threshold))).targets["problem"].iloc[0])
