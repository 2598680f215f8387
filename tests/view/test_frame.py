"""How a table reads as text and as HTML."""

from __future__ import annotations

import html
import re

from coursekit.view import transcript_table
from coursekit.view.text_width import columns


def test_tables_read_at_eighty_columns_and_escape_html() -> None:
    text = "<b>检查</b>" * 30
    entry = {
        "type": "message",
        "id": "x" * 40,
        "parentId": None,
        "message": {"role": "user", "content": text},
    }
    table = transcript_table([entry])
    assert max(columns(line) for line in str(table).splitlines()) <= 80
    assert "<b>" not in table._repr_html_()
    assert "&lt;b&gt;检查" in table._repr_html_()


def test_a_row_of_html_is_short_and_its_tooltip_has_the_rest() -> None:
    text = "word " * 30
    entry = {
        "type": "message",
        "id": "compact-1",
        "parentId": None,
        "message": {"role": "user", "content": text},
    }
    drawn = transcript_table([entry])._repr_html_()
    shown = [html.unescape(each) for each in re.findall(r"<td[^>]*>([^<]*)</td>", drawn)]
    assert shown[0] == "compact-1"
    assert shown[-1].endswith("word…")
    assert columns(shown[-1]) <= 60
    assert f'title="{text.strip()}"' in drawn
    # Without this a browser breaks an id at its hyphen. A long text gives way in a narrow place.
    assert drawn.count("white-space:nowrap") == 2 * len(shown) - 1


def test_an_empty_table_still_has_its_columns() -> None:
    table = transcript_table([])
    assert list(table.columns) == ["id", "parent", "type", "role", "text"]
    assert len(str(table).splitlines()) == 2
