"""What mkdocs does besides: smaller pictures, and the sources to cite from where the reports take them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from PIL import Image

#: Where a page wants the entries of resources/sources.bib.
_ENTRIES = "<!-- sources.bib -->"
_PICTURE = re.compile(r"(<img [^>]*src=\"images/\w+)\.png")
_WIDTH = 1000


def on_page_markdown(markdown: str, config: Any, **_: Any) -> str:
    """The page with the BibTeX entries, indented as code."""
    if _ENTRIES not in markdown:
        return markdown
    entries = (Path(config.config_file_path).parent / "resources" / "sources.bib").read_text(
        encoding="utf-8"
    )
    return markdown.replace(_ENTRIES, "".join(f"    {line}\n" for line in entries.splitlines()))


def on_post_page(output: str, **_: Any) -> str:
    """The page without the time it was built at: the zip is the same every time."""
    return re.sub(r"\s*<!--\s*MkDocs version.*?-->", "", output, flags=re.DOTALL)


def on_page_content(html: str, **_: Any) -> str:
    """The page with the smaller pictures."""
    return _PICTURE.sub(r"\1.webp", html)


def on_post_build(config: Any, **_: Any) -> None:
    """Pictures that a page shows as WebP, those that none shows away; the icons' font is for a search there is not."""
    site = Path(config.site_dir)
    shown = {
        name
        for page in site.glob("*.html")
        for name in re.findall(r"images/(\w+)\.webp", page.read_text("utf-8"))
    }
    for path in (site / "images").glob("*.png"):
        if path.stem in shown:
            picture = Image.open(path).convert("RGB")
            picture.thumbnail((_WIDTH, _WIDTH))
            picture.save(path.with_suffix(".webp"), quality=70, method=2)
        path.unlink()
    for font in (site / "webfonts").glob("*.ttf"):
        font.unlink()
    for left in (site / "sitemap.xml", site / "sitemap.xml.gz", site / "404.html"):
        left.unlink(missing_ok=True)
