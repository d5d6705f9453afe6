"""A small capture with a timeline whose events a test spells out as text.

Iteration 2 of model 11 is from 2100 to 2800 us after ``BEGIN_US`` (see ``small_capture``).
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from prof_tui.data.open_capture import OpenCapture
from prof_tui.demo.write import MERGED_DIRECTORY, STAMP
from tests.helpers.small_capture import at, small_capture

HOST, HARDWARE, FREQUENCY, OTHER_DEVICE = 41, 42, 43, 44
"""pids"""


def names(pid: int, layer: str, label: str, *threads: tuple[int, str]) -> list[str]:
    head = f'{{"ph":"M","pid":{pid},"tid":0,"name"'
    return [
        f'{head}:"process_name","args":{{"name":"{layer}"}}}}',
        f'{head}:"process_labels","args":{{"labels":"{label}"}}}}',
        *(
            f'{{"ph":"M","pid":{pid},"tid":{tid},"name":"thread_name","args":{{"name":"{name}"}}}}'
            for tid, name in threads
        ),
    ]


HOST_NAMES = names(HOST, "CANN", "CPU", (1, "Thread 1"))
HARDWARE_NAMES = names(HARDWARE, "Ascend Hardware", "NPU 0", (2, "Stream 2"))
FREQUENCY_NAMES = names(FREQUENCY, "AI Core Freq", "NPU 0")
OTHER_NAMES = names(OTHER_DEVICE, "Ascend Hardware", "NPU 1", (2, "Stream 2"))
METADATA = [*HOST_NAMES, *HARDWARE_NAMES, *FREQUENCY_NAMES]


def slice_(name: str, begin_us: int, length: str, pid: int = HARDWARE, **more: object) -> str:
    """An X event as no writer of JSON would write it: only a copy of its bytes is the same."""
    tid = 1 if pid == HOST else 2
    args = json.dumps({"connection_id": 18446744073709551615, **more})
    return (
        f'{{ "name" :"{name}","ph":"X","pid":{pid},"tid":{tid},"ts":"{at(begin_us)}",'
        f'"dur":{length},"args":{args},"x":1.50e0}}'
    )


def flow(phase: str, number: int, at_us: int, pid: int) -> str:
    tid = 1 if pid == HOST else 2
    end = ',"bp":"e"' if phase == "f" else ""
    return (
        f'{{"ph":"{phase}","cat":"HostToDevice","name":"HostToDevice{number}","id":"{number}",'
        f'"pid":{pid},"tid":{tid},"ts":"{at(at_us)}"{end}}}'
    )


def frequency(at_us: int, value: int) -> str:
    return (
        f'{{"name":"AI Core Freq","ph":"C","pid":{FREQUENCY},"tid":0,"ts":"{at(at_us)}",'
        f'"args":{{"MHz":{value}}}}}'
    )


def array(events: Iterable[str]) -> str:
    return "[" + ",".join(events) + "]"


def trace_capture(parent: Path, *events: str, devices: Sequence[int] = (0,)) -> OpenCapture:
    """The small capture with these events as its msprof timeline."""
    capture = small_capture(parent, devices)
    (capture.path / MERGED_DIRECTORY / f"msprof_{STAMP}.json").write_text(array(events), encoding="utf-8")
    return capture
