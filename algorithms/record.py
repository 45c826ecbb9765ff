"""How a run was made, in words: what every choice says, its layers, versions and time; told the same way everywhere."""

from __future__ import annotations

import configparser
import functools
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any

import shapely
from qgis.core import Qgis, QgsMapLayer, QgsVectorLayer

from randcrowns.algorithms.choice import Choice, Given
from randcrowns.algorithms.output import Value
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

#: The record among the outputs of every algorithm, as :meth:`Record.to_json` writes it.
RECORD = Value("MADE", tr("How it was made (JSON)"), text=True)
#: Beginning of the names of its columns.
_FIELD = "made_"
#: Custom layer property with the record, as :meth:`Record.to_json` writes it.
_PROPERTY = "randcrowns/made"
_METADATA = Path(__file__).resolve().parents[1] / "metadata.txt"


@dataclass(frozen=True)
class Entry:
    """A line of a record: the name of a choice, its label, and its value as words.

    ``usual`` is true of a rarely needed choice that has its default.
    """

    name: str
    label: str
    words: str
    usual: bool = False


@dataclass(frozen=True)
class Record:
    """How a run was made.

    Attributes:
        title: what was run with which layers, for the group of its layers: ``field vs boxes, Image boxes, 17:09:41``.
        entries: algorithm, versions and time, then every choice in the order of the dialog.
    """

    title: str
    entries: tuple[Entry, ...]

    @classmethod
    def of(cls, given: Given, parties: Sequence[Choice[Any]], told_apart_by: Sequence[Choice[Any]]) -> Record:
        """The record of a run that begins now, about ``parties``; on the main thread."""
        now, left_out = datetime.now().astimezone(), Given(given.algorithm, {}, given.context)
        run = (
            Entry("algorithm", tr("Algorithm"), given.algorithm.label),
            Entry("version", tr("Version"), versions()),
            Entry("time", tr("Time"), now.isoformat(" ", "seconds")),
        )
        chosen = [
            Entry(choice.name, choice.label or choice.name, words, choice.advanced and words == choice.words(left_out))
            for choice in given.algorithm.choices
            for words in [choice.words(given)]
        ]
        sides = tr(" vs ").join(choice.short(given) for choice in parties if choice in given)
        others = [choice.short(given) for choice in told_apart_by] or [given.algorithm.label]
        title = ", ".join(filter(None, [sides, *others, f"{now:%H:%M:%S}"]))
        return cls(title, (*run, *chosen))

    @property
    def text(self) -> str:
        """A line per entry."""
        return "\n".join(f"{entry.label}: {entry.words}" for entry in self.entries)

    @property
    def line(self) -> str:
        """All in one line but what is rarely needed and has its default."""
        return " · ".join(f"{entry.label}: {entry.words}" for entry in self.entries if not entry.usual)

    def words_of(self, name: str) -> str:
        """What the choice of that name says; empty where there is no such choice."""
        return next((entry.words for entry in self.entries if entry.name == name), "")

    def to_json(self) -> str:
        """As text that :meth:`from_json` reads again."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Record:
        """The record in a text."""
        found = json.loads(text)
        return cls(found["title"], tuple(Entry(**entry) for entry in found["entries"]))

    def add_to(self, table: FeatureTable) -> None:
        """Add a column per entry, with the same words in every row."""
        said = tr("How the run was made.")
        for entry in self.entries:
            table.add(_FIELD + entry.name, [entry.words] * len(table), said, "text", entry.label)

    def describe(self, layer: QgsMapLayer) -> None:
        """Say in the metadata of a layer how it was made."""
        metadata = layer.metadata()
        # QGIS shows these as HTML.
        metadata.setTitle(escape(layer.name(), quote=False))
        metadata.setAbstract(escape(self.text, quote=False))
        metadata.setHistory([escape(self.line, quote=False)])
        metadata.setCrs(layer.crs())
        layer.setMetadata(metadata)
        layer.setCustomProperty(_PROPERTY, self.to_json())
        if isinstance(layer, QgsVectorLayer):
            for entry in self.entries:
                layer.setFieldAlias(layer.fields().lookupField(_FIELD + entry.name), entry.label)

    def keep(self, place: str) -> None:
        """Say so in the GeoPackage that a table was written into, while its other layers are kept open."""
        path, _, table = place.partition("|layername=")
        if path.lower().endswith(".gpkg"):
            layer = QgsVectorLayer(f"{path}|layername={table or Path(path).stem}", table or Path(path).stem, "ogr")
            self.describe(layer)
            layer.saveDefaultMetadata()


def record_of(layer: QgsMapLayer) -> Record | None:
    """How a layer was made; None where its properties do not tell."""
    try:
        return Record.from_json(str(layer.customProperty(_PROPERTY) or ""))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


@functools.cache
def versions() -> str:
    """Of the plugin and of what it computes with."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(_METADATA, encoding="utf-8")
    ours = parser.get("general", "version", fallback="?")
    return f"RandCrowns {ours}, QGIS {Qgis.QGIS_VERSION.partition('-')[0]}, GEOS {shapely.geos_version_string}"
