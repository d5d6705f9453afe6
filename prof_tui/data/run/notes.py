"""What the collector noted beside its raw data: ``info.json``, ``sample.json``, start and end.

The texts are for the user and never paths to follow; ``app_dir``, ``result_dir`` and ``mac`` are not
read (quirks.md 48).
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from prof_tui.data.capture.options import SWITCHES
from prof_tui.data.tables.task_types import CUBE, VECTOR

_LARGEST = 1 << 20
"""Bytes; real ones have 3 kB."""

CHIPS = {
    "0": "Ascend 310",
    "1": "Ascend 910",
    "4": "Ascend 310P",
    "5": "Ascend 910B series",
    "7": "Ascend 310B",
}
"""``platform_version`` of info.json, as the collector's platform types and their counter frequencies say."""

_LEVEL = re.compile(r"^(?:level|l)(\d)$")


@dataclass(frozen=True)
class DeviceFacts:
    """One device; None and an empty text where info.json doesn't say."""

    device: int
    chip: str
    ai_cores: int | None
    vector_cores: int | None
    """0 where vector work runs on AI Core itself."""
    ai_cpus: int | None
    ai_core_mhz: int | None


@dataclass(frozen=True)
class Collection:
    """How the run was collected."""

    level: str
    """``l0``, ``l1``, ``l2``; empty where sample.json doesn't say."""
    aic_metrics: str
    """The metrics group of AI Core; empty where it was not collected."""
    switches: tuple[str, ...]
    """The options of msprof that were on, as it spells them."""


Notes = dict[str, object]


def read_notes(path: Path) -> Notes:
    """A JSON object of the collector; empty where there is none or it can't be read."""
    try:
        with open(path, "rb") as file:
            found = json.loads(file.read(_LARGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def device_facts(notes: Notes, device: int) -> DeviceFacts:
    """From the ``info.json`` of a device."""
    listed = notes.get("DeviceInfo")
    own = next((each for each in listed if isinstance(each, dict)), {}) if isinstance(listed, list) else {}
    platform = text(notes, "platform_version")
    return DeviceFacts(
        device,
        CHIPS.get(platform, platform and f"platform {platform}"),
        whole(own, "ai_core_num"),
        whole(own, "aiv_num"),
        whole(own, "ai_cpu_core_num"),
        whole(own, "aic_frequency"),
    )


def collection(notes: Notes) -> Collection | None:
    """From a ``sample.json``; None where it is missing."""
    if not notes:
        return None
    levels = [match[1] for key in ("taskTime", "prof_level", "profLevel") if (match := _level(notes, key))]
    metrics = "" if text(notes, "ai_core_profiling") == "off" else text(notes, "ai_core_metrics")
    switches = tuple(option for key, option in SWITCHES.items() if text(notes, key) == "on")
    return Collection(f"l{levels[0]}" if levels else "", metrics, switches)


def _level(notes: Notes, key: str) -> re.Match[str] | None:
    return _LEVEL.match(text(notes, key))


def text(notes: Notes, key: str) -> str:
    """A noted text or number as text; empty for anything else."""
    value = notes.get(key)
    return str(value).strip() if isinstance(value, str | int | float) else ""


def whole(notes: Notes, key: str) -> int | None:
    """A noted whole number, also where it stands as a text."""
    value = text(notes, key)
    return int(value) if re.fullmatch("[0-9]{1,18}", value) else None


@dataclass(frozen=True)
class Chip:
    """The cores of one device; 0 where info.json does not say."""

    ai_core_num: int = 0
    aiv_num: int = 0

    def cores(self, task_type: str) -> int:
        """Cores of the kind that runs a Task Type; 0 where unknown, or where it runs on none of them."""
        if task_type in CUBE:
            return self.ai_core_num
        return (self.aiv_num or self.ai_core_num) if task_type in VECTOR else 0


def read_chip(capture: Path, device: int | None) -> Chip:
    """The chip of a device; one that says nothing where the file is missing or damaged."""
    try:
        info = json.loads((capture / f"device_{device}" / f"info.json.{device}").read_bytes())
        first = info["DeviceInfo"][0]
        return Chip(_number(first.get("ai_core_num")), _number(first.get("aiv_num")))
    except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError):
        return Chip()


def _number(value: object) -> int:
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() else 0
