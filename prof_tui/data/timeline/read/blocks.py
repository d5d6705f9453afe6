"""One file of a timeline, read piece by piece: quickly where it is as expected, exactly where it isn't.

Blocks are cut at the last border between events and decoded in the background.  A border may lie within
an event after all, or a block be damaged: then that block is scanned event by event, and the next one
begins where the scan could go no further (performance.md, "Trace JSON").
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from itertools import pairwise

from prof_tui.data.capture.content import foreign_content, read_head
from prof_tui.data.tables.source_file import SourceFile
from prof_tui.data.timeline.read.event_texts import byte_places, decode_piece, exact_texts, quick_texts
from prof_tui.data.timeline.read.json_scan import Found, Problem, Scan, ScanState, scan
from prof_tui.data.timeline.read.parts import Dictionaries, TracePart, part_of
from prof_tui.words import _, count

BLOCK = 6 << 20
"""Bytes decoded at once: larger ones cost more time for memory, and stall other threads."""
HEAD = 16 << 10
"""Bytes scanned first, to learn the container and what stands between events."""
LARGEST_EVENT = 64 << 20
_AHEAD = 3
"""Blocks that are decoded or wait for it."""
_MOST_GAPS = 4
_BEFORE_EVENT = re.compile(rb"[ \t\r\n,]*(?=\{)")
_UNREADABLE = re.compile("[\udc80-\udcff]")
"""What ``decode_piece`` makes of a byte that is no UTF-8."""
_GAP = re.compile(r"[ \t\r\n]*,[ \t\r\n]*")


@dataclass(frozen=True)
class FilePart:
    """Columns of some events, and up to which byte the file is read with them."""

    columns: TracePart
    end: int


@dataclass(frozen=True)
class _Block:
    begin: int
    end: int
    part: Future[TracePart | None]


class FileParts:
    """The events of one file in order; ``notices`` tells what was wrong once all are read."""

    def __init__(self, source: SourceFile, known: Dictionaries, pool: Executor) -> None:
        self.source = source
        self.notices: list[str] = []
        self.damaged = False
        """Whether anything of the file could not be read."""
        self.nothing = ""
        """One sentence when the file holds no timeline at all."""
        self._known = known
        self._pool = pool
        self._state = ScanState()
        self._gaps: list[bytes] = []
        self._blocks: deque[_Block] = deque()
        self._events = 0
        self._events_before = 0

    def __iter__(self) -> Iterator[FilePart]:
        at, wanted, stuck = 0, HEAD, False
        while at < self.source.size and self._state.stage != "stopped":
            while not stuck and len(self._blocks) < _AHEAD and (block := self._next_block(at)):
                self._blocks.append(block)
                at = block.end
            block = self._blocks.popleft() if self._blocks else None
            columns = block.part.result() if block else None
            if block and columns is not None:
                part: FilePart | None = FilePart(columns, block.end)
            else:
                self._drop_blocks()
                begin, wanted = (block.begin, block.end - block.begin) if block else (at, wanted)
                part, at = self._scan(begin, wanted)
                stuck = at == begin  # within one event
                wanted = wanted * 4 if stuck else BLOCK
            if part is not None:
                self._events += sum(part.columns.phases.values())
                yield part
        self._conclude()

    def close(self) -> None:
        """Don't decode what nobody waits for any more."""
        self._drop_blocks()

    def _drop_blocks(self) -> None:
        for block in self._blocks:
            block.part.cancel()
        self._blocks.clear()

    # Quickly

    def _next_block(self, at: int) -> _Block | None:
        """A block being decoded; None where the file has to be scanned."""
        if self._state.stage != "events" or self._state.lost or not self._gaps:
            return None
        data = self.source.read(at, BLOCK)
        first = _BEFORE_EVENT.match(data)
        last = max(data.rfind(b"}%b{" % gap) for gap in self._gaps)
        if first is None or last < first.end():
            return None
        begin, data = at + first.end(), data[first.end() : last + 1]
        return _Block(at, at + last + 1, self._pool.submit(self._decode, data, begin, tuple(self._gaps)))

    def _decode(self, data: bytes, begin: int, gaps: tuple[bytes, ...]) -> TracePart | None:
        texts = quick_texts(data, begin, gaps)
        return None if texts is None else part_of(texts, self._known)

    # Exactly

    def _scan(self, at: int, wanted: int) -> tuple[FilePart | None, int]:
        """What ``wanted`` bytes hold, and where to go on."""
        piece = self.source.read(at, wanted)
        at_end = at + len(piece) >= self.source.size
        text = decode_piece(piece)
        result = scan(text, self._state, at_end=at_end or wanted > LARGEST_EVENT)
        self._learn(text, result.found)
        self._note(piece, text, at, result)
        if result.found:
            self._note_encoding(text[: result.consumed])
        ends, _same = byte_places(piece, text, [(result.consumed, result.consumed)])
        if not result.found:
            return None, at + ends[0]
        texts = exact_texts(piece, text, at, result.found)
        return FilePart(part_of(texts, self._known), at + ends[0]), at + ends[0]

    def _learn(self, text: str, found: list[Found]) -> None:
        """What stands between the events: commas and white space."""
        for before, behind in pairwise(found):
            gap = text[before.end : behind.begin]
            if len(self._gaps) < _MOST_GAPS and _GAP.fullmatch(gap) and gap.encode() not in self._gaps:
                self._gaps.append(gap.encode())

    # What is wrong with it

    def _note(self, piece: bytes, text: str, at: int, result: Scan) -> None:
        self._events_before = self._events + len(result.found)
        for problem in result.problems:
            places, _same = byte_places(piece, text, [(problem.at, problem.at)])
            self._say(problem, at + places[0], piece[places[0] : places[0] + 1])

    def _note_encoding(self, text: str) -> None:
        said = _("{file} is not UTF-8: other text is read as GBK, or shown as marks.").format(
            file=self.source.path.name
        )
        if not text.isascii() and said not in self.notices and _UNREADABLE.search(text):
            self.notices.append(said)

    def _say(self, problem: Problem, byte: int, there: bytes) -> None:
        file = self.source.path.name
        self.damaged = self.damaged or problem.kind != "glued"
        if problem.kind == "not json" and (what := foreign_content(read_head(self.source.path))):
            self.nothing = _("{file} is no timeline but {what}.").format(file=file, what=what)
        elif problem.kind == "not json":
            self.nothing = (
                _("{file} is not JSON: byte {byte} is 0x{value}; export the capture again.")
                if there
                else _("{file} holds no JSON, only white space; export the capture again.")
            ).format(file=file, byte=count(byte), value=there.hex())
        elif problem.kind == "cut":
            said = _("{file} is incomplete, still being written or cut off: {events} events could be read.")
            self.notices.append(said.format(file=file, events=count(self._events_before)))
        else:
            said = (
                _("{file}: a second array begins at byte {byte} ({place}); its events are joined.")
                if problem.kind == "glued"
                else _("{file} is damaged at byte {byte} ({place}): what stands there was left out.")
            )
            self.notices.append(said.format(file=file, byte=count(byte), place=self._line_and_column(byte)))

    def _line_and_column(self, byte: int) -> str:
        """Both from 1, the column in bytes."""
        line, begin, at = 1, 0, 0
        while at < byte:
            piece = self.source.read(at, min(BLOCK, byte - at))
            line += piece.count(b"\n")
            if (last := piece.rfind(b"\n")) >= 0:
                begin = at + last + 1
            at += len(piece)
        return f"{line}:{byte - begin + 1}"

    def _conclude(self) -> None:
        """The sentences that only the end of the file tells."""
        file = self.source.path.name
        if self._state.lost:
            self.notices.append(_("{file}: no event could be read behind that.").format(file=file))
        if self._events or self.nothing or self.notices:
            return
        self.notices.append(_("{file} holds no events.").format(file=file))
        if self._state.info:
            self.nothing = _("{file} says that its export failed: {info}").format(
                file=file, info=self._state.info
            )
