"""Parameters of the jobs: those of the toolbox, read from the description that it shares.

``toolbox.json`` is written by ``make parameters`` from the declarations of the algorithms.
"""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, note
from randcrowns.core.old_names import rename_ids
from randcrowns.core.scoring.parameters import PRESETS, RandCrownsParameters
from randcrowns.jobs.refused import REFUSED

if TYPE_CHECKING:
    from randcrowns.core.review.problems import ProblemLimits

_DESCRIPTION = Path(__file__).with_name("toolbox.json")
#: Keys of presets that are not in :data:`randcrowns.core.scoring.parameters.PRESETS`.
OWN_PRESET = "own"
IDTREES_PRESET = "idtrees"
#: Names of the parameters of RandCrowns.
LENGTHS = ("alpha", "omega", "gamma")
#: Parameter with each limit of :class:`randcrowns.core.review.problems.ProblemLimits`.
LIMIT_PARAMETERS = {
    "covered": "merged_from",
    "inside": "split_from",
    "shift": "shifted_from",
    "larger": "too_large_from",
    "smaller": "too_small_from",
    "score": "randcrowns_threshold",
}
#: Kinds of parameters with layers or files, whose values are not checked here.
INPUT_KINDS = frozenset({"area", "file", "folder", "layer", "layers", "points", "raster"})
#: Short names that Python functions accept for long ones.
_SHORT_NAMES = {"plot": "plot_field", "annotator": "annotator_field", "score": "score_field"}
#: Parameters that have an effect only with some options of another parameter: their names, the
#: other parameter, and the options.
USED_WITH = (
    (("strata_field",), "summarise_by", ("attribute",)),
    (("level",), "method", ("level",)),
    (("vote_rule", "outline", "match_iou"), "method", ("crowns",)),
    (("simple_rule", "simple_factor"), "method", ("simple",)),
    (("calibration_cutoff",), "method", ("cooke",)),
    (("assign_consensus",), "method", ("staple",)),
    (("prior_value",), "prior", ("number",)),
    (("prior_value",), "staple_prior", ("number",)),
    (("min_skew", "max_skew"), "skew_limits", ("own",)),
)
_TRUE_TEXTS = ("true", "yes", "on", "1")
_FALSE_TEXTS = ("false", "no", "off", "0")


