# SPDX-License-Identifier: BSD-3-Clause
"""What the manual needs to become a site: MkDocs calls these functions, as mkdocs.yml says.

Links to files of the project outside docs/ become plain names, and a page with the docstrings of
the Python package is added.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
DOCSTRINGS = "reference/docstrings.md"
STYLE = """\
.wy-nav-content { max-width: 60rem; }
.rst-content .highlight pre { border: 0; margin: 0; }
.rst-content table.docutils td, .rst-content table.docutils th,
.wy-table-responsive table td, .wy-table-responsive table th { white-space: normal; }
"""
_block = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_code = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
_link = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s#]+)(#[^)\s]*)?\)")


def public_names() -> list[str]:
    """Return the names that the package has, with those of its calculator and its transforms."""
    tree = ast.parse((ROOT / "python/finegrain/__init__.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            names = [name for name in ast.literal_eval(node.value) if not name.startswith("_")]
            return [f"finegrain.{name}" for name in sorted(names, key=str.lower)]
    raise ValueError("python/finegrain/__init__.py has no __all__")


def page_of_docstrings() -> str:
    """Return a page that shows the docstring of each public name."""
    modules = ["finegrain.ase.Finegrain", "finegrain.fft", "finegrain.observables"]
    parts = ["# Python, from the docstrings", "This page has the docstrings of the Python package."]
    return "\n\n".join([*parts, *(f"::: {name}" for name in [*public_names(), *modules])]) + "\n"


def on_files(files: Files, config: Any) -> Files:
    """Add the page of docstrings, and a style by which long cells of tables are broken."""
    files.append(File.generated(config, "css/site.css", content=STYLE))
    files.append(File.generated(config, DOCSTRINGS, content=page_of_docstrings()))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:  # noqa: ARG001
    """Turn links that lead out of docs/ into the name of the file in the checkout."""
    folder = Path(config["docs_dir"]) / Path(page.file.src_uri).parent

    def plain(link: re.Match[str]) -> str:
        target = (folder / link[2]).resolve()
        if "://" in link[2] or target.is_relative_to(config["docs_dir"]) or not target.exists():
            return link[0]  # if there is no such file, MkDocs complains
        name = str(target.relative_to(ROOT))
        return f"`{name}`" if link[1].strip("`") == name else f"{link[1]} (`{name}`)"

    parts = _block.split(markdown)
    parts[::2] = [_link.sub(plain, part) for part in parts[::2]]
    # Two brackets beside each other, as in "[atoms][3]", are no link to a heading.
    parts = _code.split("".join(parts))
    parts[::2] = [part.replace("][", "]\\[") for part in parts[::2]]
    return "".join(parts)
