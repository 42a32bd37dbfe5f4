# SPDX-License-Identifier: BSD-3-Clause
"""What the manual says of the input keys of ab initio runs (tools/input_reference.py)."""

HEAD = """# Input keys of ab initio runs

An input with `kind = "ab-initio"` is TOML, as [that of classical runs](input.md). Every quantity is
text with one number and a unit (`"70 Ry"`, `"10 Å"`, `"1e-6 hartree"`). Unknown keys, keys that
have no effect beside another, and values of another kind are errors. Paths are relative to the
input's folder, `output.directory` to the current one. [How to run one](../how-to/ab-initio.md).

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
    "electrons.pseudopotentials": '`{ O = "O.UPF", H = "H.UPF" }`, a file for each element; or '
    "`auto`, which [finds them](pseudopotentials.md#where-they-are-looked-for). A plain name that "
    "is not beside the input may be that of an installed file",
    "electrons.pseudopotential_folders": "searched first by `auto`",
    "electrons.effective_cutoff": "waves above it are made useless in a cell of any size, by a "
    "step in the kinetic energy, so that the effective cutoff stays when the "
    "[cell changes](../how-to/ab-initio-dynamics.md#choices); below `cutoff`. Needs the next two",
    "electrons.effective_cutoff_height": "half of what the step adds to the kinetic energy "
    "(`qcutz` of Quantum ESPRESSO)",
    "electrons.effective_cutoff_width": "width of the step (`q2sigma` of Quantum ESPRESSO)",
    "electrons.allow_low_cutoff": "accept a cutoff below the one that a file recommends",
    "electrons.allow_other_functional": "accept pseudopotentials made with another functional",
    "electrons.bands": "number of orbitals, with spin of each spin; those above the occupied ones "
    "are found after the ground state, with the gap; before Car-Parrinello dynamics the gap says "
    "how fast the slowest orbitals are",
    "electrons.spin": "`collinear`: each orbital holds one electron, up or down; their numbers are "
    "fixed. `none`: each holds two",
    "electrons.multiplicity": "with spin: 2S + 1, the number of unpaired electrons plus one; 3 for "
    "the triplet of O2",
    "electrons.magnetization": "the same as the number of unpaired electrons, instead of the "
    "multiplicity",
    "electrons.starting_moments": "unpaired electrons of each atom, negative for spin down, in the "
    "density in which the first orbitals are found. By default those of the structure (ASE's "
    "initial magnetic moments), or all electrons alike. Their sum gives the magnetization if no "
    "other key does",
    "electrons.gradient_thresholds": "where the gradient of the density counts: as in Quantum "
    "ESPRESSO (density above 1e-6 1/bohr³, its squared gradient above 1e-10; with spin that limit "
    "of the density is for correlation, and exchange has 1e-10 for each spin), or everywhere",
    "electrons.negative_density": "the energy of exchange and correlation where the density with "
    "its model core is negative, which a cutoff that is too low makes of the core: none, or that "
    "of the absolute value with the other sign, as in Quantum ESPRESSO",
    "electrons.net_force": "the [sum of the forces](../how-to/ab-initio.md#choices), which the "
    "grid leaves: kept, so that forces are the derivatives of the energy, or removed in equal "
    "parts from all ions, as pw.x of Quantum ESPRESSO does; not of a dynamics",
    "electrons.dispersion": "energy of dispersion between atoms, DFT-D3 with the damping of Becke "
    "and Johnson (`d3bj`) or with that to zero (`d3zero`), for PBE, revPBE, BLYP and PBEsol",
    "electrons.three_body": "with the terms of three atoms (Axilrod, Teller and Muto)",
    "electrons.nonlocal_part": "products of orbitals with projectors: exact, by [splines]"
    "(../explanation/splines.md), or what takes less time by the sizes of the job",
    "electrons.local_part": "the same for local potential and cores",
    "electrons.spline_order": "order of the splines; two more make errors about ten times smaller",
    "electrons.spline_grid": "points of the grid of splines along each vector, a multiple of the "
    "fewest that hold the waves",
    "electrons.grid": "points along the vectors of the cell, products of 2, 3, 5 and 7; by itself "
    "the smallest products of 2, 3 and 5 without aliasing of the density, as pw.x of Quantum "
    "ESPRESSO takes them; [what a denser one gains]"
    "(../explanation/accuracy.md#the-grid-of-the-density)",
    "system.masses": "of some elements instead of those of the structure: "
    '`{ H = "2.014 Da" }` makes heavy water',
    "dynamics.kind": "`ground-state`: energy, forces and stress at the given positions. The others "
    "find it first, then move ions by its forces: with `car-parrinello` orbitals move too, with a "
    "fictitious mass; with `born-oppenheimer` the ground state is found again at each step",
    "dynamics.timestep": "length of a step; needed for a dynamics. 0.1 fs is usual for "
    "`car-parrinello`, 0.5 fs for `born-oppenheimer`",
    "dynamics.steps": "number of steps; needed for a dynamics",
    "dynamics.ions": "`rest`: only the orbitals of `car-parrinello` move",
    "dynamics.temperature": "of the velocities at the start and of the thermostat",
    "dynamics.velocities": "origin of the velocities at the start: drawn for the temperature, "
    "without motion of the centre of mass; those of the structure's file; or none",
    "dynamics.thermostat": "heat bath of the ions; `none` keeps the energy constant; "
    "`velocity-rescaling` is that of Bussi, Donadio and Parrinello (CSVR in CP2K)",
    "dynamics.thermostat_time": "time in which `velocity-rescaling` corrects the kinetic energy; "
    "time scale of the chains of `nose-hoover`",
    "dynamics.friction": "of `langevin`",
    "dynamics.chain_length": "thermostats in a chain of `nose-hoover`",
    "dynamics.seed": "seed of drawn velocities and of random thermostats",
    "dynamics.constraints": "pairs of atoms, counted from 1, whose distance stays: that of the "
    "structure, or the one that is given, to which atoms are moved at the start. The force that "
    "keeps it is a column of energies.csv",
    "dynamics.fictitious_mass": "of a coefficient of an orbital, electron masses, as in CPMD and "
    "Quantum ESPRESSO",
    "dynamics.fictitious_mass_cutoff": "coefficients with a higher kinetic energy are heavier, in "
    "proportion to it, so that all oscillate alike",
    "dynamics.orthonormality": "`constrained`: forces keep the orbitals orthonormal; `free`: the "
    "energy is that of the orbitals made orthonormal, and nothing holds them",
    "dynamics.constraint_tolerance": "largest component of the overlaps less one, with "
    "`constrained`",
    "dynamics.reset_above": "`free` orbitals are made orthonormal when a component of the overlaps "
    "less one is larger; the conserved energy does not jump then",
    "dynamics.electron_thermostat": "bath that keeps the fictitious kinetic energy of "
    "`car-parrinello` at a value",
    "dynamics.electron_kinetic_energy": "that value; needed for this bath. One far above the usual "
    "is told or refused",
    "dynamics.electron_thermostat_time": "time scale of this bath",
    "dynamics.predictor_order": "of `born-oppenheimer`: orbitals are predicted from this number of "
    "steps and two more; -1: those of the last step",
    "dynamics.cell": "what moves of the cell under the outer pressure: one factor for all vectors, "
    "one for each, or all nine components",
    "dynamics.pressure": "from outside; of a cell that moves",
    "dynamics.cell_mass": "inertia of a cell that moves",
    "dynamics.cell_period": "of a cell that moves, instead of its mass; needs `bulk_modulus`",
    "dynamics.bulk_modulus": "of the material, for `cell_period`",
    "dynamics.cell_friction": "of a cell that moves, to bring it to rest; none if it is not given",
    "output.energy_interval": "steps between rows of energies; 0: none",
    "output.trajectory_interval": "steps between frames with positions, velocities and forces; 0: "
    "none. Ions at rest have none",
    "ground_state.minimiser": "how the energy is minimised",
    "ground_state.tolerance": "largest residual of a coefficient of an orbital; errors of forces "
    "(hartree/bohr) are 5 to 50 times as large",
    "ground_state.energy_tolerance": "the ground state also counts as found when the energy has "
    "changed by less than this in two iterations",
    "ground_state.iterations": "at most; a ground state that is not found by then is an error "
    "(exit status 3)",
    "ground_state.start": "the lowest orbitals that can be made of those of atoms, which come from "
    "the pseudopotential files, or by the rules of Slater; random ones; or "
    "the folder of a run that has kept its orbitals",
    "ground_state.seed": "seed of random orbitals",
    "objects.pes": "PEs for which all objects are made fine enough; the run may have more or "
    "fewer. A key below stands before it",
    "objects.state_grain": "orbitals of a block",
    "objects.wave_parts": "parts of the half sphere of waves of an orbital",
    "objects.density_parts": "parts of the half sphere of the density, a multiple of `wave_parts`",
    "objects.pair_groups": "groups of blocks: the products of a block with those of each group are "
    "an object of their own",
    "objects.tile_grain": "orbitals along a side of a tile: each tile of the matrices of all "
    "orbitals is an object of its own",
    "objects.pair_chunks": "chunks of the waves of a part: the products of orbitals in each chunk "
    "are an object of their own",
    "objects.plane_pieces": "pieces along y of each part of the density, objects of their own; for "
    "more processors than the grid has planes",
    "output.directory": "folder of the results, relative to the current folder, not the input's",
    "output.orbitals": "whether `checkpoint.h5` is written: the orbitals, and a stopped search",
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
