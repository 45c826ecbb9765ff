"""Hooks of mkdocs for the user's guide: smaller images and the list of references."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from PIL import Image

#: Marker in a page that the entries of resources/sources.bib replace.
_REFERENCES_MARKER = "<!-- sources.bib -->"
#: An image element up to the file's extension (group 1).
_PNG_IMAGE = re.compile(r"(<img [^>]*src=\"images/\w+)\.png")
#: Maximum width and height of an image, pixels.
_MAX_SIDE = 1000


def on_page_markdown(markdown: str, config: Any, **_: Any) -> str:
    """Return the page with the BibTeX entries in place of the marker, indented as code."""
    if _REFERENCES_MARKER not in markdown:
        return markdown
    path = Path(config.config_file_path).parent / "resources" / "sources.bib"
    lines = path.read_text(encoding="utf-8").splitlines()
    return markdown.replace(_REFERENCES_MARKER, "".join(f"    {line}\n" for line in lines))


def on_post_page(output: str, **_: Any) -> str:
    """Return the page without its build time, so that a commit always gives the same pages."""
    return re.sub(r"\s*<!--\s*MkDocs version.*?-->", "", output, flags=re.DOTALL)


def on_page_content(html: str, **_: Any) -> str:
    """Return the page with WebP images in place of PNG images."""
    return _PNG_IMAGE.sub(r"\1.webp", html)


def on_post_build(config: Any, **_: Any) -> None:
    """Convert the images of the pages to WebP and remove files that no page uses.

    These are all PNG images, the fonts of the icons, which only a search would show, the site map
    and the error page.
    """
    site = Path(config.site_dir)
    used_images: set[str] = set()
    for page in site.glob("*.html"):
        used_images.update(re.findall(r"images/(\w+)\.webp", page.read_text("utf-8")))
    for path in (site / "images").glob("*.png"):
        if path.stem in used_images:
            image = Image.open(path).convert("RGB")
            image.thumbnail((_MAX_SIDE, _MAX_SIDE))
            image.save(path.with_suffix(".webp"), quality=70, method=2)
        path.unlink()
    for font in (site / "webfonts").glob("*.ttf"):
        font.unlink()
    for name in ("sitemap.xml", "sitemap.xml.gz", "404.html"):
        (site / name).unlink(missing_ok=True)
