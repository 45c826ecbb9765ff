"""Chromium without a window, driven by its own protocol (Chrome DevTools Protocol)."""

from __future__ import annotations

import base64
import itertools
import json
import shutil
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

import pytest

#: Names of the program.
_PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
#: Maximum time for anything that the browser does, seconds.
TIMEOUT = 60
#: Kinds of events that a faultless page does not cause.
_FAULTS = ("Runtime.exceptionThrown", "Log.entryAdded")


class PageLeftError(Exception):
    """The page of a command was replaced by another one before the command ended."""


class Browser:
    """A running Chromium with one page.

    Args:
        folder: folder for the profile and the downloads.
    """

    def __init__(self, folder):
        program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
        if program is None:
            pytest.skip("there is no chromium to open the page")
        websocket = pytest.importorskip("websocket")
        self.downloads = Path(folder) / "downloads"
        self.downloads.mkdir()
        profile = tempfile.mkdtemp(dir=folder)
        self._process = subprocess.Popen(
            [
                program,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--remote-allow-origins=*",
                f"--user-data-dir={profile}",
                "--window-size=1280,800",
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._numbers = itertools.count(1)
        self.events = []
        address = self._page_address(Path(profile) / "DevToolsActivePort")
        self._socket = websocket.create_connection(address, timeout=TIMEOUT)
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")
        self.send("Page.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))

    def _page_address(self, port_file):
        """Return the address of the page's socket as soon as the browser has written its port."""
        wait_until(lambda: port_file.exists() and port_file.read_text().strip())
        port = port_file.read_text().split()[0]

        def pages():
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=TIMEOUT) as answer:
                return [target for target in json.load(answer) if target["type"] == "page"]

        wait_until(pages)
        return pages()[0]["webSocketDebuggerUrl"]

    def send(self, method, **parameters):
        """Send a command and return its result; events that come in between are kept."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.recv())
            if answer.get("id") == number:
                if "navigated" in answer.get("error", {}).get("message", ""):
                    raise PageLeftError
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def run(self, script):
        """Run JavaScript in the page and return its value; promises are awaited."""
        answer = self.send(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def open(self, path):
        """Open a page to explore and wait until it is ready."""
        self.events.clear()
        self.send("Page.navigate", url=Path(path).as_uri())
        wait_until(self._is_ready)
        self.settle()

    def _is_ready(self):
        """Return True if the page that is being opened is ready."""
        try:
            return self.run("document.documentElement?.dataset.ready ?? ''")
        except PageLeftError:
            return False

    def settle(self):
        """Wait until all tiles of the map are drawn."""
        waiting = "window.Explore?.page?.crownMap?.tiles.waiting.size ?? 0"
        wait_until(lambda: self.run(waiting) == 0)
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def click(self, x, y):
        """Click at a point of the window."""
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def drag(self, start, end):
        """Drag the mouse from a point of the window to another."""
        (x, y), (end_x, end_y) = start, end
        self.send(
            "Input.dispatchMouseEvent",
            type="mousePressed",
            x=x,
            y=y,
            button="left",
            buttons=1,
            clickCount=1,
        )
        for step in range(1, 11):
            at = {"x": x + (end_x - x) * step / 10, "y": y + (end_y - y) * step / 10}
            self.send("Input.dispatchMouseEvent", type="mouseMoved", button="left", buttons=1, **at)
        self.send(
            "Input.dispatchMouseEvent",
            type="mouseReleased",
            x=end_x,
            y=end_y,
            button="left",
            clickCount=1,
        )

    def wheel(self, x, y, distance):
        """Turn the wheel at a point of the window; negative distances turn it forwards."""
        at = {"x": x, "y": y, "deltaX": 0, "deltaY": distance}
        self.send("Input.dispatchMouseEvent", type="mouseWheel", **at)

    def press(self, key, text=""):
        """Press and release a key."""
        codes = {"ArrowDown": 40, "ArrowUp": 38, "ArrowRight": 39, "End": 35, "Home": 36}
        code = codes.get(key, ord(key.upper()) if len(key) == 1 else 0)
        parameters = {"key": key, "windowsVirtualKeyCode": code, "code": key}
        self.send("Input.dispatchKeyEvent", type="keyDown", text=text, **parameters)
        self.send("Input.dispatchKeyEvent", type="keyUp", **parameters)

    def downloaded(self):
        """Return the only downloaded file."""
        wait_until(
            lambda: [*self.downloads.iterdir()] and not [*self.downloads.glob("*.crdownload")]
        )
        (file,) = self.downloads.iterdir()
        return file

    def faults(self):
        """Return the errors and warnings of the page since it was opened."""
        self.run("1")
        return [event for event in self.events if event["method"] in _FAULTS]

    def requests(self):
        """Return the addresses that the page has requested, except its own and its own data."""
        addresses = [
            event["params"]["request"]["url"]
            for event in self.events
            if event["method"] == "Network.requestWillBeSent"
        ]
        return [one for one in addresses if not one.startswith(("data:", "blob:"))][1:]

    def save_picture(self, path):
        """Save what a window of 1120 by 760 pixels shows as PNG, once everything is drawn."""
        size = {"width": 1120, "height": 760, "deviceScaleFactor": 1, "mobile": False}
        self.send("Emulation.setDeviceMetricsOverride", **size)
        self.settle()
        self.run("new Promise((done) => setTimeout(done, 500))")
        picture = self.send("Page.captureScreenshot")["data"]
        Path(path).write_bytes(base64.b64decode(picture))

    def close(self):
        """End the browser."""
        self._socket.close()
        self._process.terminate()
        self._process.wait(TIMEOUT)


def wait_until(condition):
    """Wait until a condition holds."""
    end = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < end, "the browser did not do it in time"
        time.sleep(0.02)
