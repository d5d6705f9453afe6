"""All parts of a trace as they are read, by columns; threads and counters numbered over all files."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence

import polars as pl

from prof_tui.data.timeline.model import TraceFile
from prof_tui.data.timeline.read.lanes import Counter, Document, Lanes, Thread, find_lanes
from prof_tui.data.timeline.read.parts import THREADS, Dictionaries, TracePart
from prof_tui.errors import UnreadableError
from prof_tui.words import _, count, counted

_OFTEN_SAME = frozenset({"file", "category", "id_text"})
_TABLES = ("slices", "open", "flows", "counters")
MOST_LANES = 1 << 16


class Columns:
    """A growing table as lists of pieces of its columns; one value all through a piece is kept once."""

    def __init__(self) -> None:
        self._pieces: dict[str, list[tuple[pl.Series, int]]] = {}
        self.height = 0

    def add(self, frame: pl.DataFrame) -> None:
        if len(frame):
            for series in frame:
                same = series.name in _OFTEN_SAME and _is_same(series)
                kept = series.head(1).rechunk() if same else series
                self._pieces.setdefault(series.name, []).append((kept, len(frame)))
            self.height += len(frame)

    def take(self, name: str, *, for_good: bool) -> pl.Series:
        """A whole column; ``for_good`` lets go of its pieces, so that nothing is in memory twice."""
        pieces = self._pieces[name]
        whole = pl.concat(
            [kept if len(kept) == height else kept.new_from_index(0, height) for kept, height in pieces],
            rechunk=True,
        )
        if for_good:
            self._pieces[name] = []
        return whole

    def frame(self) -> pl.DataFrame:
        return pl.DataFrame([self.take(name, for_good=False) for name in self._pieces])

    def copy(self) -> Columns:
        """One that may grow without this one."""
        copied = Columns()
        copied._pieces = {name: list(pieces) for name, pieces in self._pieces.items()}
        copied.height = self.height
        return copied


def _is_same(series: pl.Series) -> bool:
    return series.null_count() == len(series) or (not series.null_count() and series.min() == series.max())


class Gathered:
    """What is read so far of the files of one timeline."""

    def __init__(
        self, name: str, files: Sequence[TraceFile], documents: Sequence[int], only_device: int | None
    ) -> None:
        """``documents``: of each file, its number among those that share pids."""
        self.name = name
        self.files = tuple(files)
        self.document_of = list(documents)
        self.known = Dictionaries()
        self.slices, self.open, self.flows, self.counters = (Columns() for _table in _TABLES)
        self.metadata: list[tuple[int, str]] = []
        """File and JSON text."""
        self.phases: Tally[str] = Tally()
        self.unknown: Tally[str] = Tally()
        self.untimed = self.endless = self.read_bytes = 0
        self.notices: list[str] = []
        self.damaged: list[int] = []
        """Numbers of the files of which something could not be read."""
        self._only_device = only_device
        self._threads: dict[tuple[int, int], int] = {}
        self._series: dict[Counter, int] = {}

    @property
    def height(self) -> int:
        return self.slices.height + self.open.height + self.flows.height + self.counters.height

    def add(self, file: int, part: TracePart) -> None:
        document = self.document_of[file]
        for columns, frame in (
            (self.slices, part.slices),
            (self.open, part.open),
            (self.flows, part.flows),
        ):
            columns.add(self._number_threads(frame, file, document))
        self._add_counters(file, document, part)
        self.metadata += [(file, text) for text in part.metadata]
        self.phases.update(part.phases)
        self.unknown.update(part.unknown)
        self.untimed += part.untimed
        self.endless += part.endless

    def _number_threads(self, frame: pl.DataFrame, file: int, document: int) -> pl.DataFrame:
        """With the file and, for two codes, the number of the thread among all."""
        if not len(frame):
            return frame
        codes = frame["thread"].unique()
        numbers = [self._threads.setdefault((document, code), len(self._threads)) for code in codes]
        if len(self._threads) >= MOST_LANES or max(codes) // THREADS >= THREADS - 1:
            said = _("{file} has more than {count} threads: too many to show.")
            raise UnreadableError(said.format(file=self.files[file].path.name, count=count(MOST_LANES)))
        threads = frame["thread"].replace_strict(
            codes, pl.Series(numbers, dtype=pl.UInt16), return_dtype=pl.UInt16
        )
        return frame.with_columns(threads, pl.lit(file, pl.UInt16).alias("file"))

    def _add_counters(self, file: int, document: int, part: TracePart) -> None:
        if not len(part.counters):
            return
        numbers = [
            self._series.setdefault((document, *names), len(self._series))
            for names in part.counters_of.iter_rows()
        ]
        series = pl.Series("series", numbers, dtype=pl.UInt16).gather(part.counters["series"])
        self.counters.add(part.counters.with_columns(series, pl.lit(file, pl.UInt16).alias("file")))

    def lanes(self) -> Lanes:
        pids = self.known.pids.categories.to_series().to_list()
        tids = self.known.tids.categories.to_series().to_list()
        threads: list[Thread] = [
            (document, pids[code // THREADS], tids[code % THREADS]) for document, code in self._threads
        ]
        documents: dict[int, Document] = {}
        for file, document in zip(self.files, self.document_of, strict=True):
            documents.setdefault(document, Document(file.device))
        metadata = [(self.document_of[file], text) for file, text in self.metadata]
        ordered = [documents[number] for number in range(len(documents))]
        found = find_lanes(ordered, metadata, threads, list(self._series), self._only_device)
        if len(found.lanes) > MOST_LANES:
            said = _("{file} has more than {count} threads: too many to show.")
            raise UnreadableError(said.format(file=self.files[0].path.name, count=count(MOST_LANES)))
        return found

    def said(self) -> list[str]:
        """Sentences on what was left out or repaired."""
        notices = list(self.notices)
        if self.untimed:
            notices.append(
                counted(
                    "{n} event without a time was left out.",
                    "{n} events without a time were left out.",
                    self.untimed,
                )
            )
        if self.endless:
            notices.append(
                counted(
                    "{n} event without a duration is shown with none.",
                    "{n} events without a duration are shown with none.",
                    self.endless,
                )
            )
        if self.unknown:
            kinds = ", ".join(f"{phase or '?'} ({count(number)})" for phase, number in self.unknown.items())
            notices.append(_("Events of these phases are not shown: {phases}.").format(phases=kinds))
        return notices
