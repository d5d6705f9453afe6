"""One line of text asked for at the bottom of the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from prof_tui.errors import ProfTuiError
from prof_tui.widgets.keys import key
from prof_tui.words import _, printable

Answer = TypeVar("Answer")


class Dialog(ModalScreen[Answer]):
    """Keys that come in one read with the one that answers it find it still there: they do nothing."""

    answered = False

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        if self.answered:
            return AwaitComplete()
        self.answered = True
        return super().dismiss(result)


class PromptScreen(Dialog[str | None]):
    """Asks for a text; ``accept`` may refuse it with a ProfTuiError, whose sentence is then shown."""

    DEFAULT_CSS = """
    PromptScreen { align: left bottom; background: $background 0%; }
    PromptScreen > Vertical { height: auto; max-height: 8; background: $surface; border-top: solid $primary; }
    PromptScreen Static { height: auto; padding: 0 1; }
    PromptScreen .prompt--error { color: $text-error; display: none; }
    PromptScreen Input, PromptScreen Input:focus { border: none; height: 1; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        key("prompt", "escape", "dismiss(None)", _("Close"), _("Close without doing anything"), show=True)
    ]

    def __init__(
        self,
        title: str,
        *,
        hint: str = "",
        value: str = "",
        replace: bool = False,
        accept: Callable[[str], None],
    ) -> None:
        """``replace``: the first key typed takes the place of ``value``."""
        super().__init__()
        self._prompt_title, self._hint, self._value = title, hint, value
        self._replace, self._accept = replace, accept

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self._prompt_title, markup=False)
            yield Input(self._value, placeholder=self._hint, id="prompt-text", select_on_focus=self._replace)
            yield Static(classes="prompt--error", markup=False)

    def on_key(self, event: events.Key) -> None:
        """Keys that were typed before the prompt stood are its text."""
        line = self.query_one(Input) if self.query(Input) else None
        if line is None or line.has_focus:
            return
        if event.is_printable and event.character:
            event.stop()
            line.insert_text_at_cursor(event.character)
        elif event.key == "enter":
            event.stop()
            self._take(line.value)

    @on(Input.Submitted)
    def _submit(self, message: Input.Submitted) -> None:
        self._take(message.value)

    def _take(self, value: str) -> None:
        if self.answered:
            return
        try:
            self._accept(value)
        except ProfTuiError as error:
            line = self.query_one(".prompt--error", Static)
            line.update(printable(str(error)))
            line.display = True
        else:
            self.dismiss(value)
