# SPDX-License-Identifier: BSD-3-Clause
"""Real spherical harmonics times |G|^l, as polynomials of Gx, Gy, Gz, with their gradients; l <= 3.

References
----------
H. B. Schlegel and M. J. Frisch, Int. J. Quantum Chem. 54, 83 (1995).
"""

from math import pi, sqrt

import numpy as np

Polynomial = tuple[float, dict[tuple[int, int, int], float]]  # factor; powers to coefficients

_table: dict[int, list[Polynomial]] = {
    0: [(sqrt(1 / (4 * pi)), {(0, 0, 0): 1})],
    1: [
        (sqrt(3 / (4 * pi)), {(1, 0, 0): 1}),
        (sqrt(3 / (4 * pi)), {(0, 1, 0): 1}),
        (sqrt(3 / (4 * pi)), {(0, 0, 1): 1}),
    ],
    2: [
        (sqrt(15 / (4 * pi)), {(1, 1, 0): 1}),
        (sqrt(15 / (4 * pi)), {(0, 1, 1): 1}),
        (sqrt(15 / (4 * pi)), {(1, 0, 1): 1}),
        (sqrt(15 / (16 * pi)), {(2, 0, 0): 1, (0, 2, 0): -1}),
        (sqrt(5 / (16 * pi)), {(0, 0, 2): 2, (2, 0, 0): -1, (0, 2, 0): -1}),
    ],
    3: [
        (sqrt(7 / (16 * pi)), {(0, 0, 3): 2, (2, 0, 1): -3, (0, 2, 1): -3}),
        (sqrt(21 / (32 * pi)), {(1, 0, 2): 4, (3, 0, 0): -1, (1, 2, 0): -1}),
        (sqrt(21 / (32 * pi)), {(0, 1, 2): 4, (2, 1, 0): -1, (0, 3, 0): -1}),
        (sqrt(105 / (16 * pi)), {(2, 0, 1): 1, (0, 2, 1): -1}),
        (sqrt(105 / (4 * pi)), {(1, 1, 1): 1}),
        (sqrt(35 / (32 * pi)), {(3, 0, 0): 1, (1, 2, 0): -3}),
        (sqrt(35 / (32 * pi)), {(2, 1, 0): 3, (0, 3, 0): -1}),
    ],
}


def solid_harmonics(l: int, g: np.ndarray) -> tuple[np.ndarray, np.ndarray]:  # noqa: E741
    """Return |G|^l Y_lm(G), shape (2l+1, n), and the gradients by G, shape (2l+1, n, 3)."""
    values = np.zeros((2 * l + 1, len(g)))
    slopes = np.zeros((2 * l + 1, len(g), 3))
    for m, (factor, terms) in enumerate(_table[l]):
        for powers, coefficient in terms.items():
            values[m] += factor * coefficient * np.prod(g ** np.array(powers), axis=1)
            for axis in range(3):
                if powers[axis]:
                    lower = np.array(powers)
                    lower[axis] -= 1
                    slope = factor * coefficient * powers[axis] * np.prod(g**lower, axis=1)
                    slopes[m, :, axis] += slope
    return values, slopes
