# SPDX-License-Identifier: BSD-3-Clause
"""Small systems that other programs have computed too, with the same cut-offs and grids."""

from dataclasses import replace

import numpy as np
from installed import ABINIT, gth, psp8, upf
from plain_kohn_sham import System

from finegrain import units
from finegrain.ab_initio.ions.built_in import built_in
from finegrain.pseudopotentials import read_pseudopotential


def _fcc(a: float) -> np.ndarray:
    return a / 2 * np.array([[-1.0, 0, 1], [0, 1, 1], [-1, 1, 0]])


def hydrogen() -> System:
    """H2 with GTH; Quantum ESPRESSO has no Teter fit, so both use that of Perdew and Zunger."""
    positions = np.array([[0.1, 0.2, 0.3], [1.3, 0.8, 0.7]])
    pseudos = {"H": gth("H", "PADE")}
    return System(8.0 * np.eye(3), ("H", "H"), positions, pseudos, "PZ", 10.0, (25,) * 3)


def water_blyp() -> System:
    """Water with the files of the published calculations, at a low cut-off."""
    positions = np.array([[0.1, -0.2, 0.3], [1.5, 1.0, 0.4], [-1.3, 0.9, 0.1]])
    pseudos = {"O": upf("O.blyp-mt.UPF"), "H": upf("H.blyp-vbc.UPF")}
    vectors = np.diag([9.0, 10.0, 9.0])
    return System(vectors, ("O", "H", "H"), positions, pseudos, "BLYP", 12.5, (32, 36, 32), True)


def water_isolated() -> System:
    """Water without images; in smaller cells programs treat the outermost electrons differently."""
    positions = np.array([[0.1, -0.2, 0.3], [1.5, 1.0, 0.4], [-1.3, 0.9, 0.1]])
    pseudos = {element: gth(element, "PADE") for element in "OH"}
    vectors = np.diag([26.0, 24.0, 22.0])
    grid = (60, 54, 50)
    return System(vectors, ("O", "H", "H"), positions, pseudos, "PZ", 6.0, grid, isolated=True)


def water_cubic() -> System:
    """Water in a large cubic cell, of which pw.x gives the dipole moment."""
    return replace(water_isolated(), vectors=24.0 * np.eye(3), grid=(54,) * 3, isolated=False)


def silicon() -> System:
    """Quantum ESPRESSO's own test pw_scf/scf-gamma.in."""
    positions = 10.2 * np.array([[0.0] * 3, [0.25] * 3])
    pseudos = {"Si": upf("Si.pz-vbc.UPF")}
    return System(_fcc(10.2), ("Si", "Si"), positions, pseudos, "PZ", 6.0, (15,) * 3)


def water_pbe_triclinic() -> System:
    """Water in a small triclinic cell, where nothing is zero by symmetry."""
    vectors = np.array([[7.6, 0.0, 0.0], [-1.6, 7.3, 0.0], [0.9, 1.4, 7.0]])
    positions = np.array([[0.1, 0.2, 0.3], [1.7, 0.9, 0.2], [-0.9, 1.6, 0.6]])
    pseudos = {element: gth(element, "PBE") for element in "OH"}
    return System(vectors, ("O", "H", "H"), positions, pseudos, "PBE", 15.0, (30,) * 3, True)


def hydrogen_revpbe() -> System:
    """H2 with another exchange than that of its pseudopotential."""
    positions = np.array([[0.1, 0.2, 0.3], [1.3, 0.8, 0.7]])
    pseudos = {"H": gth("H", "PBE")}
    return System(7.0 * np.eye(3), ("H", "H"), positions, pseudos, "revPBE", 10.0, (24,) * 3, True)


def silicon_nlcc() -> System:
    """Two displaced silicon atoms with a model core, from a file of UPF version 1."""
    positions = 10.2 * np.array([[0.0] * 3, [0.24, 0.26, 0.27]])
    pseudos = {"Si": read_pseudopotential(ABINIT / "14-Si.nlcc.UPF")}
    return System(_fcc(10.2), ("Si", "Si"), positions, pseudos, "PW92", 6.0, (16,) * 3, True)


