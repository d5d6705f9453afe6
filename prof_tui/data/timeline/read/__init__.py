"""Reading a timeline: in go blocks of JSON, out comes an index of its events by lane and time."""
