"""Write the declared parameters of the algorithms for Python and the command: ``make parameters``.

The command ``randcrowns`` and :mod:`randcrowns.jobs` work without QGIS. They read the parameters
of the toolbox from the file that this script writes. It also writes the page of the guide that
lists all parameters.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from randcrowns.algorithms import algorithm_catalogue as catalogue
from randcrowns.algorithms import layer_parameters, number_list, parameter_types
from randcrowns.algorithms.output_types import Column, Output
from randcrowns.algorithms.parameter_types import Parameter, ParameterizedAlgorithm
from randcrowns.jobs.refused import REFUSED

_ROOT = Path(__file__).resolve().parents[1]
PATH = _ROOT / "jobs" / "toolbox.json"
#: Page of the guide with all parameters.
PAGE = _ROOT / "docs" / "jobs.md"
_HEAD = (
    "# All parameters\n\n"
    "This page lists the parameters of all algorithms of the toolbox, and of the "
    "[jobs](python.md) in Python and in the command. Column *parameter* has the name in Python, "
    "such as `bootstrap_samples`. In the command, the same parameter is the option "
    "`--bootstrap-samples`. Column *id* has the name in models, scripts and `qgis_process`, such "
    "as `BOOTSTRAP_SAMPLES`. An empty default means that nothing is chosen. `make parameters` "
    "writes this page."
)
#: Algorithm of each job, by the name of the job in Python and in the command.
ALGORITHM_OF_JOB = {
    "score": catalogue.SCORE_CROWNS,
    "agree": catalogue.COMPARE_ANNOTATORS,
    "consensus": catalogue.MAKE_CONSENSUS,
    "rank": catalogue.RANK_DETECTORS,
    "evaluate": catalogue.EVALUATE_INSTANCES,
    "evaluate-cloud": catalogue.EVALUATE_POINT_CLOUD,
    "variance": catalogue.ANNOTATOR_VARIANCE,
    "tune": catalogue.TUNE_PARAMETERS,
    "import": catalogue.IMPORT_CROWNS,
    "export": catalogue.EXPORT_CROWNS,
    "report": catalogue.REPORT,
}
#: Function of each job in Python, if it has another name than the job.
_FUNCTIONS = {
    "agree": "compare_annotators",
    "rank": "rank_detectors",
    "evaluate-cloud": "evaluate_cloud",
    "import": "read_annotations",
    "export": "export_crowns",
    "report": "JobResult.report",
}
#: Kind of value of each class of parameters. The first class that a parameter belongs to counts.
KINDS: dict[type[Any], str] = {
    number_list.NumberListParameter: "numbers",
    parameter_types.IntegerParameter: "integer",
    parameter_types.NumericParameter: "number",
    parameter_types.BooleanParameter: "boolean",
    parameter_types.OptionParameter: "option",
    parameter_types.MultiOptionParameter: "options",
    parameter_types.FieldParameter: "field",
    layer_parameters.FolderParameter: "folder",
    layer_parameters.FileParameter: "file",
    parameter_types.TextParameter: "text",
    layer_parameters.PointLayerParameter: "points",
    layer_parameters.ZoneParameter: "layer",
    layer_parameters.LayerParameter: "layer",
    layer_parameters.LayerListParameter: "layers",
    layer_parameters.RasterParameter: "raster",
    layer_parameters.BandsParameter: "bands",
    layer_parameters.CrsParameter: "crs",
    layer_parameters.AreaParameter: "area",
}
#: Kinds whose default is a layer or an area of the project, which no file can name.
_KINDS_WITHOUT_DEFAULT = frozenset({"area", "bands", "crs", "layer", "layers", "points", "raster"})


def describe_parameter(parameter: Parameter[Any]) -> dict[str, Any]:
    """Return a parameter as JSON data."""
    kind = next((kind for cls, kind in KINDS.items() if isinstance(parameter, cls)), "text")
    description: dict[str, Any] = {
        "id": parameter.ids[0],
        "kind": kind,
        "label": str(parameter.label),
        "help": str(parameter.help),
    }
    if kind not in _KINDS_WITHOUT_DEFAULT:
        description["default"] = parameter.default
    for name in ("minimum", "maximum", "unit", "minimum_label"):
        value = getattr(parameter, name, "")
        if value != "":
            description[name] = value
    options = getattr(parameter, "options", ())
    if options and kind in ("option", "options"):
        description["options"] = [
            {"key": option.key, "label": str(option.label), "help": str(option.help)}
            for option in options
        ]
    if parameter.optional:
        description["optional"] = True
    if parameter.advanced:
        description["advanced"] = True
    return description


def describe_output(output: Output) -> dict[str, Any]:
    """Return an output as JSON data."""
    return {
        "id": output.id,
        "kind": output.kind,
        "label": str(output.label),
        "columns": [describe_column(column) for column in output.columns],
    }


def describe_column(column: Column) -> dict[str, Any]:
    """Return a column as JSON data, with its decimals if it has numbers."""
    description: dict[str, Any] = {
        "name": column.name,
        "label": str(column.label),
        "unit": column.unit,
        "help": str(column.help),
    }
    if column.kind != "text":
        description["digits"] = 0 if column.kind == "integer" else column.digits
    if column.is_share:
        description["is_share"] = True
    if column.display_texts:
        description["texts"] = {key: str(text) for key, text in column.display_texts.items()}
    return description


def describe_toolbox() -> dict[str, Any]:
    """Return all jobs with the parameters and outputs of their algorithms as JSON data."""
    return {job: describe_algorithm(entry) for job, entry in ALGORITHM_OF_JOB.items()}


def describe_algorithm(entry: catalogue.AlgorithmEntry) -> dict[str, Any]:
    """Return an algorithm with its parameters and outputs as JSON data."""
    module = import_module(f"randcrowns.algorithms.{entry.module}")
    algorithm: type[ParameterizedAlgorithm] = getattr(module, entry.class_name)
    return {
        "algorithm": entry.key,
        "label": str(entry.label),
        "description": str(entry.description),
        "parameters": [describe_parameter(item) for item in algorithm.declared_parameters],
        "outputs": [describe_output(item) for item in algorithm.outputs],
    }


def to_text(description: dict[str, Any]) -> str:
    """Return the description as the text of its file."""
    return json.dumps(description, indent=1, ensure_ascii=False) + "\n"


def to_page(description: Mapping[str, Any]) -> str:
    """Return the page of the guide with the parameters of all algorithms, those of jobs first."""
    parts = [_HEAD]
    for job, algorithm in description.items():
        names = f"`rc.{_FUNCTIONS.get(job, job)}`, `randcrowns {job}`; in QGIS"
        parts.append(_section(job, algorithm, names))
    jobs = {entry.key for entry in ALGORITHM_OF_JOB.values()}
    parts += [
        _section(entry.key, describe_algorithm(entry), "Only in QGIS:")
        for entry in catalogue.ALGORITHMS
        if entry.key not in jobs
    ]
    return "\n\n".join(parts) + "\n"


def _section(title: str, algorithm: Mapping[str, Any], names: str) -> str:
    """Return the section of an algorithm: its names, and a table with its parameters."""
    rows = [
        f"## {title}\n{algorithm['description']}\n",
        f"{names} `randcrowns:{algorithm['algorithm']}`.\n",
        "| parameter | id | meaning | default | values |",
        "|---|---|---|---|---|",
    ]
    refused = REFUSED.get(title, {})
    for parameter in algorithm["parameters"]:
        name = parameter["id"].lower()
        cells = [
            f"`{name}`{'; only in QGIS' if name in refused else ''}",
            f"`{parameter['id']}`",
            f"{parameter['label']}. {parameter['help']}".strip(),
            _default_cell(parameter),
            _values_cell(parameter),
        ]
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows)


def _default_cell(parameter: Mapping[str, Any]) -> str:
    """Return the default of a parameter as code; "" without one."""
    default = parameter.get("default")
    if default is None or default in ("", [], ()):
        return ""
    if isinstance(default, (list, tuple)):
        separator = ":" if parameter["kind"] == "numbers" else ", "
        return f"`{separator.join(map(str, default))}`"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


def _values_cell(parameter: Mapping[str, Any]) -> str:
    """Return the options of a parameter, or the range of its numbers with the unit."""
    if "options" in parameter:
        return ", ".join(f"`{option['key']}`" for option in parameter["options"])
    low, high = parameter.get("minimum"), parameter.get("maximum")
    limits = ""
    if low is not None and high is not None:
        limits = f"{low:,g} to {high:,.10g}"
    elif low is not None:
        limits = f"from {low:,g}"
    elif high is not None:
        limits = f"up to {high:,.10g}"
    return f"{limits} {parameter.get('unit', '')}".strip() or parameter["kind"]


def main() -> None:
    """Write the files, and print the path of each whose content has changed."""
    description = describe_toolbox()
    for path, text in ((PATH, to_text(description)), (PAGE, to_page(description))):
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(path)


if __name__ == "__main__":
    main()
