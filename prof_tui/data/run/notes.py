"""What the collector's notes say of the devices and of how the run was collected.

The texts are for the user and never paths to follow; ``app_dir``, ``result_dir`` and ``mac`` are not
read (quirks.md 48).
"""

import re
from dataclasses import dataclass

from prof_tui.data.capture.notes import Notes, chip_of, noted_number, noted_text
from prof_tui.data.capture.options import SWITCHES
from prof_tui.data.tables.task_types import CUBE, VECTOR

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

    device: int | None
    chip: str
    ai_cores: int | None
    vector_cores: int | None
    """0 where vector work runs on AI Core itself."""
    ai_cpus: int | None
    ai_core_mhz: int | None

    def cores(self, task_type: str) -> int:
        """Cores of the kind that runs a Task Type; 0 where unknown, or where it runs on none of them."""
        if task_type in CUBE:
            return self.ai_cores or 0
        return (self.vector_cores or self.ai_cores or 0) if task_type in VECTOR else 0


@dataclass(frozen=True)
class Collection:
    """How the run was collected."""

    level: str
    """``l0``, ``l1``, ``l2``; empty where sample.json doesn't say."""
    aic_metrics: str
    """The metrics group of AI Core; empty where it was not collected."""
    switches: tuple[str, ...]
    """The options of msprof that were on, as it spells them."""


def device_facts(notes: Notes, device: int | None) -> DeviceFacts:
    """From the ``info.json`` of a device."""
    own = chip_of(notes)
    platform = noted_text(notes, "platform_version")
    return DeviceFacts(
        device,
        CHIPS.get(platform, platform and f"platform {platform}"),
        noted_number(own, "ai_core_num"),
        noted_number(own, "aiv_num"),
        noted_number(own, "ai_cpu_core_num"),
        noted_number(own, "aic_frequency"),
    )


def collection(notes: Notes) -> Collection | None:
    """From a ``sample.json``; None where it is missing."""
    if not notes:
        return None
    levels = [match[1] for key in ("taskTime", "prof_level", "profLevel") if (match := _level(notes, key))]
    metrics = "" if noted_text(notes, "ai_core_profiling") == "off" else noted_text(notes, "ai_core_metrics")
    switches = tuple(option for key, option in SWITCHES.items() if noted_text(notes, key) == "on")
    return Collection(f"l{levels[0]}" if levels else "", metrics, switches)


def _level(notes: Notes, key: str) -> re.Match[str] | None:
    return _LEVEL.match(noted_text(notes, key))
