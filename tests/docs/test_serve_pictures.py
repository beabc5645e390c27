"""The pictures of `pincite serve`: each that a page shows is there, described, and each that is there is shown."""

from __future__ import annotations

import json
import re
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
IMAGES = TOP / "docs/assets"
SHOWN = re.compile(r"!\[([^\]]*)\]\(\.\./assets/(serve-[\w-]+)\.png\)")


def test_every_picture_is_shown_and_described() -> None:
    shown = [
        (name, words)
        for path in (TOP / "docs").rglob("*.md")
        for words, name in SHOWN.findall(path.read_text(encoding="utf-8"))
    ]
    assert all(len(words) > 20 for _, words in shown)
    recorded = json.loads((IMAGES / "serve.json").read_text(encoding="utf-8"))
    assert {name for name, _ in shown} == set(recorded) == {path.stem for path in IMAGES.glob("serve-*.png")}


def test_pictures_stay_small() -> None:
    assert sum(path.stat().st_size for path in IMAGES.glob("serve-*.png")) < 2_000_000
