"""Hooks of mkdocs for the user's guide: formulas, docstrings, images, references and search.

mkdocs calls the functions ``on_...``; mkdocstrings loads :class:`Docstrings` as an extension of
griffe.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import griffe
from latex2mathml.converter import convert
from markdown import Extension, Markdown
from markdown.inlinepatterns import InlineProcessor
from mkdocs.plugins import event_priority
from PIL import Image

#: Marker in a page that the entries of resources/sources.bib replace.
_REFERENCES_MARKER = "<!-- sources.bib -->"
#: An image element up to the file's extension (group 1).
_PNG_IMAGE = re.compile(r"(<img [^>]*src=\"images/\w+)\.png")
#: Maximum width and height of an image, pixels.
_MAX_SIDE = 1000
#: Priority between code (190) and escaped characters (180): code keeps its backslashes.
_FORMULA_PRIORITY = 185
#: Cross-reference in a docstring, such as :func:`score_pairs`; group 1 is the name.
_ROLE = re.compile(r":(?:attr|class|data|exc|func|meth|mod|obj):`~?([^`]+)`")
#: Example in a docstring, from a prompt to the next empty line; group 1 is the indentation.
_EXAMPLE = re.compile(r"(?m)^( *)>>> .*(?:\n *\S.*)*")
#: Folder with copies of the packages that the API pages document; deleted at exit.
_PACKAGES = tempfile.TemporaryDirectory(prefix="guide-")
#: Opening tag of the source code of a function on an API page.
_SOURCE = '<details class="quote">'
#: Parts of a page whose white space counts.
_VERBATIM = re.compile(r"<(pre|script|style|textarea)\b.*?</\1>", re.DOTALL)
#: End of a line with the empty lines and the indentation that follow.
_INDENTATION = re.compile(r"[ \t]*\n\s*")
#: Files of the theme and of mkdocs that no page uses.
_UNUSED = (
    "404.html",
    "sitemap.xml",
    "sitemap.xml.gz",
    "assets/javascripts/lunr",
    "assets/**/*.map",
    "search/search_index.json",  # pages of files read search_index.js
)
#: Replacement for web workers, which browsers refuse for file://. The script runs in a frame.
_FRAME_WORKER = """\
class IFrameWorker extends EventTarget {
  constructor(url) {
    super();
    const frame = document.createElement("iframe");
    frame.hidden = true;
    document.body.append(frame);
    this.scope = frame.contentWindow;
    this.ready = new Promise((resolve) => { this.scope.resolve = resolve; });
    addEventListener("message", ({ source, data }) => {
      if (source === this.scope) this.dispatchEvent(new MessageEvent("message", { data }));
    });
    this.scope.document.open();
    this.scope.document.write(
      `<script>postMessage = (data) => parent.postMessage(data, "*");<\\/script>` +
      `<script src="${url}" onload="resolve()"><\\/script>`
    );
    this.scope.document.close();
  }
  postMessage(message) {
    const data = structuredClone(message);
    this.ready.then(() => this.scope.dispatchEvent(new MessageEvent("message", { data })));
  }
}
if (location.protocol === "file:") window.Worker = IFrameWorker;
"""


class _Formula(InlineProcessor):
    """Markdown processor that replaces a formula by MathML."""

    def __init__(self, pattern: str, md: Markdown, display: str) -> None:
        super().__init__(pattern, md)
        self._display = display

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[str, int, int]:  # noqa: N802
        """Return the placeholder of the MathML, and start and end of the formula."""
        mathml = convert(m[1].strip(), display=self._display)
        return self.md.htmlStash.store(mathml), m.start(0), m.end(0)


class Formulas(Extension):
    r"""Markdown extension for LaTeX between \( and \), or between $$ and $$ in a paragraph."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Register the processors of formulas."""
        for name, pattern, display in (
            ("inline-formula", r"\\\((.+?)\\\)", "inline"),
            ("formula", r"\$\$(.+?)\$\$", "block"),
        ):
            processor = _Formula(pattern, md, display)
            md.inlinePatterns.register(processor, name, _FORMULA_PRIORITY)