@dataclass(frozen=True)
class JobParameter:
    """Parameter of a job.

    Attributes:
        id: id of the parameter in the toolbox, such as ``BOOTSTRAP_SAMPLES``.
        kind: kind of its value: ``number``, ``integer``, ``boolean``, ``option``, ``options``,
            ``numbers``, ``text``, ``field``, ``crs``, ``bands``, or one of :data:`INPUT_KINDS`.
        label: label in the toolbox.
        help: one or two sentences.
        default: default; None for inputs.
        minimum: minimum of a number; None without limit.
        maximum: maximum of a number; None without limit.
        unit: unit of a number, such as ``m``; "" for a ratio.
        minimum_label: meaning of the minimum, such as ``automatic``; "" if it has none.
        options: keys of the options.
        option_labels: label in the toolbox of each option, in their order.
        option_helps: explanation of each option, in their order.
        is_optional: True if the job does not require a value.
        is_advanced: True if it is rarely needed.
    """

    id: str
    kind: str
    label: str
    help: str = ""
    default: Any = None
    minimum: float | None = None
    maximum: float | None = None
    unit: str = ""
    minimum_label: str = ""
    options: tuple[str, ...] = ()
    option_labels: tuple[str, ...] = ()
    option_helps: tuple[str, ...] = ()
    is_optional: bool = False
    is_advanced: bool = False

    def label_of(self, option: str) -> str:
        """Return the label of an option in the toolbox; the option itself if it has none."""
        return dict(zip(self.options, self.option_labels)).get(option, option)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> JobParameter:
        """Return the parameter in an entry of the description."""
        default = data.get("default")
        if isinstance(default, list):
            default = tuple(default)
        options = data.get("options", ())
        return cls(
            id=data["id"],
            kind=data["kind"],
            label=data["label"],
            help=data["help"],
            default=default,
            minimum=data.get("minimum"),
            maximum=data.get("maximum"),
            unit=data.get("unit", ""),
            minimum_label=data.get("minimum_label", ""),
            options=tuple(option["key"] for option in options),
            option_labels=tuple(option["label"] for option in options),
            option_helps=tuple(option["help"] for option in options),
            is_optional=data.get("optional", False),
            is_advanced=data.get("advanced", False),
        )

    @property
    def name(self) -> str:
        """Name in Python, such as ``bootstrap_samples``."""
        return self.id.lower()

    @property
    def is_input(self) -> bool:
        """True if the value is a layer, an area or a file."""
        return self.kind in INPUT_KINDS

    def check(self, value: Any) -> Any:
        """Return a value in the type of the parameter.

        Args:
            value: value of the parameter, or the text of it; the number of an option counts too,
                as in the toolbox.

        Raises:
            InputError: if the value has another type or is outside the limits.

        >>> parameter = JobParameter("PAIRING", "option", "Pairing", options=("nearest", "max_iou"))
        >>> parameter.check("max_iou"), parameter.check(0)
        ('max_iou', 'nearest')
        """
        checks = {
            "number": self._check_number,
            "integer": self._check_integer,
            "boolean": self._check_boolean,
            "option": self._check_option,
            "options": self._check_options,
            "numbers": self._check_numbers,
        }
        check = checks.get(self.kind)
        if check is not None:
            return check(value)
        if self.kind == "crs":
            value = plain_crs(value)
        return value if self.is_input else str(value).strip()

    def _check_number(self, value: Any) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = math.nan
        if isinstance(value, bool) or not math.isfinite(number):
            raise InputError(
                "parameter.not_a_number",
                "'{name}' must be a number, but it is {value}.",
                name=self.name,
                value=value,
            )
        minimum = -math.inf if self.minimum is None else self.minimum
        maximum = math.inf if self.maximum is None else self.maximum
        if not minimum <= number <= maximum:
            raise InputError(
                "parameter.out_of_range",
                "'{name}' must be from {minimum:,g} to {maximum:,g}, but it is {value:g}.",
                name=self.name,
                minimum=minimum,
                maximum=maximum,
                value=number,
            )
        return number

    def _check_integer(self, value: Any) -> int:
        number = self._check_number(value)
        if not number.is_integer():
            raise InputError(
                "parameter.not_whole",
                "'{name}' must be a whole number, but it is {value:g}.",
                name=self.name,
                value=number,
            )
        return int(number)

    def _check_boolean(self, value: Any) -> bool:
        text = str(value).strip().lower()
        if text in _TRUE_TEXTS:
            return True
        if text in _FALSE_TEXTS:
            return False
        raise InputError(
            "parameter.not_a_boolean",
            "'{name}' must be true or false, but it is {value}.",
            name=self.name,
            value=value,
        )

    def _check_option(self, value: Any) -> str:
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if is_number and 0 <= value < len(self.options):
            return self.options[value]
        if str(value) in self.options:
            return str(value)
        raise InputError(
            "parameter.no_option",
            "'{name}' has no option '{value}'; it has {options}.",
            name=self.name,
            value=value,
            options=list(self.options),
        )

    def _check_options(self, value: Any) -> tuple[str, ...]:
        if isinstance(value, str):
            value = [item.strip() for item in value.split(",") if item.strip()]
        return tuple(self._check_option(item) for item in _as_items(value))

    def _check_numbers(self, value: Any) -> tuple[float, ...]:
        # The package of this module imports pandas and scipy, which the help does not need.
        from randcrowns.core.tuning.ranges import NumberRanges

        ranges = NumberRanges(self.name, math.inf if self.maximum is None else self.maximum)
        if not isinstance(value, str):
            value = " ".join(map(self._number_text, _as_items(value)))
        return ranges.parse(value)

    def _number_text(self, value: Any) -> str:
        """Return a number with all digits as text; a text, such as a range, unchanged."""
        return value if isinstance(value, str) else f"{self._check_number(value):.17g}"

    @property
    def checked_default(self) -> Any:
        """Default in the type of the values."""
        if self.kind == "numbers":
            from randcrowns.core.tuning.ranges import range_text

            return self._check_numbers(range_text(self.default))
        return self.default


