# SPDX-License-Identifier: BSD-3-Clause
"""What the manual says of the input keys of ab initio runs (tools/input_reference.py)."""

HEAD = """# Input keys of ab initio runs

This page lists all keys of an input with `kind = "ab-initio"`; another one shows
[how to run it](../how-to/ab-initio.md). The input is a text file in the TOML format, as
[that of classical runs](input.md). Every quantity is text with one number and a unit (`"70 Ry"`,
`"10 Å"`, `"1e-6 hartree"`). Errors are unknown keys, keys that have no effect with the other keys,
and values of another kind. Paths are relative to the input's folder, `output.directory` to the
current one.

This page is made by `tools/input_reference.py`."""

MEANINGS = {
    "system.kind": "kind of run",
    "system.title": "a title, stored in every result",
    "system.structure": "any file that ASE reads: xyz, cif, POSCAR, pdb, gen and others; or "
    "`built-in:ice`, `built-in:silicon`, or a molecule of ASE's G2 collection, `built-in:H2O`",
    "system.frame": "which structure of a file with several, from 0; -1 is the last",
    "system.cell": "three edges; three lengths and three angles; or three vectors. Without it that "
    "of the file",
    "system.boundary": "`isolated`: a molecule without its periodic images, [which needs]"
    "(../how-to/ab-initio.md#molecules) a cell twice as large as the molecule with its electrons, "
    "and has no stress",
    "system.least_distance": "atoms that are closer are refused (half of their bond length)",
    "electrons.cutoff": "largest kinetic energy of a wave of the orbitals; that of the density is "
    "four times as high",
    "electrons.functional": "`PBE`, `BLYP`, `revPBE`, `LDA` (numbers of PZ81; pseudopotentials of "
    "any fit to the electron gas), `PZ81`, `PW92`, or names of libxc: "
    "`GGA_X_PBE_SOL+GGA_C_PBE_SOL`",
    "electrons.pseudopotentials": '`{ O = "O.UPF", H = "H.UPF" }`, a file for each element, beside '
    "the input or installed; or `auto`, which "
    "[finds them](pseudopotentials.md#where-they-are-looked-for)",
    "electrons.pseudopotential_folders": "searched first by `auto`",
    "electrons.effective_cutoff": "a step in the kinetic energy makes waves above it useless, in "
    "a [cell of any size](../how-to/ab-initio-dynamics.md#choices); below `cutoff`. Needs the "
    "next two",
    "electrons.effective_cutoff_height": "half of what the step adds to the kinetic energy "
    "(`qcutz` of Quantum ESPRESSO)",
    "electrons.effective_cutoff_width": "width of the step (`q2sigma` of Quantum ESPRESSO)",
    "electrons.allow_low_cutoff": "accept a cutoff below the one that a file recommends",
    "electrons.allow_other_functional": "accept pseudopotentials made with another functional",
    "electrons.bands": "number of orbitals, with spin of each spin; those above the occupied ones "
    "are found after the ground state, with [the gap](../how-to/ab-initio.md#empty-orbitals)",
    "electrons.spin": "`collinear`: each orbital holds one electron, up or down; their numbers are "
    "fixed. `none`: each holds two",
    "electrons.multiplicity": "with spin: 2S + 1, the number of unpaired electrons plus one; 3 for "
    "the triplet of O2",
    "electrons.magnetization": "the same as the number of unpaired electrons, instead of the "
    "multiplicity",
    "electrons.starting_moments": "unpaired electrons of each atom at the start, negative for spin "
    "down; by default ASE's initial magnetic moments, or none. Their sum gives the magnetization "
    "if no other key does",
    "electrons.gradient_thresholds": "where the gradient of the density counts: everywhere, or as "
    "in Quantum ESPRESSO where density (1/bohr³) and squared gradient are above 1e-6 and 1e-10 "
    "(with spin: 1e-6 for correlation, 1e-10 for exchange)",
    "electrons.negative_density": "exchange and correlation where the density with its model core "
    "is negative (by too low a cutoff): none, or that of the absolute value with the other sign, "
    "as in Quantum ESPRESSO",
    "electrons.net_force": "the [sum of the forces](../how-to/ab-initio.md#choices): kept, so that "
    "forces are derivatives of the energy, or removed in equal parts from all ions, as pw.x does; "
    "not with dynamics",
    "electrons.dispersion": "dispersion between atoms by DFT-D3, with the damping of Becke and "
    "Johnson (`d3bj`) or the original one (`d3zero`); for PBE, revPBE, BLYP and PBEsol",
    "electrons.three_body": "whether the dispersion has terms of three atoms (Axilrod, Teller and "
    "Muto)",
    "electrons.nonlocal_part": "products of orbitals with projectors: exact, by [splines]"
    "(../explanation/splines.md), or by the faster of the two (an estimate)",
    "electrons.local_part": "the same for local potential and cores",
    "electrons.spline_order": "order of the splines; two more make errors about ten times smaller",
    "electrons.spline_grid": "points of the grid of splines along each vector, over the fewest "
    "that hold the waves",
    "electrons.grid": "points along the vectors of the cell, products of 2, 3, 5, 7; by default "
    "the fewest without aliasing, as in pw.x. "
    "[A denser one](../explanation/accuracy.md#the-grid-of-the-density) makes errors smaller",
    "system.masses": "masses of some elements, instead of those of the structure: "
    '`{ H = "2.014 Da" }` makes heavy water',
    "dynamics.kind": "`ground-state`: energy, forces and stress at the given positions; or "
    "[dynamics](../how-to/ab-initio-dynamics.md) that begin there",
    "dynamics.timestep": "length of a step; needed for a dynamics. 0.1 fs is usual for "
    "`car-parrinello`, 0.5 fs for `born-oppenheimer`",
    "dynamics.steps": "number of steps; needed for a dynamics",
    "dynamics.ions": "`rest`: only the orbitals of `car-parrinello` move",
    "dynamics.temperature": "temperature of the velocities at the start, and of the thermostat",
    "dynamics.velocities": "origin of the velocities at the start: drawn for the temperature, "
    "without motion of the centre of mass; those of the structure's file; or none",
    "dynamics.thermostat": "heat bath of the ions; `none` keeps the energy constant; "
    "`velocity-rescaling` is that of Bussi, Donadio and Parrinello (CSVR in CP2K)",
    "dynamics.thermostat_time": "time in which `velocity-rescaling` corrects the kinetic energy; "
    "time scale of the chains of `nose-hoover`",
    "dynamics.friction": "friction of `langevin`",
    "dynamics.chain_length": "thermostats in a chain of `nose-hoover`",
    "dynamics.seed": "seed of drawn velocities and of random thermostats",
    "dynamics.constraints": "pairs of atoms, counted from 1, whose distance stays: that of the "
    "structure, or the given one. The force that keeps it is a column of energies.csv",
    "dynamics.fictitious_mass": "mass of a coefficient of an orbital, in electron masses, as in "
    "CPMD and Quantum ESPRESSO",
    "dynamics.fictitious_mass_cutoff": "coefficients with a higher kinetic energy are heavier, in "
    "proportion to it, so that all oscillate alike",
    "dynamics.orthonormality": "`constrained`: forces keep the orbitals orthonormal; `free`: the "
    "energy is that of the orbitals made orthonormal, and nothing holds them",
    "dynamics.constraint_tolerance": "with `constrained`: largest difference of an overlap of "
    "orbitals from 1 (or 0)",
    "dynamics.reset_above": "`free` orbitals are made orthonormal when an overlap differs from 1 "
    "(or 0) by more than this; the conserved energy does not jump then",
    "dynamics.electron_thermostat": "bath that keeps the fictitious kinetic energy of "
    "`car-parrinello` at a value",
    "dynamics.electron_kinetic_energy": "that value; needed for this bath. `check` notes or "
    "refuses one that is far above the usual",
    "dynamics.electron_thermostat_time": "time scale of this bath",
    "dynamics.predictor_order": "with `born-oppenheimer`: orbitals are predicted from this number "
    "of past steps and two more; -1: those of the last step are taken",
    "dynamics.cell": "what of the cell moves under the pressure: nothing, one factor for all "
    "vectors, one factor for each, or all nine components",
    "dynamics.pressure": "pressure from outside on a cell that moves",
    "dynamics.cell_mass": "inertia of a cell that moves",
    "dynamics.cell_period": "period of a cell that moves, instead of its mass; needs "
    "`bulk_modulus`",
    "dynamics.bulk_modulus": "bulk modulus of the material, for `cell_period`",
    "dynamics.cell_friction": "friction that brings a moving cell to rest; none by default",
    "output.energy_interval": "steps between rows of energies; 0: none",
    "output.trajectory_interval": "steps between frames with positions, velocities and forces; 0: "
    "none. Ions at rest have none",
    "ground_state.minimiser": "how the energy is minimised",
    "ground_state.tolerance": "largest residual of a coefficient of an orbital; errors of forces "
    "(hartree/bohr) are 5 to 50 times as large",
    "ground_state.energy_tolerance": "the ground state also counts as found when the energy has "
    "changed by less than this in two iterations",
    "ground_state.iterations": "most iterations; a ground state that is not found by then is an "
    "error (exit status 3)",
    "ground_state.start": "`atomic`: the lowest combinations of orbitals of atoms (of the "
    "pseudopotential files, or by Slater's rules); `random`; or the folder of a run whose orbitals "
    "are kept",
    "ground_state.seed": "seed of random orbitals",
    "objects.pes": "worker threads (PEs) for which there are enough objects; the run may have "
    "more or fewer. The keys below overrule it",
    "objects.state_grain": "orbitals in a block",
    "objects.wave_parts": "parts of the waves of an orbital (a half sphere)",
    "objects.density_parts": "parts of the density, a multiple of `wave_parts`",
    "objects.pair_groups": "groups of blocks: the products of a block with those of each group are "
    "an object of their own",
    "objects.tile_grain": "orbitals along a side of a tile: each tile of the matrices of all "
    "orbitals is an object of its own",
    "objects.pair_chunks": "chunks of the waves of a part: the products of orbitals in each chunk "
    "are an object of their own",
    "objects.plane_pieces": "pieces along y of each part of the density, objects of their own; for "
    "more processors than the grid has planes",
    "output.directory": "folder of the results, relative to the current folder, not the input's",
    "output.orbitals": "whether `checkpoint.h5` is written, with the orbitals and the state of a "
    "stopped search",
    "output.checkpoint_interval": "wall-clock time between checkpoints; 0: only at the end",
    "output.density": "whether `ground_state.h5` holds the density at the points of the grid",
}

# Defaults that are not in the model.
DEFAULTS = {
    "electrons.bands": "half of the electrons",
    "electrons.multiplicity": "needed with spin, if no other key or moments give it",
    "electrons.grid": "chosen",
    "ground_state.start": "`atomic` if there are enough of them, else `random`",
    "dynamics.velocities": "`from-temperature` if there is a temperature, else `from-file`",
    "dynamics.cell_mass": "three quarters of the mass of all ions over π²",
    "objects.state_grain": "chosen from the sizes and `pes`",
    "objects.wave_parts": "chosen from the sizes and `pes`",
    "objects.density_parts": "chosen from the sizes and `pes`",
    "objects.tile_grain": "all orbitals up to 256, else 256 or a little less",
    "output.directory": "`runs/NAME`, NAME from the input file",
}
