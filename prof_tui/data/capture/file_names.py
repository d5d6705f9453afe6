"""What the name of an exported file says: its type, device, model, iteration, slice and stamp."""

import re
from dataclasses import dataclass

from prof_tui.data.capture.file_types import KINDS

_ENDING = re.compile(
    r"^(?P<head>.+?)(?:_slice_(?P<slice>\d+))?(?:_(?P<stamp>\d{14}))?\.(?P<suffix>csv|json)$"
)
_NUMBER = re.compile(r"^(?P<head>.+)_(?P<number>\d{1,10})$")
_MOST_NUMBERS = 3


@dataclass(frozen=True)
class FileName:
    """The parts of ``{type}[_device[_model]_iteration][_slice_k][_stamp].suffix`` (formats.md 1.2)."""

    type: str
    device: int | None = None
    model: int | None = None
    iteration: int | None = None
    slice: int | None = None
    """None where the name has no slice; the exporter may leave it out of the first one."""
    stamp: str | None = None
    """When it was exported, local time, as ``yyyyMMddHHmmss``."""
    suffix: str = ""
    """``csv`` or ``json``, without the dot; for other files whatever follows the last dot."""


def parse(name: str, *, merged: bool) -> FileName | None:
    """The parts of a CSV or JSON file's name, None for any other file (formats.md 1.2).

    Numbers belong to the type from its right end: one is the device, two are device and iteration,
    three device, model and iteration. ``merged`` is for `mindstudio_profiler_output`, whose files cover
    all devices: there the numbers of an unknown type are a part of it.
    """
    ending = _ENDING.match(name)
    if ending is None:
        return None
    file_type, numbers = _split_numbers(ending["head"])
    if merged and file_type not in KINDS:
        file_type, numbers = ending["head"], []
    inner = numbers[1:]
    return FileName(
        type=file_type,
        device=numbers[0] if numbers else None,
        model=inner[0] if len(inner) == 2 else None,
        iteration=inner[-1] if inner else None,
        slice=None if ending["slice"] is None else int(ending["slice"]),
        stamp=ending["stamp"],
        suffix=ending["suffix"],
    )


def other_name(name: str) -> FileName:
    """A file that is no export, such as ``README.txt``: its whole stem is its type."""
    stem, _, suffix = name.rpartition(".")
    return FileName(type=stem or name, suffix=suffix if stem else "")


def _split_numbers(head: str) -> tuple[str, list[int]]:
    numbers: list[int] = []
    while head not in KINDS and len(numbers) < _MOST_NUMBERS and (match := _NUMBER.match(head)):
        head = match["head"]
        numbers.insert(0, int(match["number"]))
    return head, numbers
