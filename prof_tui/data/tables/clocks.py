"""Counter ticks as nanoseconds, from what the collector noted when it started.

time = (ticks - cntvct) / hwts_frequency + clock_monotonic_raw (formats.md section 2): the frequency in
MHz stands in info.json.N, the counter in dev_start.log.N and the host's clock in host_start.log.N.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

_KEY_VALUE = re.compile(r"^\s*(\w+)\s*[:=]\s*(\d+)", re.MULTILINE)


@dataclass(frozen=True)
class TickClock:
    """Turns ticks of one device's counter into ns of CLOCK_MONOTONIC_RAW."""

    cntvct: int
    ticks_per_us: Decimal
    monotonic_raw_ns: int

    def ns(self, ticks: int) -> int:
        return int((ticks - self.cntvct) * 1000 / self.ticks_per_us) + self.monotonic_raw_ns


def tick_clock(capture: Path, device: int) -> TickClock | None:
    """The clock of a device, or None where its notes are missing or unreadable."""
    folder = capture / f"device_{device}"
    frequency = _frequency(folder / f"info.json.{device}")
    counter = _noted(folder / f"dev_start.log.{device}", "cntvct")
    raw = _noted(folder / f"host_start.log.{device}", "clock_monotonic_raw")
    if frequency is None or counter is None or raw is None:
        return None
    return TickClock(counter, frequency, raw)


def _frequency(path: Path) -> Decimal | None:
    try:
        info = json.loads(path.read_bytes())
        value = Decimal(str(info["DeviceInfo"][0]["hwts_frequency"]))
    except (OSError, ValueError, KeyError, IndexError, TypeError, InvalidOperation):
        return None
    return value if value > 0 else None


def _noted(path: Path, key: str) -> int | None:
    try:
        text = path.read_text("utf-8", "replace")
    except OSError:
        return None
    return next((int(value) for name, value in _pairs(text) if name == key), None)


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    yield from ((match[1], match[2]) for match in _KEY_VALUE.finditer(text))
