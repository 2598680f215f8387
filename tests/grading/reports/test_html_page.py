"""The frame of a page: it loads nothing, and its title is text."""

from coursekit.grading.reports.html_page import page


def test_a_page_runs_and_loads_nothing() -> None:
    made = page("<a> & b", "<p>body</p>")
    assert "<title>&lt;a&gt; &amp; b</title>" in made
    assert "default-src 'none'; style-src 'unsafe-inline'" in made
    assert "<p>body</p>" in made
    assert not any(each in made for each in ("<script", "http://", "https://", "<link", "<img"))
