"""How a key is declared: the key line, the palette and both kinds of help say what stands there."""

from __future__ import annotations

import re

from textual.binding import Binding

_actions: dict[str, str] = {}
"""Each id and what it does: the help puts all keys of one id on one line."""


def key(
    room: str,
    keys: str,
    action: str,
    description: str,
    tooltip: str,
    group: Binding.Group | None = None,
    *,
    name: str = "",
    show: bool = False,
    priority: bool = False,
) -> Binding:
    """The binding of one or more keys, on the screen's last line with ``show`` or a group.

    Its id is the room and a ``name``, which is the action's words where several don't share them.  A key
    that asks has ``priority``: what is typed behind it is meant for the prompt.
    """
    words = re.findall("[a-z]+", action.removeprefix("app.").removeprefix("screen.").removesuffix("(None)"))
    binding_id = f"{room}.{name or '-'.join(words)}"
    if not (description and tooltip):
        raise ValueError(f"{binding_id} doesn't say what it does")
    if _actions.setdefault(binding_id, action) != action:
        raise ValueError(f"{binding_id} can't do {action}: it does {_actions[binding_id]}")
    shown = show or group is not None
    return Binding(
        keys, action, description, shown, id=binding_id, tooltip=tooltip, group=group, priority=priority
    )
