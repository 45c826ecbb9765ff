"""Reading of XML files of annotations, safely and in the encoding that they are in."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.values import BYTE_ORDER_MARKS, read_first_bytes, read_text

#: Encoding in the XML declaration of a file.
_ENCODING = re.compile(rb"""<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']""")
#: Number of bytes at the beginning of a file in which the XML declaration is searched.
_N_BYTES = 256


@dataclass
class XmlTag:
    """An XML element; names of tags and attributes are without their namespace.

    Attributes:
        name: name of the tag.
        attributes: values of the attributes by name.
        texts: pieces of the text before the first child.
        children: child elements.
    """

    name: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    children: list[XmlTag] = field(default_factory=list)

    def all(self, *names: str) -> list[XmlTag]:
        """Return the descendants at the end of a path of tag names."""
        tags = [self]
        for name in names:
            tags = [child for tag in tags for child in tag.children if child.name == name]
        return tags

    def text(self, *names: str) -> str:
        """Return the text of the first descendant at the end of a path; "" if there is none."""
        tags = self.all(*names)
        return "".join(tags[0].texts) if tags else ""


def detect_encoding(beginning: bytes) -> str:
    """Return the encoding of an XML file from its first bytes.

    A byte order mark, or zeros between the letters, tell more than the declaration: programs write
    "UTF-16" into files that are UTF-8.

    Args:
        beginning: the first bytes of the file.

    >>> detect_encoding(b'<?xml version="1.0" encoding="utf-16"?>')
    'utf-8-sig'
    >>> detect_encoding("<annotation>".encode("utf-16-be"))
    'utf-16-be'
    """
    for mark, encoding in BYTE_ORDER_MARKS:
        if beginning.startswith(mark):
            return encoding
    if beginning[:1] == b"<" and beginning[1:2] == b"\0":
        return "utf-32-le" if beginning[2:4] == b"\0\0" else "utf-16-le"
    if beginning[:4] == b"\0\0\0<":
        return "utf-32-be"
    if beginning[:2] == b"\0<":
        return "utf-16-be"
    # The time of the search grows faster than the number of bytes.
    declaration = _ENCODING.search(beginning[:_N_BYTES])
    encoding = "" if declaration is None else declaration[1].decode("ascii").lower()
    is_wide = encoding.replace("_", "-").startswith(
        ("utf-16", "utf-32", "ucs-", "iso-10646", "unicode")
    )
    return "utf-8-sig" if encoding in ("", "utf-8", "utf8") or is_wide else encoding


def read_xml(path: Path) -> XmlTag:
    """Return the root element of an XML file.

    Document types are passed over. Nothing that they name is fetched, and files that declare
    entities, which may expand to any size, are refused.

    Args:
        path: the file.

    Raises:
        InputError: if the file cannot be read, is not valid XML or declares entities.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "plot.xml"
    ...     _ = path.write_text('<annotation><size width="4"/></annotation>')
    ...     read_xml(path).all("size")[0].attributes["width"]
    '4'
    """
    elements = _OpenElements()

    def refuse_entity(*_: object) -> None:
        raise InputError(
            "voc.entities",
            "{path} declares entities, which no file of annotations needs; remove them.",
            path=path.name,
        )

    encoding = detect_encoding(read_first_bytes(path, _N_BYTES))
    parser = expat.ParserCreate()
    parser.StartElementHandler = elements.start_element
    parser.EndElementHandler = elements.end_element
    parser.CharacterDataHandler = elements.add_text
    parser.SkippedEntityHandler = elements.add_named_character
    parser.EntityDeclHandler = refuse_entity
    parser.UnparsedEntityDeclHandler = refuse_entity
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    try:
        parser.Parse(read_text(path, encoding).lstrip("\ufeff"), True)
    except expat.ExpatError as error:
        raise InputError(
            "voc.incomplete",
            "{path} is not a complete XML file: it ends early or is wrong in line {line}, "
            "column {column}; get it again from its source.",
            path=path.name,
            line=error.lineno,
            column=error.offset + 1,
        ) from error
    return elements.root


class _OpenElements:
    """Elements of an XML file that the parser has begun but not ended."""

    def __init__(self) -> None:
        # From the outside; the first one contains the root.
        self._tags = [XmlTag("")]

    @property
    def root(self) -> XmlTag:
        """Root element of a file that is parsed to its end."""
        return self._tags[0].children[0]

    def start_element(self, name: str, attributes: dict[str, str]) -> None:
        """Begin an element within the innermost one; prefixes of namespaces are dropped."""
        plain_attributes = {key.rpartition(":")[2]: value for key, value in attributes.items()}
        tag = XmlTag(name.rpartition(":")[2], plain_attributes)
        self._tags[-1].children.append(tag)
        self._tags.append(tag)

    def end_element(self, _: str) -> None:
        """End the innermost element."""
        self._tags.pop()

    def add_text(self, text: str) -> None:
        """Add text to the innermost element, unless it has elements of its own already."""
        if not self._tags[-1].children:
            self._tags[-1].texts.append(text)

    def add_named_character(self, name: str, _: object) -> None:
        """Add a character such as &auml;, which a document type that is not fetched declares."""
        self.add_text(html.unescape(f"&{name};"))