def silicon_dojo() -> System:
    """The same with model core, two projectors for each l, and d projectors."""
    positions = 10.2 * np.array([[0.0] * 3, [0.24, 0.26, 0.27]])
    pseudos = {"Si": psp8("Si.psp8")}
    return System(_fcc(10.2), ("Si", "Si"), positions, pseudos, "PW92", 8.0, (20,) * 3)


def germanium() -> System:
    """GTH with three s, two p and one d projectors; the cell is small so that there is a gap."""
    positions = 9.8 * np.array([[0.0] * 3, [0.24, 0.26, 0.27]])
    pseudos = {"Ge": gth("Ge", "BLYP")}
    return System(_fcc(9.8), ("Ge", "Ge"), positions, pseudos, "BLYP", 9.0, (24,) * 3, True)


def hydrogen_dojo() -> System:
    """ABINIT's tutorial tbase1_1."""
    positions = np.array([[-0.7, 0, 0], [0.7, 0, 0]])
    pseudos = {"H": psp8("H.psp8")}
    return System(10.0 * np.eye(3), ("H", "H"), positions, pseudos, "PW92", 10.0, (30,) * 3)


def silicon_nlcc_converged() -> System:
    """The same as "Si2 NLCC LDA" at a cut-off at which the model core has no waves around zero."""
    return replace(silicon_nlcc(), cutoff=25.0, grid=(36,) * 3)


def ammonia() -> System:
    """Ammonia at a usual cut-off, without symmetry."""
    offsets = [[0.0] * 3, [1.80, 0.05, -0.70], [-0.85, 1.55, -0.75], [-0.90, -1.50, -0.65]]
    positions = np.array([0.1, 0.2, 0.3]) + np.array(offsets)
    pseudos = {element: gth(element, "PBE") for element in "NH"}
    vectors = np.diag([9.0, 9.5, 9.0])
    grid = (54, 56, 54)
    return System(vectors, ("N", "H", "H", "H"), positions, pseudos, "PBE", 35.0, grid, True)


def methane() -> System:
    """Methane at a usual cut-off, with bonds of different lengths."""
    offsets = [
        [0.0] * 3,
        [1.2, 1.2, 1.2],
        [1.15, -1.2, -1.25],
        [-1.2, 1.1, -1.2],
        [-1.2, -1.2, 1.3],
    ]
    positions = np.array([0.3, -0.1, 0.2]) + np.array(offsets)
    pseudos = {element: gth(element, "PBE") for element in "CH"}
    vectors = np.diag([9.0, 9.0, 9.5])
    grid = (54, 54, 56)
    return System(vectors, ("C", *"HHHH"), positions, pseudos, "PBE", 35.0, grid, True)


def formic_acid() -> System:
    """A triclinic molecular crystal: two molecules of formic acid, one the inverse of the other."""
    vectors = np.array([[8.2, 0.0, 0.0], [-1.3, 8.8, 0.0], [0.9, -1.1, 10.4]])
    molecule = np.array(  # the collection G2 of ASE
        [
            [-1.967, -0.825, 0.0],
            [0.0, 0.801, 0.0],
            [2.21, 0.196, 0.0],
            [-1.228, -2.523, 0.0],
            [-0.714, 2.746, 0.0],
        ]
    )
    middle = np.array([0.4, 0.7, 0.5])
    positions = np.vstack([middle + molecule, middle + vectors[2] / 2 - molecule])
    positions[3] += [0.1, -0.05, 0.2]  # or forces would add up to zero by inversion
    pseudos = {element: gth(element, "BLYP") for element in "OCH"}
    elements = tuple("OCOHH") * 2
    return System(vectors, elements, positions, pseudos, "BLYP", 25.0, (42, 45, 54), True)


