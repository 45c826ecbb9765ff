"""Weights of annotators by their answers to questions with known answers (Cooke 1991).

In Cooke's classical model, each annotator gives a 5 %, a 50 % and a 95 % quantile for several
questions whose answers are known, such as the diameter of crowns that were measured in the field.
The weight of an annotator is calibration times information:

- Calibration is the p-value of the hypothesis that 5, 45, 45 and 5 % of the true values lie below,
  between and above the quantiles.
- Information is the mean relative information of the quantiles to a uniform distribution over the
  range of all quantiles and true values, extended by a tenth at both ends.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
import pandas as pd
import scipy

from randcrowns.core.arrays import Floats
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, note
from randcrowns.core.validation import validate_arguments

#: Columns of a table of answers: quantiles of 5, 50 and 95 %, and the true value.
ANSWER_COLUMNS = ("annotator", "question", "low", "median", "high", "true_value")
#: Columns of it that hold numbers.
_NUMERIC_COLUMNS = ("low", "median", "high", "true_value")
#: Probabilities below, between and above the three quantiles.
_BIN_PROBABILITIES = np.array([0.05, 0.45, 0.45, 0.05])
#: Extension of the range of a question at both ends, as a share of the range.
_OVERSHOOT = 0.1
#: Number of questions that Cooke recommends at least.
_RECOMMENDED_QUESTIONS = 10


@dataclass(frozen=True, eq=False)
class CookeWeights:
    """Weights of K annotators.

    Attributes:
        annotators: names of the annotators.
        calibration: (K,) p-value, 0 to 1; 1 is best.
        information: (K,) mean relative information, above 0; narrow quantiles have more.
        weight: (K,) weights with a sum of 1; 0 for a calibration below the cutoff.
        n_questions: number of questions.
    """

    annotators: tuple[str, ...]
    calibration: Floats
    information: Floats
    weight: Floats
    n_questions: int

    def select(self, names: Sequence[str]) -> Floats:
        """Return the weights of some of the annotators, in the order of their names."""
        weight_by_name = dict(zip(self.annotators, self.weight.tolist()))
        return np.array([weight_by_name[name] for name in names], dtype=float)

    @property
    def message(self) -> Message:
        """Message with the number of questions and the annotators without weight."""
        excluded = [name for name, weight in zip(self.annotators, self.weight) if weight == 0]
        if excluded:
            return note(
                "cooke.excluded",
                "Annotators are weighted by {count:,} questions with known answers. {names}: no "
                "weight, because the calibration is below the cutoff.",
                count=self.n_questions,
                names=", ".join(excluded),
            )
        if self.n_questions < _RECOMMENDED_QUESTIONS:
            return note(
                "cooke.few_questions",
                "Annotators are weighted by {count:,} questions with known answers; at least "
                "{recommended} are recommended.",
                one="Annotators are weighted by 1 question with a known answer; at least "
                "{recommended} are recommended.",
                count=self.n_questions,
                recommended=_RECOMMENDED_QUESTIONS,
            )
        return note(
            "cooke.questions",
            "Annotators are weighted by {count:,} questions with known answers.",
            count=self.n_questions,
        )


@validate_arguments
def cooke_weights(
    answers: pd.DataFrame, annotators: Sequence[str], cutoff: float = 0.0
) -> CookeWeights:
    """Return the weights of annotators in Cooke's classical model (global weights).

    Args:
        answers: table with the columns :data:`ANSWER_COLUMNS`, a row per annotator and question.
            Rows of other annotators are not used.
        annotators: names of the annotators.
        cutoff: minimum calibration of an annotator with a weight, 0 to 1.

    Raises:
        InputError: if a column, an answer or a number is missing, quantiles are not ascending,
            there are two true values of a question, or nobody reaches the cutoff.

    >>> rows = [("ann", 1, 4, 5, 6, 5.5), ("ben", 1, 1, 2, 3, 5.5)]
    >>> answers = pd.DataFrame(rows, columns=list(ANSWER_COLUMNS))
    >>> cooke_weights(answers, ["ann", "ben"]).weight.round(2).tolist()
    [0.85, 0.15]
    """
    if not 0 <= cutoff <= 1:
        raise InputError(
            "cooke.invalid_cutoff",
            "The calibration cutoff must lie between 0 and 1, not {cutoff:g}.",
            cutoff=cutoff,
        )
    if not len(annotators):
        raise InputError("cooke.no_name", "Cooke's weights need at least one annotator.")
    quantiles, true_values = _arrange_answers(_check_table(answers), annotators)
    calibration = _calibration(quantiles, true_values)
    information = _information(quantiles, true_values)
    scores = np.where(calibration >= cutoff, calibration * information, 0.0)
    if not scores.sum() > 0:
        raise InputError(
            "cooke.nobody",
            "No annotator has a calibration of at least {cutoff:g}; the best is {best:.3g}. Lower "
            "the cutoff, or check the answers.",
            cutoff=cutoff,
            best=float(calibration.max()),
        )
    weight = scores / scores.sum()
    return CookeWeights(
        annotators=tuple(annotators),
        calibration=calibration,
        information=information,
        weight=weight,
        n_questions=len(true_values),
    )


def missing_answers_error(label: str) -> InputError:
    """Return the error for Cooke's weights without answers.

    Args:
        label: label of the parameter with the answers.
    """
    return InputError(
        "cooke.no_file",
        "Cooke's weights require a file with answers: set '{label}'.",
        label=label,
    )


def read_answers(path: str | Path) -> pd.DataFrame:
    """Read the answers of annotators from a CSV file.

    Columns are separated by commas, semicolons or tabs. With semicolons or tabs, decimals may have
    a comma.

    Args:
        path: path of the file.

    Returns:
        A row per annotator and question with the columns :data:`ANSWER_COLUMNS`.

    Raises:
        InputError: if the file cannot be read or has no such table.

    >>> from tempfile import NamedTemporaryFile
    >>> header, row = "annotator,question,low,median,high,true_value", "ann,1,4,5,6,5.5"
    >>> with NamedTemporaryFile("w", suffix=".csv") as file:
    ...     print(header, file=file)
    ...     print(row, file=file)
    ...     file.flush()
    ...     answers = read_answers(file.name)
    >>> answers["true_value"].tolist()
    [5.5]
    """
    try:
        content = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise InputError(
            "cooke.unreadable",
            "The answers in '{path}' cannot be read ({why}). Choose a CSV file in UTF-8.",
            path=Path(path).name,
            why=str(error),
        ) from error
    lines = content.splitlines()
    if not lines:
        return _check_table(pd.DataFrame())
    # The separator is the character that occurs most often in the first line.
    separator = max(",;\t", key=lines[0].count)
    filled_rows = [row for row in csv.reader(lines, delimiter=separator) if row]
    if not filled_rows:
        return _check_table(pd.DataFrame())
    header = [name.strip().lower() for name in filled_rows[0]]
    records = []
    for row in filled_rows[1:]:
        cells = [cell.strip() for cell in row]
        records.append(dict(zip(header, cells)))
    table = pd.DataFrame(records, columns=header)
    if separator != ",":
        numeric_names = [name for name in _NUMERIC_COLUMNS if name in table]
        table[numeric_names] = table[numeric_names].replace(",", ".", regex=True)
    return _check_table(table)


def _check_table(answers: pd.DataFrame) -> pd.DataFrame:
    """Return the columns of a table of answers, with texts and numbers.

    Raises:
        InputError: if a column or a number is missing, or quantiles are not ascending.
    """
    if not isinstance(answers, pd.DataFrame):
        raise InputError(
            "cooke.no_table",
            "The answers must be a table with the columns {columns}.",
            columns=", ".join(ANSWER_COLUMNS),
        )
    missing = [name for name in ANSWER_COLUMNS if name not in answers]
    if missing:
        raise InputError(
            "cooke.no_column",
            "The table of answers has no column {missing}. It needs the columns {columns}.",
            missing=", ".join(missing),
            columns=", ".join(ANSWER_COLUMNS),
        )
    table = answers[list(ANSWER_COLUMNS)].reset_index(drop=True)
    names = list(_NUMERIC_COLUMNS)
    numbers = table[names].apply(pd.to_numeric, errors="coerce").astype(float)
    is_ascending = (numbers["low"] < numbers["median"]) & (numbers["median"] < numbers["high"])
    is_valid = is_ascending & np.isfinite(numbers).all(axis=1)
    if not is_valid.all():
        row = is_valid.idxmin()  # the first that is False
        raise InputError(
            "cooke.invalid_answer",
            "The answer of {annotator} to question {question} is invalid: low, median, high and "
            "true_value must be numbers, and low < median < high.",
            annotator=str(table.loc[row, "annotator"]),
            question=str(table.loc[row, "question"]),
        )
    table[names] = numbers
    return cast("pd.DataFrame", table.astype({"annotator": str, "question": str}))


def _arrange_answers(answers: pd.DataFrame, annotators: Sequence[str]) -> tuple[Floats, Floats]:
    """Return the quantiles (K, Q, 3) of K annotators, and the true values (Q,).

    Args:
        answers: checked table of answers.
        annotators: names of the annotators.

    Raises:
        InputError: if an answer is missing or given twice, or a question has several true values.
    """
    annotator_answers = answers[answers["annotator"].isin(annotators)]
    names_with_answers = set(annotator_answers["annotator"])
    for annotator in annotators:
        if annotator not in names_with_answers:
            raise InputError(
                "cooke.no_annotator",
                "There are no answers of annotator '{annotator}'; the table names {names}.",
                annotator=annotator,
                names=", ".join(sorted(set(answers["annotator"]))) or "-",
            )
    questions = sorted(set(annotator_answers["question"]))
    _check_answer_counts(annotator_answers, annotators, questions)
    _check_true_values(annotator_answers)

    pairs = [(annotator, question) for annotator in annotators for question in questions]
    answers_by_pair = annotator_answers.set_index(["annotator", "question"])
    sorted_answers = answers_by_pair.loc[pairs]
    n_questions = len(questions)
    quantile_rows = sorted_answers[["low", "median", "high"]].to_numpy(float)
    quantiles = quantile_rows.reshape(len(annotators), n_questions, 3)
    # All annotators have the same true values; those of the first one come first.
    true_values = sorted_answers["true_value"].to_numpy(float)[:n_questions]
    return quantiles, true_values


def _check_answer_counts(
    answers: pd.DataFrame, annotators: Sequence[str], questions: Sequence[str]
) -> None:
    """Raise an InputError unless each annotator has one answer to each question.

    Args:
        answers: checked answers of these annotators.
        annotators: names of the annotators.
        questions: all questions.
    """
    counts = answers.groupby(["annotator", "question"]).size()
    for annotator in annotators:
        for question in questions:
            count = int(counts.get((annotator, question), 0))
            if count != 1:
                raise InputError(
                    "cooke.answer_count",
                    "Annotator '{annotator}' has {count} answers to question {question}; each "
                    "annotator must answer each question once.",
                    annotator=annotator,
                    count=count,
                    question=question,
                )


def _check_true_values(answers: pd.DataFrame) -> None:
    """Raise an InputError if a question has several true values.

    Args:
        answers: checked answers of the annotators.
    """
    true_values = answers[["question", "true_value"]].drop_duplicates()
    repeated_questions = true_values["question"][true_values["question"].duplicated()]
    if len(repeated_questions):
        raise InputError(
            "cooke.true_values",
            "Question {question} has several true values. Give each question one.",
            question=repeated_questions.iloc[0],
        )


def _calibration(quantiles: Floats, true_values: Floats) -> Floats:
    """Return the p-value (K,) that the quantiles of each annotator are calibrated.

    Args:
        quantiles: (K, Q, 3) quantiles.
        true_values: (Q,) true values; one that equals a quantile lies below it.
    """
    # (K, Q) bin of each true value: number of quantiles below it.
    bins = (true_values[np.newaxis, :, np.newaxis] > quantiles).sum(axis=2)
    n_annotators, n_questions = bins.shape
    n_bins = len(_BIN_PROBABILITIES)
    # (K, 4) share of the true values in each bin.
    shares = np.empty((n_annotators, n_bins))
    for number in range(n_bins):
        shares[:, number] = (bins == number).mean(axis=1)
    # Divergence of the shares from the expected ones; an empty bin adds nothing.
    ratios = np.where(shares > 0, shares / _BIN_PROBABILITIES, 1.0)
    divergence = (shares * np.log(ratios)).sum(axis=1)
    # The survival function of chi-squared. scipy.stats has it too, but takes half a second to load.
    return cast("Floats", scipy.special.chdtrc(n_bins - 1, 2 * n_questions * divergence))


def _information(quantiles: Floats, true_values: Floats) -> Floats:
    """Return the mean relative information (K,) of the quantiles of each annotator.

    Args:
        quantiles: (K, Q, 3) quantiles.
        true_values: (Q,) true values.
    """
    lowest = np.minimum(quantiles[:, :, 0].min(axis=0), true_values)
    highest = np.maximum(quantiles[:, :, 2].max(axis=0), true_values)
    overshoot = _OVERSHOOT * (highest - lowest)
    # (K, Q) ends of the intrinsic range, which all annotators share.
    lower = np.broadcast_to(lowest - overshoot, quantiles.shape[:2])
    upper = np.broadcast_to(highest + overshoot, quantiles.shape[:2])
    bin_edges = np.concatenate(
        [lower[:, :, np.newaxis], quantiles, upper[:, :, np.newaxis]], axis=2
    )
    density = _BIN_PROBABILITIES / np.diff(bin_edges, axis=2)
    information = np.log(upper - lower) + (_BIN_PROBABILITIES * np.log(density)).sum(axis=2)
    return cast("Floats", information.mean(axis=1))
