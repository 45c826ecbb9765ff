"""Write the map tips of the declared columns into the QML files of the styles: ``make styles``."""

from __future__ import annotations

import re
from pathlib import Path

from randcrowns.algorithms.instances.schema import map_tips as instance_tips
from randcrowns.algorithms.scoring.schema import map_tips as scoring_tips
from randcrowns.layers.styles.styles import escape_values

RESOURCES = Path(__file__).resolve().parents[1] / "resources"
#: Map tip of each style, by the name of the QML file.
MAP_TIPS = {**scoring_tips.MAP_TIPS, **instance_tips.MAP_TIPS}
#: Map tip in a QML file.
MAP_TIP = re.compile(r"(?<=<mapTip>).*?(?=</mapTip>)", re.DOTALL)


def with_map_tip(style: str, template: str) -> str:
    """Return the text of a QML file with another map tip.

    Args:
        style: text of the file, which has a map tip.
        template: HTML with QGIS expressions, whose values are escaped here.
    """
    # QGIS writes a map tip with these two characters escaped only.
    text = escape_values(template).replace("&", "&amp;").replace("<", "&lt;")
    return MAP_TIP.sub(lambda _old: text, style)


def main() -> None:
    """Write the map tips and print the paths of the files that have changed."""
    for name, template in MAP_TIPS.items():
        path = RESOURCES / f"{name}.qml"
        old = path.read_text(encoding="utf-8")
        new = with_map_tip(old, template)
        if new != old:
            path.write_text(new, encoding="utf-8")
            print(path)


if __name__ == "__main__":
    main()
