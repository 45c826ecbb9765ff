"""RandCrowns: accuracy of tree crown delineations, and agreement between annotators.

In QGIS this package is the plugin. In Python, its functions do the jobs of the plugin's toolbox
without QGIS::

    import randcrowns as rc

    result = rc.score("crowns.gpkg", "deepforest.csv", plot="plotID")
    result.summary

They are imported on first access, so that QGIS starts without them.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from randcrowns import plotting
    from randcrowns.core.errors import InputError, RandCrownsError
    from randcrowns.jobs.agreement import compare_annotators, consensus
    from randcrowns.jobs.benchmarks.benchmark import benchmark
    from randcrowns.jobs.evaluation import evaluate
    from randcrowns.jobs.exchange import export_crowns, read_annotations
    from randcrowns.jobs.point_clouds import evaluate_cloud
    from randcrowns.jobs.ranking import rank as rank_detectors
    from randcrowns.jobs.results import JobResult
    from randcrowns.jobs.scoring import score
    from randcrowns.jobs.tuning import tune, variance

#: Module and name of each public name.
_PUBLIC = {
    "InputError": ("core.errors", "InputError"),
    "JobResult": ("jobs.results", "JobResult"),
    "RandCrownsError": ("core.errors", "RandCrownsError"),
    "benchmark": ("jobs.benchmarks.benchmark", "benchmark"),
    "compare_annotators": ("jobs.agreement", "compare_annotators"),
    "consensus": ("jobs.agreement", "consensus"),
    "evaluate": ("jobs.evaluation", "evaluate"),
    "evaluate_cloud": ("jobs.point_clouds", "evaluate_cloud"),
    "export_crowns": ("jobs.exchange", "export_crowns"),
    "plotting": ("plotting", ""),
    "rank_detectors": ("jobs.ranking", "rank"),
    "read_annotations": ("jobs.exchange", "read_annotations"),
    "score": ("jobs.scoring", "score"),
    "tune": ("jobs.tuning", "tune"),
    "variance": ("jobs.tuning", "variance"),
}
#: True if this package contains the jobs; the plugin of QGIS does not.
_HAS_JOBS = (Path(__file__).parent / "jobs").is_dir()

__all__ = [
    "InputError",
    "JobResult",
    "RandCrownsError",
    "benchmark",
    "compare_annotators",
    "consensus",
    "evaluate",
    "evaluate_cloud",
    "export_crowns",
    "plotting",
    "rank_detectors",
    "read_annotations",
    "score",
    "tune",
    "variance",
]


def __getattr__(name: str) -> Any:
    if name == "__version__" and _HAS_JOBS:
        return import_module(f"{__name__}.jobs.version").version()
    if name not in _PUBLIC or not _HAS_JOBS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module_name, attribute = _PUBLIC[name]
    module = import_module(f"{__name__}.{module_name}")
    return getattr(module, attribute) if attribute else module


def __dir__() -> list[str]:
    special = (name for name in globals() if name.startswith("__"))
    return sorted({*special, *(__all__ if _HAS_JOBS else ())})


def classFactory(iface: Any) -> Any:  # noqa: N802 - QGIS's name
    """Return the plugin; QGIS calls this function when it loads the plugin.

    Args:
        iface: The interface of the QGIS window; None without a window.
    """
    from randcrowns.layers import language

    # Module constants are translated on import, so the translation must be installed before.
    language.install_translation()
    from randcrowns.plugin import RandCrownsPlugin

    return RandCrownsPlugin(iface)
