"""Reading what the collector noted beside its raw data: ``info.json``, ``sample.json``, start and end.

A note that is missing or damaged says nothing, which is no error.
"""

import json
import re
from pathlib import Path

_LARGEST = 1 << 20
"""Bytes; real ones have 3 kB."""

Notes = dict[str, object]


def read_notes(path: Path) -> Notes:
    """A JSON object of the collector; empty where there is none or it can't be read."""
    try:
        with open(path, "rb") as file:
            found = json.loads(file.read(_LARGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def read_device_notes(capture: Path, device: int | None, name: str) -> Notes:
    """The notes in a file of a device's folder, whose name ends with the device's number or not."""
    folder = capture / f"device_{device}"
    return read_notes(folder / f"{name}.{device}") or read_notes(folder / name)


def chip_of(info: Notes) -> Notes:
    """What an ``info.json`` says of its device's chip."""
    listed = info.get("DeviceInfo")
    return next((each for each in listed if isinstance(each, dict)), {}) if isinstance(listed, list) else {}


def noted_text(notes: Notes, key: str) -> str:
    """A noted text or number as text; empty for anything else."""
    value = notes.get(key)
    return str(value).strip() if isinstance(value, str | int | float) else ""


def noted_number(notes: Notes, key: str) -> int | None:
    """A noted whole number, also where it stands as a text."""
    value = noted_text(notes, key)
    return int(value) if re.fullmatch("[0-9]{1,18}", value) else None
