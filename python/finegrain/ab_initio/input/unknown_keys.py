# SPDX-License-Identifier: BSD-3-Clause
"""Keys of other programs that an ab initio input does not have, and what to write instead."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

NO_CHARGE = "a net charge is not supported by this version"
_cell_is_neutral = (
    f"unknown key: {NO_CHARGE}, and the cell is neutral",
    "take it out; an ion such as H3O+, OH- or NH4+ cannot be computed, and with spin instead of "
    "its charge it would be the neutral radical",
)
_one_point = (
    "unknown key: the Gamma point is the only one",
    "take it out, and repeat the cell of a crystal until its results no longer change (ASE: "
    "atoms.repeat(2))",
)
_full_or_empty = (
    "unknown key: orbitals are full or empty",
    "take it out; a metal needs fractional occupations, which this version does not have",
)


def _instead(key: str, example: str) -> tuple[str, str]:
    return "unknown key", f"did you mean {key}? such as {example}"


_cutoff = _instead("cutoff", 'cutoff = "70 Ry", with its unit')
_density = (
    "unknown key: the cutoff of the density follows from that of the orbitals",
    "take it out; it is four times as high",
)
_functional = _instead("functional", 'functional = "PBE"')
_files = _instead("pseudopotentials", 'pseudopotentials = "auto", or { O = "O.UPF" }')
_spin = _instead("spin", 'spin = "collinear", with multiplicity or magnetization')
_unpaired = _instead("magnetization", "magnetization = 2, the number of unpaired electrons")
_iterations = _instead("ground_state.iterations", "iterations = 200")
_residual = _instead("ground_state.tolerance", 'tolerance = "1e-7 hartree"')
_bands = _instead("bands", "bands = 10; without it as many as the electrons need")
_start = _instead("starting_moments", "starting_moments = [1, 1], one number for each atom")
_dispersion = _instead("dispersion", 'dispersion = "d3bj"')
_structure = _instead("structure", 'structure = "water.xyz"')
_boundary = _instead("boundary", 'boundary = "isolated" for a molecule without images')
_mixing = (
    "unknown key: the energy is minimised directly, and no densities are mixed",
    "take it out; [ground_state] minimiser and tolerance say how the ground state is found",
)

# What is wrong, and the remedy, by the name in small letters. Names are those of CP2K, CPMD, ORCA,
# Quantum ESPRESSO, VASP, and of ASE's calculators.
ABSENT: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(
            (
                "charge",
                "tot_charge",
                "total_charge",
                "net_charge",
                "netcharge",
                "charges",
                "nelect",
            ),
            _cell_is_neutral,
        ),
        **dict.fromkeys(
            ("k_points", "kpoints", "kpts", "kspacing", "kmesh", "nk", "k"), _one_point
        ),
        **dict.fromkeys(
            (
                "occupations",
                "smearing",
                "degauss",
                "ismear",
                "sigma",
                "width",
                "electronic_temperature",
                "fractional_occupations",
            ),
            _full_or_empty,
        ),
        **dict.fromkeys(("ecut", "ecutwfc", "encut", "energy_cutoff", "pw_cutoff"), _cutoff),
        **dict.fromkeys(("ecutrho", "density_cutoff", "rho_cutoff"), _density),
        **dict.fromkeys(("xc", "xc_functional", "input_dft", "dft", "exchange"), _functional),
        **dict.fromkeys(
            ("pseudo", "pseudos", "pseudo_dir", "pp", "pps", "potentials", "setups"), _files
        ),
        **dict.fromkeys(("nspin", "ispin", "lsd", "uks", "spin_polarized", "spinpol"), _spin),
        **dict.fromkeys(("tot_magnetization", "nupdown", "unpaired", "fixed_magmom"), _unpaired),
        **dict.fromkeys(("magmom", "magmoms", "starting_magnetization"), _start),
        **dict.fromkeys(
            ("max_iterations", "maxiter", "max_iter", "electron_maxstep", "nelm", "max_scf"),
            _iterations,
        ),
        **dict.fromkeys(
            ("conv_thr", "ediff", "eps_scf", "convergence", "scf_tolerance"), _residual
        ),
        **dict.fromkeys(("nbnd", "nbands", "nstates"), _bands),
        **dict.fromkeys(("vdw_corr", "vdw", "ivdw", "d3", "dftd3"), _dispersion),
        **dict.fromkeys(("coordinates", "topology", "positions", "atoms", "xyz"), _structure),
        **dict.fromkeys(("assume_isolated", "pbc", "periodic", "periodicity"), _boundary),
        **dict.fromkeys(("mixing", "mixing_beta", "mixing_mode", "amix"), _mixing),
    }
)
