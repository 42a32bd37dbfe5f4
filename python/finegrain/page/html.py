# SPDX-License-Identifier: BSD-3-Clause
"""The parts of an HTML page, and a page of them in one file that loads nothing.

Every text is escaped here, so that titles and names of files from others stay text.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from finegrain.base.visible import visible

MADE_BY = '<meta name="generator" content="finegrain show">'
MOST_BYTES = 5_000_000
_here = Path(__file__).parent


@dataclass(frozen=True)
class Section:
    """A part of a page.

    Attributes
    ----------
    title : str
        Its heading, as plain text.
    parts : sequence of str
        HTML, as the functions of this module make it.
    closed : bool
        Whether a reader opens it with a click.
    """

    title: str
    parts: Sequence[str] = field(default=())
    closed: bool = False


def text(value: object) -> str:
    """Return any value as HTML that shows it as it is."""
    return html.escape(visible(str(value)))


def paragraph(words: str) -> str:
    """Return a paragraph of plain text."""
    return f"<p>{text(words)}</p>"


def items(lines: Iterable[str], *, style: str = "") -> str:
    """Return a list of plain texts; `style` is a class of the style sheet."""
    inside = "".join(f"<li>{text(line)}</li>" for line in lines)
    return f'<ul class="{style}">{inside}</ul>' if style else f"<ul>{inside}</ul>"


def preformatted(words: str) -> str:
    """Return plain text with its lines, such as an input."""
    return f"<pre>{html.escape(visible(words, keep=chr(10)))}</pre>"


def names_and_values(rows: Iterable[tuple[str, str]]) -> str:
    """Return a table of names and values."""
    lines = "".join(f"<tr><th>{text(name)}</th><td>{text(value)}</td></tr>" for name, value in rows)
    return f'<div class="wide"><table class="values">{lines}</table></div>'


def table(rows: Sequence[Sequence[str]], *, numbers: Iterable[int] = ()) -> str:
    """Return a table; the first row is the heading, columns in `numbers` stand on the right."""
    right = set(numbers)

    def row(cells: Sequence[str], tag: str) -> str:
        return "".join(
            f'<{tag} class="number">{text(cell)}</{tag}>'
            if place in right
            else f"<{tag}>{text(cell)}</{tag}>"
            for place, cell in enumerate(cells)
        )

    body = "".join(f"<tr>{row(cells, 'td')}</tr>" for cells in rows[1:])
    head = f"<thead><tr>{row(rows[0], 'th')}</tr></thead>"
    return f'<div class="wide"><table>{head}<tbody>{body}</tbody></table></div>'


def png_picture(image: bytes, words: str) -> str:
    """Return a picture inside the page; `words` are for who does not see it."""
    data = base64.b64encode(image).decode()
    return f'<img alt="{text(words)}" src="data:image/png;base64,{data}">'


def fragment(sections: Sequence[Section], level: int = 2) -> str:
    """Return sections with their headings, as a part of a page."""
    return "".join(_section(section, level) for section in sections)


def _section(section: Section, level: int) -> str:
    inside = "".join(section.parts)
    title = text(section.title)
    if section.closed:
        return f"<details><summary>{title}</summary>{inside}</details>"
    return f"<section><h{level}>{title}</h{level}>{inside}</section>"


def style() -> str:
    """Return the style sheet of pages and of what notebooks show."""
    return f"<style>{_without_head(_here / 'style.css')}</style>"


def document(title: str, sections: Sequence[Section]) -> str:
    """Return a whole page."""
    body = fragment(sections)
    script = ""
    if "data-structure" in body:
        script = f"<script>{_without_head(_here / 'viewer.js')}</script>"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f"{MADE_BY}\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{text(title)}</title>\n{style()}\n</head>\n"
        f'<body class="finegrain"><h1>{text(title)}</h1>\n{body}\n{script}</body></html>\n'
    )


def is_our_page(file: Path) -> bool:
    """Return whether a file is a page that this module made; a pipe is not opened."""
    if not file.is_file():
        return False
    try:
        with file.open("rb") as opened:
            return MADE_BY.encode() in opened.read(500)
    except OSError:
        return False


def _without_head(file: Path) -> str:
    """Return a source without the comments at its head."""
    return re.sub(r"\A(\s*/\*.*?\*/)+\s*", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
