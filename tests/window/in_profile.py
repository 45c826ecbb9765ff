"""Run within QGIS by ``--code``: installs the plugin from a zip as its manager does, uses,
updates and uninstalls it.

RANDCROWNS_ZIPS: the zips to install, one after the other, with ``:`` between.
"""

import os
import sys
from pathlib import Path

from qgis.core import QgsApplication, QgsProject
from qgis.utils import iface, pluginMetadata, plugins
from window.session import FOUND, finish, later, layer

FOUND.update({"versions": [], "rows": [], "offered": "", "installed": ""})
ZIPS = os.environ["RANDCROWNS_ZIPS"].split(":")


def folder():
    return Path(QgsApplication.qgisSettingsDirPath(), "python", "plugins", "randcrowns")


def manager():
    import pyplugin_installer  # not above: it looks where plugins are kept when it is imported

    return pyplugin_installer.instance()


def plugin():
    return plugins["randcrowns"]


def install():
    manager().installFromZipFile(ZIPS.pop(0))
    FOUND["versions"].append(pluginMetadata("randcrowns", "version"))
    FOUND["files"] = sorted(path.name for path in folder().iterdir())
    FOUND["at start"] = sorted({"shapely", "pandas", "scipy"} & set(sys.modules))
    plugin().toggle_panel(True)
    dialog = plugin().libraries_dialog
    if dialog is None:
        later(lambda: plugin().dock is not None, use, 60)
        return
    FOUND["offered"] = dialog.way.line
    dialog.ended.connect(
        lambda usable: FOUND.update(installed=dialog.said.text(), log=dialog.log.toPlainText())
    )
    dialog.install_button.click()
    later(lambda: plugin().dock is not None or FOUND["installed"], installed, 560)


def installed():
    if plugin().dock is None:
        raise RuntimeError(FOUND["installed"] + FOUND["log"][-3000:])
    use()


def use():
    QgsProject.instance().clear()
    plugin().load_sample_data()
    page = plugin().dock.show_page("score")
    page.form.target_picker.select_layer(layer("annotator_1").id())
    page.form.delineation_list.check_layers((layer("annotator_2").id(),))
    page.start()
    later(lambda: page.run is None and not page.results.isHidden(), scored, 120)


def scored():
    page = plugin().dock.page
    FOUND["rows"].append(len(page.results.displayed_scores().crowns))
    if ZIPS:
        install()
        return
    manager().uninstallPlugin("randcrowns", quiet=True)
    later(lambda: "randcrowns" not in plugins, gone, 30)


def gone():
    FOUND["left"] = folder().exists()
    FOUND["provider left"] = (
        QgsApplication.processingRegistry().providerById("randcrowns") is not None
    )
    FOUND["actions left"] = [
        one.objectName() for one in iface.pluginMenu().actions() if "randc" in one.objectName()
    ]
    finish()


later(lambda: iface is not None and "processing" in plugins, install, 60)
