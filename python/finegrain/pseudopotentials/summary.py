# SPDX-License-Identifier: BSD-3-Clause
"""Figures by which a person can check a pseudopotential."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from finegrain.pseudopotentials.description import (
    Channel,
    GaussianProjector,
    Mesh,
    Pseudopotential,
)
from finegrain.pseudopotentials.radial import simpson_weights
from finegrain.pseudopotentials.transforms import alpha, atomic_density, core_density


def summary(pseudo: Pseudopotential) -> dict[str, Any]:
    """Return the main figures, named with their units.

    Returns
    -------
    dict
        What it is, and `alpha` (`finegrain.pseudopotentials.transforms.alpha`). For each l the
        norms of the projectors and the eigenvalues of D. The electrons of the model core and of the
        atom.
    """
    found: dict[str, Any] = {
        "element": pseudo.element,
        "file": str(pseudo.path),
        "format": pseudo.form,
        "name": pseudo.label,
        "sha256": pseudo.sha256,
        "functional": pseudo.functional.name,
        "functional_in_file": pseudo.functional.written,
        "valence_electrons": pseudo.charge,
        "alpha_hartree_bohr3": alpha(pseudo),
        "projectors_of_an_atom": pseudo.projectors,
        "channels": [
            {
                "l": channel.l,
                "projector_norms": _norms(channel, pseudo.mesh),
                "coupling_eigenvalues_hartree": np.linalg.eigvalsh(channel.coupling).tolist(),
            }
            for channel in pseudo.channels
        ],
        "core_corrected": pseudo.core_corrected,
        "notes": list(pseudo.notes),
    }
    if pseudo.core_corrected:
        found["core_electrons"] = float(core_density(pseudo, [0.0]).values[0])
    if pseudo.atomic_density is not None:
        found["electrons_of_the_atom"] = float(atomic_density(pseudo, [0.0]).values[0])
    return found


def _norms(channel: Channel, mesh: Mesh | None) -> list[float]:
    """Return the square roots of the integrals of (r beta)^2; Gaussian projectors have 1."""
    norms = []
    for one in channel.projectors:
        if isinstance(one, GaussianProjector) or mesh is None:
            norms.append(1.0)
        else:
            weights = simpson_weights(mesh.step, one.points)
            norms.append(sqrt(float(np.sum(weights * one.r_beta[: len(weights)] ** 2))))
    return norms