class Docstrings(griffe.Extension):
    """Griffe extension that converts docstrings to Markdown.

    Examples become code blocks, roles become cross-references, and comments ``#:`` of an attribute
    become its docstring.
    """

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Convert all docstrings of a package."""
        for member in _members(pkg):
            if member.is_class:
                # Without a line, no source is shown, which would contain private methods. Public
                # methods show their own.
                member.lineno = None
            comment = _attribute_comment(member)
            if member.docstring is None and comment:
                member.docstring = griffe.Docstring(comment, parent=member)
            if member.docstring is not None:
                member.docstring.value = _as_markdown(member.docstring.value, member)


def _members(parent: griffe.Object) -> Iterator[griffe.Object]:
    """Yield an object and all objects that are defined in it."""
    yield parent
    for member in parent.members.values():
        if isinstance(member, griffe.Object):
            yield from _members(member)


def _attribute_comment(attribute: griffe.Object) -> str:
    """Return the comment ``#:`` before an attribute, or "" if there is none."""
    path = attribute.filepath
    if not attribute.is_attribute or attribute.lineno is None or isinstance(path, list):
        return ""
    lines = attribute.lines_collection[path]
    comment: list[str] = []
    for line in reversed(lines[: attribute.lineno - 1]):
        if not line.lstrip().startswith("#:"):
            break
        comment.insert(0, line.lstrip()[2:].strip())
    return "\n".join(comment)


def _as_markdown(docstring: str, scope: griffe.Object) -> str:
    """Return a docstring with examples as code blocks and roles as cross-references.

    Args:
        docstring: text with Sphinx roles.
        scope: documented object, in which the names of roles are resolved.
    """

    def reference(role: re.Match[str]) -> str:
        name = role[1]
        try:
            path = name if name.startswith("randcrowns.") else scope.resolve(name)
        except griffe.NameResolutionError:
            return f"`{name}`"
        last_name = name.rpartition(".")[2]
        return f'<autoref optional identifier="{path}"><code>{last_name}</code></autoref>'

    examples = _EXAMPLE.sub(r"\1```pycon\n\g<0>\n\1```", docstring)
    return _ROLE.sub(reference, examples)


@event_priority(100)  # before mkdocstrings reads its paths
def on_config(config: Any, **_: Any) -> Any:
    """Register the formulas, and copy the packages under the name by which they are imported.

    The checkout may have any name. A website, which is not read offline, has a list of versions.
    """
    if not config.plugins["material/offline"].config.enabled:
        config.extra["version"] = {"provider": "mike"}
    config.markdown_extensions.append(Formulas())
    root = Path(config.config_file_path).parent
    package = Path(_PACKAGES.name) / "randcrowns"
    shutil.rmtree(package, ignore_errors=True)
    for name in ("core", "batch", "jobs"):
        shutil.copytree(root / name, package / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("__init__.py", "plotting.py"):
        shutil.copy(root / name, package)
    config.plugins["mkdocstrings"].config.handlers["python"]["paths"] = [_PACKAGES.name]
    return config


def on_page_markdown(markdown: str, config: Any, **_: Any) -> str:
    """Return the page with the BibTeX entries in place of the marker, indented as code."""
    if _REFERENCES_MARKER not in markdown:
        return markdown
    path = Path(config.config_file_path).parent / "resources" / "sources.bib"
    lines = path.read_text(encoding="utf-8").splitlines()
    return markdown.replace(_REFERENCES_MARKER, "".join(f"    {line}\n" for line in lines))


def on_page_content(html: str, **_: Any) -> str:
    """Return the page with WebP images, and with source code excluded from the search."""
    html = html.replace(_SOURCE, _SOURCE[:-1] + " data-search-exclude>")
    return _PNG_IMAGE.sub(r"\1.webp", html)


def on_post_page(output: str, **_: Any) -> str:
    """Remove the indentation of a page's HTML, a tenth of the API pages."""
    parts = []
    end = 0
    for verbatim in _VERBATIM.finditer(output):
        parts.append(_INDENTATION.sub("\n", output[end : verbatim.start()]))
        parts.append(verbatim.group())
        end = verbatim.end()
    parts.append(_INDENTATION.sub("\n", output[end:]))
    return "".join(parts)


@event_priority(-200)  # after the theme's plugins
def on_post_build(config: Any, **_: Any) -> None:
    """Convert the images of the pages to WebP, write the worker and remove unused files."""
    site = Path(config.site_dir)
    used_images: set[str] = set()
    for page in site.glob("*.html"):
        used_images.update(re.findall(r"images/(\w+)\.webp", page.read_text("utf-8")))
    for path in (site / "images").glob("*.png"):
        if path.stem in used_images:
            image = Image.open(path).convert("RGB")
            image.thumbnail((_MAX_SIDE, _MAX_SIDE))
            image.save(path.with_suffix(".webp"), quality=70, method=4)
        path.unlink()
    (site / "assets" / "iframe-worker.js").write_text(_FRAME_WORKER, encoding="utf-8")
    for path in [path for pattern in _UNUSED for path in site.glob(pattern)]:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
