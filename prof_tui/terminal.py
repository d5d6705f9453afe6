"""What terminals can and can't do, where Textual expects another one: odd input, no colours, only ASCII."""

import curses
import os
import select
import signal
import threading

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.drivers.linux_driver import LinuxDriver
from textual.filter import LineFilter

_LOOK_MS = 500
"""How often it is looked whether the screen was left otherwise."""
_LIKE = {
    "-": "─━╌╍═▔▁▂",
    "|": "│┃║▌▐▎▍▊▋",
    "+": "┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝",
    "#": "█▉▇▆▅▄▃▀",
    "~": "…",
    "*": "•●",
    ">": "▶❯→",
    "<": "◀←",
    "^": "▲↑",
    "v": "▼↓",
}
_ASCII = {drawn: ascii_ for ascii_, many in _LIKE.items() for drawn in many}


class TerminalDriver(LinuxDriver):
    """Lives through input that is no UTF-8, and ends with its terminal.

    A terminal that fell back to mouse reports of the old form sends bytes above 0x7f for what is right of
    column 95.  Such a read is dropped as a whole.  From one that is gone nothing can be read for ever.
    """

    def run_input_thread(self) -> None:
        reader = threading.current_thread()
        threading.Thread(target=self._end_when_gone, args=[reader], daemon=True, name="terminal").start()
        while not self.exit_event.is_set():
            try:
                super().run_input_thread()
            except UnicodeDecodeError:
                continue

    def _end_when_gone(self, reader: threading.Thread) -> None:
        """As long as the terminal is read, also where a signal ends the rest of the program meanwhile."""
        hung_up = select.poll()
        hung_up.register(self.fileno, 0)
        while reader.is_alive():
            if hung_up.poll(_LOOK_MS):
                self.exit_event.set()
                self._app.call_later(self._app.exit, None, 128 + signal.SIGHUP)
                reader.join(_LOOK_MS / 1000)


class WithoutColours(LineFilter):
    """Leaves bold, underlined and reversed; not even the terminal's own colours are asked for."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            Segment(segment.text, segment.style.without_color if segment.style else None)
            for segment in segments
        ]


class AsciiOnly(LineFilter):
    """Replaces what Textual itself draws beyond ASCII by what looks like it, cell for cell."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            segment if segment.text.isascii() else Segment(_in_ascii(segment.text), segment.style)
            for segment in segments
        ]


def _in_ascii(text: str) -> str:
    return "".join(
        character if character.isascii() else _ASCII.get(character, "?" * cell_len(character))
        for character in text
    )


def has_colours() -> bool:
    """Whether the terminal knows colours, as far as its description says."""
    try:
        curses.setupterm(os.environ.get("TERM", ""), 1)
        return curses.tigetnum("colors") != -1
    except curses.error:
        return True


def forget_foreign_colours() -> None:
    """GNU screen doesn't pass on the 24-bit colours that the terminal outside of it promised."""
    if os.environ.get("TERM", "").partition(".")[0] == "screen":
        os.environ.pop("COLORTERM", None)
