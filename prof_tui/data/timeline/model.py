"""What is known of a timeline after one pass over its files: lanes, and columns of events.

Times are absolute Int64 nanoseconds from the text of the files, intervals half open.  The arguments of an
event stay in its file and are read back by ``offset`` and ``length``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from prof_tui.data.spans.span import Span

if TYPE_CHECKING:
    import polars as pl

T = TypeVar("T")

HARDWARE_LAYERS = frozenset({"Ascend Hardware", "Task Scheduler"})
"""process_name of the lanes of device tasks; Task Scheduler in 2022 (formats.md section 4)."""
COMMUNICATION_LAYERS = frozenset({"HCCL", "Communication", "All Reduce"})
"""process_name of communication: HCCL until 2025-02, All Reduce in 2022."""
HOST_LAYERS = frozenset({"CANN", "AscendCL", "GE", "Runtime", "Python", "OS Runtime API"})
OVERLAP_LAYER = "Overlap Analysis"
_STREAM = re.compile(r"Stream \d+")


@dataclass(frozen=True)
class TraceFile:
    """A file of the trace as it was when it was read."""

    path: Path
    size: int
    """Bytes."""
    mtime_ns: int
    inode: int
    device: int | None
    """What its name says, like ``model`` and ``iteration``; None for a file that covers several."""
    model: int | None = None
    iteration: int | None = None


@dataclass(frozen=True)
class TraceLane:
    """A thread of a process, or one counter."""

    layer: str
    """process_name; ``pid 7`` where the file names none."""
    label: str
    """process_labels, such as ``NPU 0`` or ``CPU``; empty where there is none."""
    device: int | None
    """None for the host."""
    thread: str
    """thread_name, ``tid 7`` where the file names none; of a counter its name and the argument's."""
    is_counter: bool = False

    @property
    def is_stream(self) -> bool:
        """Whether its events are tasks that a device ran, and not the step trace beside them."""
        return self.layer in HARDWARE_LAYERS and _STREAM.match(self.thread) is not None

    @property
    def is_communication(self) -> bool:
        return self.layer in COMMUNICATION_LAYERS

    @property
    def is_derived(self) -> bool:
        """Whether its events sum up those of other lanes."""
        return self.layer == OVERLAP_LAYER or self.thread.startswith("Step Trace")

    @property
    def is_host(self) -> bool:
        return self.layer in HOST_LAYERS


@dataclass(frozen=True, eq=False)
class TraceIndex:
    """All events of a timeline; partial while ``complete`` is False."""

    name: str
    """The file type: ``msprof``, ``task_time``, …"""
    files: tuple[TraceFile, ...]
    lanes: tuple[TraceLane, ...]
    """In the order in which they are shown: by process_sort_index, then thread_sort_index."""
    kinds: tuple[str, ...]
    """What events are told apart by: a Task Type on the streams, else the layer."""
    events: pl.DataFrame
    """Sorted by lane, row, start_ns, file order:
    lane UInt16, row UInt16, start_ns Int64, duration_ns Int64 (negative in a broken record), name
    Categorical, kind UInt16, connection_id Int64 and task_id UInt32 (null for none), file UInt16, offset
    Int64, length Int32.
    Valid events of one row never overlap; the topmost row is 0 and what is nested lies below."""
    flows: pl.DataFrame
    """Sorted by flow, at_ns: flow Int64 (the same for what belongs together: category and id), phase
    String (s, t, f), lane UInt16, at_ns Int64, file UInt16, offset Int64, length Int32."""
    counters: pl.DataFrame
    """Sorted by lane, at_ns: lane UInt16, at_ns Int64, value Float64 (null where it is not a number), file
    UInt16, offset Int64, length Int32."""
    ends: pl.DataFrame
    """The E event of each B: file UInt16, offset Int64 (of the B), end_offset Int64, end_length Int32,
    end_file UInt16."""
    metadata: tuple[tuple[int, str], ...]
    """File number and JSON text of each M event, in file order."""
    phases: dict[str, int]
    """Events of each phase as they stand in the files."""
    notices: tuple[str, ...] = ()
    """Sentences on what was left out, repaired or damaged."""
    complete: bool = True
    """False for what is read so far."""
    read_bytes: int = 0
    damaged: tuple[int, ...] = ()
    """Numbers of the files of which something could not be read."""
    span: Span = (0, 0)
    """From the first to the last moment, without stray times far outside of all others."""
    lane_events: tuple[Span, ...] = field(default=())
    """First event number and the one behind the last, of each lane."""

    _known: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What ``make`` gives, worked out the first time and kept as long as the index."""
        if key not in self._known:
            self._known[key] = make()
        known: T = self._known[key]
        return known

    @cached_property
    def total_bytes(self) -> int:
        return sum(file.size for file in self.files)

    def lanes_where(self, is_wanted: Callable[[TraceLane], bool]) -> list[int]:
        """Numbers of the lanes that are wanted, in lane order."""
        return [number for number, lane in enumerate(self.lanes) if is_wanted(lane)]


Partial = Callable[[TraceIndex], None]
"""Is given what was read so far of a long timeline."""
