"""A table of the export as it stands in its files: what the files pane opens."""

from prof_tui.data.open_capture import OpenCapture
from prof_tui.panes.table.pane import TablePane


class FileTablePane(TablePane):
    """One file type, all columns, file order."""

    def __init__(self, capture: OpenCapture, table_name: str) -> None:
        super().__init__(capture, pane_id=f"file-{table_name}")
        self.table_name = table_name
