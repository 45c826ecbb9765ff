"""Firefox without a window, driven by its own protocol (WebDriver BiDi)."""

from __future__ import annotations

import itertools
import json
import math
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from support.browser import TIMEOUT, wait_until

#: Names of the program.
_PROGRAMS = ("firefox", "firefox-esr")
#: Settings that save downloads without a question and stop requests of the browser itself.
_SETTINGS = {
    "browser.download.folderList": 2,
    "browser.download.alwaysOpenPanel": False,
    "browser.helperApps.neverAsk.saveToDisk": "application/json,text/csv",
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.server": "",
}
#: Codes of keys that are no characters.
_KEYS = {
    "ArrowDown": "\ue015",
    "ArrowLeft": "\ue012",
    "ArrowRight": "\ue014",
    "ArrowUp": "\ue013",
    "End": "\ue010",
    "Home": "\ue011",
}
#: Numbers that JSON cannot hold.
_NUMBERS = {"NaN": math.nan, "-0": -0.0, "Infinity": math.inf, "-Infinity": -math.inf}


class Firefox:
    """A running Firefox with one page; its methods are those of ``support.browser.Browser``.

    Args:
        folder: folder for the profile and the downloads.
    """

    def __init__(self, folder):
        program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
        if program is None:
            pytest.skip("there is no firefox to open the page")
        websocket = pytest.importorskip("websocket")
        self.downloads = Path(folder) / "downloads"
        self.downloads.mkdir()
        profile = Path(tempfile.mkdtemp(dir=folder))
        settings = {**_SETTINGS, "browser.download.dir": str(self.downloads)}
        (profile / "user.js").write_text(
            "".join(
                f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
                for name, value in settings.items()
            ),
            encoding="utf-8",
        )
        self._process = subprocess.Popen(
            [
                program,
                "--headless",
                "--no-remote",
                "--width=1280",
                "--height=800",
                "--remote-debugging-port=0",
                "--profile",
                str(profile),
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._numbers = itertools.count(1)
        self.events = []
        server = profile / "WebDriverBiDiServer.json"
        wait_until(lambda: server.exists() and server.read_text().strip())
        address = json.loads(server.read_text())
        self._socket = websocket.create_connection(
            f"ws://{address['ws_host']}:{address['ws_port']}/session",
            timeout=TIMEOUT,
            suppress_origin=True,
        )
        self.send("session.new", capabilities={})
        # A new tab has the focus, in the first one the address bar has it.
        self._page = self.send("browsingContext.create", type="tab")["context"]
        self.send("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        size = {"width": 1280, "height": 800}
        self.send("browsingContext.setViewport", context=self._page, viewport=size)

    def send(self, method, **parameters):
        """Send a command and return its result; events that come in between are kept."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.recv())
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]
            self.events.append(answer)

    def run(self, script):
        """Run JavaScript in the page and return its value; promises are awaited."""
        answer = self.send(
            "script.evaluate",
            expression=script,
            target={"context": self._page},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        return _python_value(answer["result"])

    def open(self, path):
        """Open a page to explore and wait until it is ready."""
        self.events.clear()
        self.send(
            "browsingContext.navigate",
            context=self._page,
            url=Path(path).as_uri(),
            wait="complete",
        )
        wait_until(lambda: self.run("document.documentElement.dataset.ready ?? ''"))
        self.settle()

    def settle(self):
        """Wait until all tiles of the map are drawn."""
        waiting = "window.Explore?.page?.crownMap?.tiles.waiting.size ?? 0"
        wait_until(lambda: self.run(waiting) == 0)
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def _act(self, kind, *actions, **more):
        """Perform actions of an input device and release everything that is pressed."""
        device = {"type": kind, "id": kind, "actions": list(actions), **more}
        self.send("input.performActions", context=self._page, actions=[device])
        self.send("input.releaseActions", context=self._page)

    def click(self, x, y):
        """Click at a point of the window."""
        self.drag((x, y), (x, y))

    def drag(self, start, end):
        """Drag the mouse from a point of the window to another."""
        steps = [[round(a + (b - a) * step / 10) for a, b in zip(start, end)] for step in range(11)]
        moves = [{"type": "pointerMove", "x": x, "y": y} for x, y in steps]
        self._act(
            "pointer",
            moves[0],
            {"type": "pointerDown", "button": 0},
            *(moves[1:] if start != end else ()),
            {"type": "pointerUp", "button": 0},
        )

    def wheel(self, x, y, distance):
        """Turn the wheel at a point of the window; negative distances turn it forwards."""
        self._act("wheel", {"type": "scroll", "x": x, "y": y, "deltaX": 0, "deltaY": distance})

    def press(self, key, text=""):
        """Press and release a key; Firefox derives its text from the key."""
        value = _KEYS.get(key, text or key)
        self._act("key", {"type": "keyDown", "value": value}, {"type": "keyUp", "value": value})

    def downloaded(self):
        """Return the only downloaded file."""
        wait_until(
            lambda: (
                [*self.downloads.iterdir()]
                and not [*self.downloads.glob("*.part")]
                and all(file.stat().st_size for file in self.downloads.iterdir())
            )
        )
        (file,) = self.downloads.iterdir()
        return file

    def faults(self):
        """Return the errors, warnings and other entries of the console since a page was opened."""
        self.run("1")
        return [event for event in self.events if event.get("method") == "log.entryAdded"]

    def requests(self):
        """Return the addresses that the page has requested, except its own and its own data."""
        own = self.run("location.href")
        addresses = [
            event["params"]["request"]["url"]
            for event in self.events
            if event.get("method") == "network.beforeRequestSent"
        ]
        return [one for one in addresses if one != own and not one.startswith(("data:", "blob:"))]

    def close(self):
        """End the browser."""
        self._socket.close()
        self._process.terminate()
        self._process.wait(TIMEOUT)


def _python_value(value):
    """Return a value of the protocol as that of Python that JSON would contain."""
    kind, content = value["type"], value.get("value")
    if kind == "array":
        return [_python_value(one) for one in content]
    if kind == "object":
        return {name: _python_value(one) for name, one in content}
    if kind == "number" and isinstance(content, str):
        return _NUMBERS[content]
    return content
