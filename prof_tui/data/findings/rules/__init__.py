"""One module per rule, or pair of close ones; each has ``RULES``, and being here is all that adds it."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prof_tui.data.findings.rule import Rule


@cache
def all_rules() -> tuple[Rule, ...]:
    """The rules of every module of this package, by module."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    return tuple(rule for module in modules for rule in module.RULES)
