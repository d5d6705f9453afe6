import os
import pty
import threading
from collections.abc import Callable

from prof_tui.terminal import TerminalDriver


class _App:
    """Takes down what it is asked for, in place of the application."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    def exit(self) -> None:
        raise AssertionError("only the application's own thread may leave")

    def call_later(self, callback: Callable[..., object], *arguments: object) -> None:
        self.asked.append(arguments)


def test_reading_ends_with_the_terminal_though_the_end_is_forgotten_once() -> None:
    """A signal may end the application in the middle of leaving the terminal, with the input thread left."""
    driver = object.__new__(TerminalDriver)
    ours, driver.fileno = pty.openpty()
    driver.exit_event = threading.Event()
    driver._app = _App()  # type: ignore[assignment]

    def read_on() -> None:
        driver.exit_event.wait()
        driver.exit_event.clear()
        driver.exit_event.wait()

    reader = threading.Thread(target=read_on, daemon=True)
    reader.start()
    watching = threading.Thread(target=driver._end_when_gone, args=[reader], daemon=True)
    watching.start()
    os.close(ours)
    reader.join(10)
    watching.join(10)
    os.close(driver.fileno)
    assert not reader.is_alive()
    assert not watching.is_alive()
    assert (None, 129) in driver._app.asked  # type: ignore[attr-defined]