def plain_crs(value: Any) -> Any:
    """Return a coordinate reference system (CRS) as text: an EPSG code, or an object of pyproj.

    Any other value is returned unchanged.

    >>> plain_crs(32617), plain_crs("EPSG:32617")
    ('EPSG:32617', 'EPSG:32617')
    """
    if isinstance(value, Integral) and not isinstance(value, bool):
        return f"EPSG:{value}"
    return value.to_string() if hasattr(value, "to_epsg") else value


def _as_items(value: Any) -> Iterable[Any]:
    """Return the items of a list or an array; any other value as a list with this item."""
    return value if isinstance(value, Iterable) else [value]


@dataclass(frozen=True)
class ColumnDescription:
    """Description of a declared column of an output.

    Attributes:
        heading: label with its unit; ``#`` stands for a number, such as a threshold.
        help: meaning of the values; "" without an explanation.
        has_digits: True if ``digits`` is declared, as for all columns with numbers.
        digits: number of decimals; negative for a number of significant digits; None if it depends
            on the size of each number.
        texts: texts of values that are keys, by key.
        scale: factor by which tables multiply the stored numbers: 100 for shares.
    """

    heading: str
    help: str = ""
    has_digits: bool = False
    digits: int | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    scale: float = 1.0

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ColumnDescription:
        """Return the column in an entry of the description."""
        is_share = data.get("is_share", False)
        shown_unit = "%" if is_share else data["unit"]
        unit = f" ({shown_unit})" if shown_unit else ""
        return cls(
            data["label"] + unit,
            data.get("help", ""),
            "digits" in data,
            data.get("digits"),
            data.get("texts", {}),
            100.0 if is_share else 1.0,
        )


@dataclass(frozen=True)
class OutputDescription:
    """Description of an output of a job.

    Attributes:
        label: label in the toolbox.
        columns: declared columns by name; ``#`` in a name stands for a number, as in its heading.
    """

    label: str
    columns: Mapping[str, ColumnDescription]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> OutputDescription:
        """Return the output in an entry of the description."""
        columns = {
            column["name"]: ColumnDescription.from_json(column) for column in data["columns"]
        }
        return cls(data["label"], columns)

    def column_of(self, name: str) -> ColumnDescription | None:
        """Return the description of a column of a table; None if it is not declared.

        >>> recall = ColumnDescription("Recall at IoU #")
        >>> output = OutputDescription("Summary", {"recall_iou_#": recall})
        >>> output.column_of("recall_iou_0_5").heading, output.column_of("own")
        ('Recall at IoU 0.5', None)
        """
        if name in self.columns:
            return self.columns[name]
        for declared_name, column in self.columns.items():
            before, has_number, after = declared_name.partition("#")
            match = re.fullmatch(f"{re.escape(before)}([0-9_]+){re.escape(after)}", name)
            if has_number and match:
                number = match[1].replace("_", ".")
                return replace(column, heading=column.heading.replace("#", number))
        return None


@dataclass(frozen=True)
class JobDescription:
    """Description of a job.

    Attributes:
        name: name of the job, such as ``evaluate-cloud``.
        algorithm: id of the toolbox's algorithm, such as ``evaluatepointcloud``.
        description: one sentence.
        parameters: parameters by name, in the order of the toolbox's dialog.
        columns: names of the declared columns by the id of the output.
        outputs: descriptions of the outputs by their id.
    """

    name: str
    algorithm: str
    description: str
    parameters: Mapping[str, JobParameter]
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    outputs: Mapping[str, OutputDescription] = field(default_factory=dict)


