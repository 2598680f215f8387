"""The frame of every HTML page here: no script, nothing loaded from anywhere."""

from html import escape

_STYLE = """
:root { color-scheme: light dark; --line: #8886; --soft: #8881; --good: #1a7f37; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --good: #57c76f; --bad: #ff8a80; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem; text-align: left; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
pre { background: var(--soft); padding: .7rem 1rem; overflow-x: auto; white-space: pre-wrap;
  overflow-wrap: anywhere; font-size: .875rem; }
.pass { color: var(--good); } .fail { color: var(--bad); }
.note { border-left: 4px solid var(--bad); padding: .3rem 1rem; background: var(--soft); }
.share { white-space: nowrap; min-width: 5.5rem; }
.bar { display: inline-block; height: .7rem; background: var(--good); vertical-align: middle; }
.rest { display: inline-block; height: .7rem; background: var(--line); vertical-align: middle; }
"""


def page(title: str, body: str) -> str:
    """A whole page; `body` is HTML, in which every text has been escaped."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )
