"""The msprof JSON of a made-up run of millions of ops, written one iteration after the other."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from prof_tui.demo.run import Op, Step
from prof_tui.demo.timeline import msprof_json

Event = dict[str, Any]


def write_timeline(path: Path, iterations: Iterable[tuple[Sequence[Op], Step]]) -> None:
    """One array on one line; every launch has its own number.  FileExistsError if ``path`` is there."""
    launches = 0
    with path.open("x") as file:
        file.write("[")
        for number, (ops, step) in enumerate(iterations):
            events = json.loads(msprof_json((0,), ops, (step,), "new"))
            shown = [_numbered(each, launches) for each in events if number == 0 or each["ph"] != "M"]
            file.write("," * (number > 0) + json.dumps(shown, separators=(",", ":"))[1:-1])
            launches += len(ops)
        file.write("]")


def _numbered(event: Event, launches: int) -> Event:
    """With the number of its launch after so many others."""
    if "connection_id" in event.get("args", ()):
        event["args"]["connection_id"] += launches
    elif "id" in event:
        event["id"] = str(int(event["id"]) + (launches << 32))
        event["name"] = f"HostToDevice{event['id']}"
    return event