@lru_cache(maxsize=1)
def describe_jobs() -> dict[str, JobDescription]:
    """Return the descriptions of all jobs by name."""
    content = json.loads(_DESCRIPTION.read_text(encoding="utf-8"))
    jobs = {}
    for job_name, job in content.items():
        parameters = {}
        for entry in job["parameters"]:
            parameter = JobParameter.from_json(entry)
            parameters[parameter.name] = parameter
        columns = {}
        outputs = {}
        for output in job["outputs"]:
            columns[output["id"]] = tuple(column["name"] for column in output["columns"])
            outputs[output["id"]] = OutputDescription.from_json(output)
        jobs[job_name] = JobDescription(
            name=job_name,
            algorithm=job["algorithm"],
            description=job["description"],
            parameters=parameters,
            columns=columns,
            outputs=outputs,
        )
    return jobs


@dataclass(frozen=True)
class JobValues:
    """Values of the parameters of a job.

    Attributes:
        job: description of the job.
        by_name: value of each parameter by name.
        given: names of the parameters that the caller has set.
    """

    job: JobDescription
    by_name: Mapping[str, Any]
    given: frozenset[str]

    def __getitem__(self, name: str) -> Any:
        return self.by_name[name]


def read_values(job_name: str, set_values: Mapping[str, Any]) -> JobValues:
    """Return the values of all parameters of a job; defaults for those that are not given.

    Args:
        job_name: name of the job.
        set_values: values by name; None stands for the default.

    Raises:
        InputError: if there is no parameter of a name, the job does not accept it here, or a value
            is invalid.

    >>> read_values("score", {"alpha": 0.5, "plot": "plotID"})["plot_field"]
    'plotID'
    """
    job = describe_jobs()[job_name]
    long_names: dict[str, Any] = {}
    for name, value in set_values.items():
        long_name = _SHORT_NAMES.get(name, name)
        if long_name in set_values and long_name != name:
            refuse_contradiction({long_name: set_values[long_name], name: value})
        if value is not None or long_name not in long_names:
            long_names[long_name] = value
    renamed = rename_ids({name.upper(): value for name, value in long_names.items()})
    own_values = {name.lower(): value for name, value in renamed.items() if value is not None}
    for name, value in own_values.items():
        _check_name(job, name, value)
    values = {}
    for name, parameter in job.parameters.items():
        if name in own_values:
            values[name] = parameter.check(own_values[name])
        else:
            values[name] = parameter.checked_default
    return JobValues(job, values, frozenset(own_values))


def refuse_contradiction(values: Mapping[str, Any]) -> None:
    """Raise an InputError if two names of one parameter have different values.

    Args:
        values: the values by the names that the caller has used; None for one that is not given.

    >>> refuse_contradiction({"--limits score": 0.9, "--randcrowns-threshold": None})
    """
    set_values = {name: value for name, value in values.items() if value is not None}
    if len(set_values) < 2:
        return
    (name, value), (other_name, other_value) = set_values.items()
    if value != other_value:
        raise InputError(
            "parameter.contradiction",
            "'{name}' is {value}, but '{other_name}' is {other_value}. Both set the same "
            "parameter, so give one of them.",
            name=name,
            value=value,
            other_name=other_name,
            other_value=other_value,
        )


def _check_name(job: JobDescription, name: str, value: Any) -> None:
    """Raise an InputError if a job has no parameter of a name, or does not accept it here.

    A parameter that is not accepted may have its default, as in the record of a run in QGIS.

    Args:
        job: description of the job.
        name: name of the parameter.
        value: its value.
    """
    if name not in job.parameters:
        similar = difflib.get_close_matches(name, job.parameters, n=1)
        template = "{job} has no parameter '{name}'. Its parameters are {parameters}."
        if similar:
            template = "{job} has no parameter '{name}'. Did you mean '{parameters}'?"
        raise InputError(
            "parameter.unknown",
            template,
            job=job.name,
            name=name,
            parameters=similar or list(job.parameters),
        )
    reason = REFUSED.get(job.name, {}).get(name)
    if reason is not None and not _is_default(job.parameters[name], value):
        raise InputError(
            "parameter.unsupported",
            "'{name}' of {job} cannot be used here: {why}",
            name=name,
            job=job.name,
            why=reason,
        )