def magnesium_oxide() -> System:
    """The cubic cell of eight atoms, displaced; magnesium with its 2s and 2p electrons."""
    corners = np.array([[0.0, 0, 0], [0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]])
    places = np.vstack([corners, corners + np.array([0.5, 0, 0])])
    places += np.random.default_rng(12).uniform(-0.01, 0.01, places.shape)
    pseudos = {element: psp8(f"{element}.psp8") for element in ("Mg", "O")}
    elements = ("Mg",) * 4 + ("O",) * 4
    return System(7.9 * np.eye(3), elements, 7.9 * places, pseudos, "PW92", 30.0, (40,) * 3)


def gallium_arsenide() -> System:
    """Two elements of row 4, with their 3d electrons; the cell is small so that there is a gap."""
    positions = 9.8 * np.array([[0.0] * 3, [0.24, 0.26, 0.27]])
    pseudos = {element: psp8(f"{element}.psp8") for element in ("Ga", "As")}
    return System(_fcc(9.8), ("Ga", "As"), positions, pseudos, "PW92", 25.0, (35,) * 3)


def silicon_supercell() -> System:
    """Three by three by three primitive cells of silicon, displaced."""
    cells = np.array([(i, j, k) for i in range(3) for j in range(3) for k in range(3)])
    vectors = 3 * _fcc(10.2)
    places = np.vstack([cells, cells + 0.25]) / 3
    places += np.random.default_rng(54).uniform(-0.004, 0.004, places.shape)
    pseudos = {"Si": gth("Si", "PADE")}
    return System(vectors, ("Si",) * 54, places @ vectors, pseudos, "PZ", 9.0, (60,) * 3)


def ice() -> System:
    """Eight waters, as `finegrain init` writes them, at the cut-off of the published work."""
    found = built_in("ice")
    pseudos = {"O": upf("O.blyp-mt.UPF"), "H": upf("H.blyp-vbc.UPF")}
    vectors, positions = (
        x / units.bohr_in_angstrom for x in (found.cell.array, found.get_positions())
    )
    elements = tuple(found.get_chemical_symbols())
    return System(vectors, elements, positions, pseudos, "BLYP", 35.0, (72,) * 3, True)


def hydrogen_atom() -> System:
    """One electron, without images: nothing has the other spin."""
    pseudos = {"H": gth("H", "PADE")}
    place = np.array([[0.2, 0.1, -0.1]])
    return System(
        18.0 * np.eye(3),
        ("H",),
        place,
        pseudos,
        "PZ",
        10.0,
        (54,) * 3,
        isolated=True,
        magnetization=1,
    )


def _atoms_in_vacuum(
    elements: tuple, place: list, functional: str, cutoff: float, grid: int, unpaired: int
) -> System:
    """Few electrons in a cell that is mostly empty, where the density is low."""
    pseudos = {element: gth(element, functional) for element in elements}
    return System(
        np.diag([11.0, 10.5, 10.0]),
        elements,
        np.array(place),
        pseudos,
        functional,
        cutoff,
        (grid,) * 3,
        pw_rules=True,
        magnetization=unpaired,
    )


def hydrogen_atom_pbe() -> System:
    """One electron, in a cell with images: nothing has the other spin."""
    return _atoms_in_vacuum(("H",), [[0.2, 0.1, -0.1]], "PBE", 20.0, 45, 1)


def hydrogen_triplet() -> System:
    """Two electrons of one spin, without a bond."""
    place = [[0.2, 0.1, -0.1], [1.5, 1.3, 0.8]]
    return _atoms_in_vacuum(("H", "H"), place, "BLYP", 20.0, 45, 2)


def nitrogen_atom() -> System:
    """Three unpaired electrons of five."""
    return _atoms_in_vacuum(("N",), [[0.2, 0.1, -0.1]], "PBE", 30.0, 56, 3)


def _oxygen(functional: str, cutoff: float, vectors: np.ndarray, grid: tuple) -> System:
    pseudos = {"O": gth("O", "PADE" if functional == "PZ" else functional)}
    place = np.array([[0.1, 0.2, -0.1], [1.4, 1.5, 1.2]])
    thresholds = functional != "PZ"
    return System(
        vectors, ("O", "O"), place, pseudos, functional, cutoff, grid, thresholds, magnetization=2
    )


