"""What reading a file changed or left out, in sentences."""

from dataclasses import dataclass, field

from prof_tui.words import _, count, ngettext


@dataclass
class Tally:
    """Counts of one file, filled while its rows are read."""

    repaired: int = 0
    left_out: int = 0
    headers: int = 0
    rounded: int = 0
    wrapped: int = 0
    last_line_cut: bool = False
    ends_open: bool = False
    """The file does not end with a line end."""
    notes: list[str] = field(default_factory=list)

    def sentences(self, file_name: str) -> list[str]:
        """One sentence per kind of damage; none for a sound file."""
        said = [_("{file}: {note}.").format(file=file_name, note=note) for note in self.notes]
        if end := self._end():
            said.append(end.format(file=file_name))
        counts = (self.repaired, self.left_out, self.headers, self.rounded)
        texts = (self._repaired(), self._left_out(), self._headers(), self._rounded())
        return said + [
            text.format(file=file_name, n=count(number))
            for number, text in zip(counts, texts, strict=True)
            if number
        ]

    def _end(self) -> str:
        if self.last_line_cut:
            return _("{file}: the last line is incomplete and left out; export or copy it again.")
        if self.ends_open:
            return _("{file} does not end with a line end: the last cell of its last row may be cut.")
        return ""

    def _repaired(self) -> str:
        return ngettext(
            "{file}: {n} row with too many or too few cells was put right.",
            "{file}: {n} rows with too many or too few cells were put right.",
            self.repaired,
        )

    def _left_out(self) -> str:
        return ngettext(
            "{file}: {n} damaged row is left out.", "{file}: {n} damaged rows are left out.", self.left_out
        )

    def _headers(self) -> str:
        return ngettext(
            "{file}: {n} row that repeats the header is left out.",
            "{file}: {n} rows that repeat the header are left out.",
            self.headers,
        )

    def _rounded(self) -> str:
        return ngettext(
            "{file}: {n} time is a rounded power of ten, as spreadsheets write it: precision is lost.",
            "{file}: {n} times are rounded powers of ten, as spreadsheets write them: precision is lost.",
            self.rounded,
        )
