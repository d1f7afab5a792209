"""Pages in a browser: what opens them and notes their complaints."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = (
    "--no-sandbox --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
).split()


def launched(*arguments: str) -> Iterator[Any]:
    """A browser, for a fixture; the tests are skipped where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no chromium on this machine")
    with api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *arguments])
        yield running
        running.close()


class Shown:
    """A page in the browser, and what it complained of."""

    def __init__(
        self, browser: Any, content: str, folder: Path, address: str, before: str = "", **context: Any
    ) -> None:
        """``address`` is what follows the name of the file, ``before`` a script that runs first."""
        file = folder / "page.html"
        file.write_text(content, encoding="utf-8")
        viewport = context.pop("viewport", {"width": 640, "height": 360})
        self.context = browser.new_context(viewport=viewport, **context)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        self.page.on("request", self._note_request)
        if before:
            self.page.add_init_script(before)
        self.page.goto(f"{file.as_uri()}{address}")

    def _note_request(self, request: Any) -> None:
        if not request.url.startswith(("file:", "blob:")):
            self.complaints.append(f"asked for {request.url}")

    def run(self, script: str, argument: Any = None) -> Any:
        return self.page.evaluate(script, argument)

    def until(self, script: str) -> None:
        """Wait until something holds; the policy of pages forbids Playwright's own way."""
        for _ in range(400):
            if self.run(script):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"this never came true: {script}")

    def picture(self) -> str:
        """The pixels of the picture."""
        return str(self.run("document.getElementById('picture').toDataURL()"))