def _is_default(parameter: JobParameter, value: Any) -> bool:
    """Return True if a value is empty or the default of a parameter."""
    if value in (None, "", [], ()):
        return True
    try:
        return bool(parameter.check(value) == parameter.checked_default)
    except InputError:
        return False


def randcrowns_parameters(values: JobValues, preset: str = "preset") -> RandCrownsParameters:
    """Return the parameters of the score that a job uses.

    A job that sets lengths but no preset uses its own values.

    Args:
        values: values of the job.
        preset: name of the parameter with the preset.
    """
    key = preset_key(values, preset)
    lengths = PRESETS.get(key)
    if lengths is None:
        lengths = PRESETS["image_boxes"]
    numbers: Sequence[float] = (lengths.alpha, lengths.omega, lengths.gamma)
    if key == OWN_PRESET:
        numbers = [values[name] for name in LENGTHS]
    alpha, omega, gamma = numbers
    return RandCrownsParameters(alpha, omega, gamma, offsets=values["corner_style"])


def preset_key(values: JobValues, preset: str = "preset") -> str:
    """Return the key of the preset that a job uses; see :func:`randcrowns_parameters`."""
    has_own_lengths = any(name in values.given for name in LENGTHS)
    if preset not in values.given and has_own_lengths:
        return OWN_PRESET
    return str(values[preset])


def unused_values(values: JobValues) -> list[Message]:
    """Return notes about values that were given, but have no effect beside other values."""
    parameters = values.job.parameters
    messages = _unused_lengths(values)
    for names, other_name, options in USED_WITH:
        if other_name not in parameters or values[other_name] in options:
            continue
        given_names = [name for name in names if name in values.given]
        # A record of a run contains the defaults of all parameters.
        unused_names = [
            name for name in given_names if not _is_default(parameters[name], values[name])
        ]
        if not unused_names:
            continue
        messages.append(
            note(
                "parameter.not_used",
                "{names}: not used, because '{other}' is '{value}'. Choose {options} to use it.",
                names=unused_names,
                other=other_name,
                value=values[other_name],
                options=list(options),
            )
        )
    return messages


def _unused_lengths(values: JobValues) -> list[Message]:
    """Return a note if lengths were given that a preset replaces.

    A record and a dialog of the toolbox contain all lengths beside a preset: those of the preset
    or the defaults. They are no request.
    """
    if "preset" not in values.given:
        return []
    preset = preset_key(values)
    if preset not in PRESETS:
        return []
    unused_names = []
    for name in LENGTHS:
        if name not in values.given:
            continue
        preset_length = getattr(PRESETS[preset], name)
        default_length = values.job.parameters[name].default
        if values[name] not in (preset_length, default_length):
            unused_names.append(name)
    if not unused_names:
        return []
    return [
        note(
            "parameter.unused_lengths",
            "{names}: not used, because preset '{preset}' has its own lengths. Choose the preset "
            "'{own}' to use yours.",
            names=unused_names,
            preset=preset,
            own=OWN_PRESET,
        )
    ]


def problem_limits(values: JobValues) -> ProblemLimits:
    """Return the limits of the problems of crowns that a job uses."""
    from randcrowns.core.review.problems import ProblemLimits

    return ProblemLimits(**{limit: values[name] for limit, name in LIMIT_PARAMETERS.items()})


def read_parameter_file(path: str | Path) -> dict[str, Any]:
    """Return the parameters in a JSON file, by name in lower case.

    Args:
        path: a file with the parameters by id; the record of a run, as results contain it; or the
            JSON that QGIS copies from a dialog (``{"inputs": {…}}``).

    Raises:
        InputError: if the file cannot be read or contains no parameters.
    """
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(
            "file.unreadable", "{path} cannot be read: {why}", path=str(path), why=error
        ) from error
    for key in ("record", "parameters", "inputs"):
        if isinstance(content, dict) and isinstance(content.get(key), dict):
            content = content[key]
    if not isinstance(content, dict):
        raise InputError(
            "parameter.no_parameters",
            "{path} contains no parameters. Write a JSON object with the parameters by name.",
            path=str(path),
        )
    return {str(name).lower(): value for name, value in content.items()}
