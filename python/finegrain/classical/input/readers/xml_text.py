# SPDX-License-Identifier: BSD-3-Clause
"""Checks of XML before a library reads it: no entities; each element with its line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.parsers import expat

from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.findings import Findings, given_key

_deepest = 100  # levels of nested elements; recursive parsers run out of stack

OnElement = Callable[[list[str], dict[str, str], int], None]
OnWords = Callable[[list[str], str, int], None]


class _StopError(Exception):
    pass


def look_through(
    given: Input,
    key: str,
    path: Path,
    found: Findings,
    on_element: OnElement,
    whole: str,
    on_text: OnWords | None = None,
) -> None:
    """Call `on_element` with the tags from the root, the attributes and the line of each element.

    At the end of each element `on_text` gets its tags, the text directly in it, and its first line.

    Entities and document types, which may read other files or grow without limit, are refused.
    Raises an error if the file is not XML, or if there are problems in `found`.

    Parameters
    ----------
    whole : str
        What the file should be, such as "OpenMM System".
    """
    open_tags: list[str] = []
    texts: list[tuple[int, list[str]]] = []  # of the open elements
    parser = expat.ParserCreate()

    def start(tag: str, attributes: dict[str, str]) -> None:
        open_tags.append(tag)
        line = parser.CurrentLineNumber
        if len(open_tags) > _deepest:
            found.add(path.name, line, "is nested too deeply", given_key(key, path))
            raise _StopError
        on_element(open_tags, attributes, line)
        texts.append((line, []))

    def end(_tag: str) -> None:
        line, parts = texts.pop()
        if on_text is not None:
            on_text(open_tags, "".join(parts), line)
        open_tags.pop()

    def text(part: str) -> None:
        if texts:
            texts[-1][1].append(part)

    def document_type(*_more: object) -> None:
        hint = "take the lines <!DOCTYPE ...> out; entities may stand for other files"
        line = parser.CurrentLineNumber
        found.add(path.name, line, "has a document type, which is not read", "DOCTYPE", hint=hint)
        raise _StopError

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    if on_text is not None:
        parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = document_type
    try:
        parser.Parse(path.read_bytes(), True)
    except _StopError:
        pass
    except expat.ExpatError as error:
        what, limit = f"is not a whole {whole}", expat.errors.messages[error.code]
        hint = "is the file cut short, or of another kind? copy or make it again"
        found.add(path.name, error.lineno, what, given_key(key, path), limit, hint)
    except (ValueError, LookupError):
        what, limit = f"is not a whole {whole}", "the encoding it names is not known"
        found.add(path.name, 1, what, given_key(key, path), limit, "save it as UTF-8")
    found.raise_them(given)
