# SPDX-License-Identifier: BSD-3-Clause
"""The kind of a file according to its content, if its name says something else."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from finegrain.classical.input.load import Input
from finegrain.classical.input.source import fail

_directive = re.compile(r"(?m)^\s*(\[\s*[A-Za-z]\w*\s*\]|#\s*(include|define|ifdef)\b)")
_pdb = re.compile(r"(?m)^(ATOM  |HETATM|CRYST1|HEADER|MODEL )")
_inpcrd = re.compile(r"\A[^\n]*\n\s*\d+(\s+[-+.\dEe]+)*\s*\n(\s*-?\d+\.\d{7}){3,6}\s*(\n|\Z)")
_gro = re.compile(r"\A[^\n]*\n\s*\d+\s*\n[ \d]{5}[^\n]{15}(\s*-?\d+\.\d+){3}")

_suffixes = {
    "AMBER topology": (".prmtop", ".parm7"),
    "AMBER coordinate file": (".inpcrd", ".rst7", ".rst", ".crd"),
    "AMBER restart file (NetCDF)": (".ncrst", ".rst7", ".rst", ".inpcrd"),
    "PDB file": (".pdb", ".ent"),
    "PDBx/mmCIF file": (".cif", ".pdbx"),
    "CHARMM topology (PSF)": (".psf",),
    "CHARMM coordinate file": (".crd", ".cor"),
    "GROMACS topology": (".top",),
    "GROMACS coordinate file": (".gro",),
    "file of XML": (".xml",),
    "HDF5 file": (".h5",),
}


def refuse_another_kind(given: Input, key: str, path: Path) -> None:
    """Raise if the content is clearly of another kind than the file name says."""
    kind = kind_of(path)
    if not kind or path.suffix.lower() in _suffixes[kind]:
        return
    right = path.with_suffix(_suffixes[kind][0]).name
    hint = f"rename it to {right}, or name the file that was meant"
    if kind == "HDF5 file":
        hint = "name the file that was meant"
    limit = f"{path.name} holds {'an' if kind[0] in 'AH' else 'a'} {kind}"
    raise fail(given, key, "is not what its name says", limit=limit, hint=hint)


def kind_of(path: Path) -> str:
    """Return the kind of a file from its first lines; empty if they do not show it."""
    with path.open("rb") as file:
        head = file.read(20_000).removeprefix(codecs.BOM_UTF8)
    for start, kind in (
        (b"CDF", "AMBER restart file (NetCDF)"),
        (b"\x89HDF", "HDF5 file"),
        (b"%VERSION", "AMBER topology"),
        (b"%FLAG", "AMBER topology"),
        (b"PSF", "CHARMM topology (PSF)"),
        (b"data_", "PDBx/mmCIF file"),
    ):
        if head.lstrip().startswith(start):
            return kind
    text = re.sub(r"\r\n?", "\n", head.decode("utf-8", "replace"))
    if re.match(r"\s*<(\?xml|[A-Za-z!])", text):
        return "file of XML"
    if _inpcrd.match(text):
        return "AMBER coordinate file"  # whose title may begin with a star
    if re.match(r"\*[^\n]*\n(\*[^\n]*\n)*\s*\d+(\s+EXT)?\s*\n", text):
        return "CHARMM coordinate file"
    for pattern, kind in (
        (_gro, "GROMACS coordinate file"),
        (_pdb, "PDB file"),
        (_directive, "GROMACS topology"),
    ):
        if pattern.search(text):
            return kind
    return ""
