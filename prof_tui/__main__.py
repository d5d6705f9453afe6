"""``python -m prof_tui`` is ``prof-tui``."""

from prof_tui.cli import main

raise SystemExit(main())
