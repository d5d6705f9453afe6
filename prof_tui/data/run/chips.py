"""How many cores a device has, from its info.json."""

import json
from dataclasses import dataclass
from pathlib import Path

from prof_tui.data.tables.communication_types import CUBE, VECTOR


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