def oxygen_lda() -> System:
    """O2 as a triplet, on no axis, so that its forces and stresses have all components."""
    return _oxygen("PZ", 25.0, np.diag([8.0, 8.4, 8.2]), (40, 40, 40))


def oxygen_pbe() -> System:
    """The same with the gradient and at a usual cut-off."""
    return _oxygen("PBE", 35.0, np.diag([8.0, 8.4, 8.2]), (45, 48, 45))


def oxygen_isolated() -> System:
    """O2 without images, at a low cut-off."""
    system = _oxygen("PZ", 12.5, 20.0 * np.eye(3), (64,) * 3)
    return replace(system, isolated=True)


def oxygen_dojo() -> System:
    """O2 with a model core."""
    system = _oxygen("PZ", 45.0, np.diag([7.0, 7.2, 7.4]), (45,) * 3)
    return replace(system, pseudopotentials={"O": psp8("O.psp8")}, functional="PW92")


def methyl() -> System:
    """CH3, which has an odd number of electrons, without symmetry."""
    offsets = [[0.0] * 3, [2.05, 0.1, 0.1], [-1.0, 1.75, -0.1], [-0.95, -1.8, 0.3]]
    positions = np.array([0.1, 0.2, 0.3]) + np.array(offsets)
    pseudos = {element: gth(element, "BLYP") for element in "CH"}
    vectors, grid = np.diag([9.0, 9.0, 8.0]), (45, 45, 40)
    elements = ("C", *"HHH")
    return System(vectors, elements, positions, pseudos, "BLYP", 25.0, grid, True, magnetization=1)


def silicon_triplet() -> System:
    """A solid with a moment: two silicon atoms with a model core, and two unpaired electrons."""
    return replace(silicon_dojo(), magnetization=2)


def silicon_triplet_nlcc() -> System:
    """With a model core that has waves around zero at this cut-off, and no symmetry to break."""
    positions = 10.2 * np.array([[0.0] * 3, [0.235, 0.26, 0.275]])
    return replace(silicon_nlcc(), positions=positions, magnetization=2)


FOR_PW = {
    "H2 GTH LDA": hydrogen,
    "H2O MT BLYP": water_blyp,
    "H2O GTH LDA isolated": water_isolated,
    "Si2 VBC LDA": silicon,
    "H2O GTH PBE triclinic": water_pbe_triclinic,
    "H2 GTH revPBE": hydrogen_revpbe,
    "Ge2 GTH BLYP": germanium,
    "Si2 NLCC LDA": silicon_nlcc,
    "Si2 ONCV NLCC LDA": silicon_dojo,
    "Si2 NLCC LDA 50 Ry": silicon_nlcc_converged,
    "NH3 GTH PBE": ammonia,
    "CH4 GTH PBE": methane,
    "GaAs ONCV LDA": gallium_arsenide,
}
SPINS = {
    "H GTH LDA isolated spin": hydrogen_atom,
    "O2 GTH LDA spin": oxygen_lda,
    "O2 GTH PBE spin": oxygen_pbe,
    "O2 GTH LDA isolated spin": oxygen_isolated,
    "O2 ONCV NLCC LDA spin": oxygen_dojo,
    "CH3 GTH BLYP spin": methyl,
    "H GTH PBE spin": hydrogen_atom_pbe,
    "H2 GTH BLYP spin": hydrogen_triplet,
    "N GTH PBE spin": nitrogen_atom,
    "Si2 ONCV NLCC LDA spin": silicon_triplet,
    "Si2 NLCC LDA spin": silicon_triplet_nlcc,
}
# Too large for the plain program in a test.
DIPOLES = {"H2O GTH LDA cubic": water_cubic}
FOR_ENGINE = {
    "HCOOH GTH BLYP triclinic": formic_acid,
    "MgO ONCV LDA": magnesium_oxide,
    "8 H2O MT BLYP 70 Ry": ice,
    "Si54 GTH LDA": silicon_supercell,
}
FOR_ABINIT = {"H2 ONCV LDA": hydrogen_dojo, "Si2 ONCV NLCC LDA": silicon_dojo}
