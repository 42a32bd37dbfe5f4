# SPDX-License-Identifier: BSD-3-Clause
"""The methods that an ab initio run uses."""

from __future__ import annotations

from finegrain.ab_initio.job import AbInitioJob
from finegrain.cite import Reference, article, finegrain_itself, reference

_articles = {
    one.key: one
    for one in (
        article(
            "perdew1996",
            "the functional PBE",
            "Perdew, J. P. and Burke, K. and Ernzerhof, M.",
            "Generalized gradient approximation made simple",
            "Phys. Rev. Lett.",
            "1996 77 3865--3868",
            "10.1103/PhysRevLett.77.3865",
        ),
        article(
            "zhang1998",
            "the exchange of revPBE",
            "Zhang, Y. and Yang, W.",
            "Comment on ``Generalized gradient approximation made simple''",
            "Phys. Rev. Lett.",
            "1998 80 890",
            "10.1103/PhysRevLett.80.890",
        ),
        article(
            "becke1988",
            "the exchange of BLYP",
            "Becke, A. D.",
            "Density-functional exchange-energy approximation with correct asymptotic behavior",
            "Phys. Rev. A",
            "1988 38 3098--3100",
            "10.1103/PhysRevA.38.3098",
        ),
        article(
            "lee1988",
            "the correlation of BLYP",
            "Lee, C. and Yang, W. and Parr, R. G.",
            "Development of the {Colle-Salvetti} correlation-energy formula into a functional of "
            "the electron density",
            "Phys. Rev. B",
            "1988 37 785--789",
            "10.1103/PhysRevB.37.785",
        ),
        article(
            "perdew1981",
            "the functional PZ81",
            "Perdew, J. P. and Zunger, A.",
            "Self-interaction correction to density-functional approximations for many-electron "
            "systems",
            "Phys. Rev. B",
            "1981 23 5048--5079",
            "10.1103/PhysRevB.23.5048",
        ),
        article(
            "perdew1992",
            "the functional PW92",
            "Perdew, J. P. and Wang, Y.",
            "Accurate and simple analytic representation of the electron-gas correlation energy",
            "Phys. Rev. B",
            "1992 45 13244--13249",
            "10.1103/PhysRevB.45.13244",
        ),
        article(
            "lehtola2018",
            "the functional (libxc)",
            "Lehtola, S. and Steigemann, C. and Oliveira, M. J. T. and Marques, M. A. L.",
            "Recent developments in libxc: a comprehensive library of functionals for density "
            "functional theory",
            "SoftwareX",
            "2018 7 1--5",
            "10.1016/j.softx.2017.11.002",
        ),
        article(
            "white1994",
            "potentials of gradients on a grid",
            "White, J. A. and Bird, D. M.",
            "Implementation of gradient-corrected exchange-correlation potentials in "
            "{Car-Parrinello} total-energy calculations",
            "Phys. Rev. B",
            "1994 50 4954--4957",
            "10.1103/PhysRevB.50.4954",
        ),
        article(
            "goedecker1996",
            "pseudopotentials of the kind GTH",
            "Goedecker, S. and Teter, M. and Hutter, J.",
            "Separable dual-space {Gaussian} pseudopotentials",
            "Phys. Rev. B",
            "1996 54 1703--1710",
            "10.1103/PhysRevB.54.1703",
        ),
        article(
            "hartwigsen1998",
            "pseudopotentials of the kind GTH",
            "Hartwigsen, C. and Goedecker, S. and Hutter, J.",
            "Relativistic separable dual-space {Gaussian} pseudopotentials from {H} to {Rn}",
            "Phys. Rev. B",
            "1998 58 3641--3662",
            "10.1103/PhysRevB.58.3641",
        ),
        article(
            "bernasconi1995",
            "a constant effective cutoff in cells that change",
            "Bernasconi, M. and Chiarotti, G. L. and Focher, P. and Scandolo, S. and Tosatti, E. "
            "and Parrinello, M.",
            "First-principle-constant pressure molecular dynamics",
            "J. Phys. Chem. Solids",
            "1995 56 501--505",
            "10.1016/0022-3697(94)00228-2",
        ),
        article(
            "kleinman1982",
            "nonlocal pseudopotentials as projectors",
            "Kleinman, L. and Bylander, D. M.",
            "Efficacious form for model pseudopotentials",
            "Phys. Rev. Lett.",
            "1982 48 1425--1428",
            "10.1103/PhysRevLett.48.1425",
        ),
        article(
            "lee2005",
            "nonlocal pseudopotentials by splines",
            "Lee, H.-S. and Tuckerman, M. E. and Martyna, G. J.",
            "Efficient evaluation of nonlocal pseudopotentials via {Euler} exponential spline "
            "interpolation",
            "ChemPhysChem",
            "2005 6 1827--1835",
            "",
        ),
        article(
            "headgordon1988",
            "minimisation over orbitals",
            "Head-Gordon, M. and Pople, J. A.",
            "Optimization of wave function and geometry in the finite basis {Hartree-Fock} method",
            "J. Phys. Chem.",
            "1988 92 3063--3069",
            "10.1021/j100322a012",
        ),
        article(
            "vandevondele2003",
            "minimisation over orbitals",
            "VandeVondele, J. and Hutter, J.",
            "An efficient orbital transformation method for electronic structure calculations",
            "J. Chem. Phys.",
            "2003 118 4365--4369",
            "10.1063/1.1543154",
        ),
        article(
            "martyna1999",
            "molecules without periodic images",
            "Martyna, G. J. and Tuckerman, M. E.",
            "A reciprocal space based method for treating long range interactions in ab initio and "
            "force-field-based calculations in clusters",
            "J. Chem. Phys.",
            "1999 110 2810--2821",
            "10.1063/1.477923",
        ),
        article(
            "car1985",
            "Car-Parrinello dynamics",
            "Car, R. and Parrinello, M.",
            "Unified approach for molecular dynamics and density-functional theory",
            "Phys. Rev. Lett.",
            "1985 55 2471--2474",
            "10.1103/PhysRevLett.55.2471",
        ),
        article(
            "hutter1995",
            "dynamics of orbitals that need not be orthonormal",
            "Hutter, J. and Tuckerman, M. E. and Parrinello, M.",
            "Integrating the {Car-Parrinello} equations. {III}. Techniques for ultrasoft "
            "pseudopotentials",
            "J. Chem. Phys.",
            "1995 102 859--871",
            "",
        ),
        article(
            "tassone1994",
            "fictitious masses that grow with the kinetic energy of the waves",
            "Tassone, F. and Mauri, F. and Car, R.",
            "Acceleration schemes for ab initio molecular-dynamics simulations and "
            "electronic-structure calculations",
            "Phys. Rev. B",
            "1994 50 10561--10573",
            "10.1103/PhysRevB.50.10561",
        ),
        article(
            "kolafa2004",
            "prediction of the orbitals of the next step",
            "Kolafa, J.",
            "Time-reversible always stable predictor-corrector method for molecular dynamics of "
            "polarizable molecules",
            "J. Comput. Chem.",
            "2004 25 335--342",
            "10.1002/jcc.10385",
        ),
        article(
            "martyna1992",
            "thermostat: chains of Nose and Hoover",
            "Martyna, G. J. and Klein, M. L. and Tuckerman, M.",
            "{Nos{\\'e}-Hoover} chains: The canonical ensemble via continuous dynamics",
            "J. Chem. Phys.",
            "1992 97 2635--2643",
            "10.1063/1.463940",
        ),
        article(
            "blochl1992",
            "thermostat of the orbitals",
            'Bl{\\"o}chl, P. E. and Parrinello, M.',
            "Adiabaticity in first-principles molecular dynamics",
            "Phys. Rev. B",
            "1992 45 9413--9416",
            "10.1103/PhysRevB.45.9413",
        ),
        article(
            "parrinello1981",
            "a cell that moves under an outer pressure",
            "Parrinello, M. and Rahman, A.",
            "Polymorphic transitions in single crystals: A new molecular dynamics method",
            "J. Appl. Phys.",
            "1981 52 7182--7190",
            "10.1063/1.328693",
        ),
        article(
            "larsen2017",
            "reading structures (ASE)",
            "Larsen, A. H. and Mortensen, J. J. and Blomqvist, J. and others",
            "The atomic simulation environment: a {Python} library for working with atoms",
            "J. Phys.: Condens. Matter",
            "2017 29 273002",
            "10.1088/1361-648X/aa680e",
        ),
    )
}
_of_functional = {
    "PBE": ("perdew1996",),
    "revPBE": ("perdew1996", "zhang1998"),
    "BLYP": ("becke1988", "lee1988"),
    "PZ81": ("perdew1981",),
    "PW92": ("perdew1992",),
}


def references(job: AbInitioJob | None) -> list[Reference]:
    """Return what a run of a job should cite; without a job, all entries."""
    if job is None:
        return [finegrain_itself(), *_articles.values()]
    functional = str(job.electrons["functional"])
    keys = [*_of_functional.get(functional, ("lehtola2018",))]
    if functional not in ("PZ81", "PW92"):
        keys.append("white1994")
    if any(str(one.get("form", "")) in ("GTH", "HGH") for one in job.species):
        keys += ["goedecker1996", "hartwigsen1998"]
    if any(str(one.get("form", "")) not in ("GTH", "HGH") for one in job.species):
        keys.append("kleinman1982")
    if job.nonlocal_part.method == "splines":
        keys.append("lee2005")
    if "effective_cutoff" in job.electrons:
        keys.append("bernasconi1995")
    if job.boundary == "isolated":
        keys.append("martyna1999")
    keys += ["headgordon1988", "vandevondele2003", "larsen2017"]
    moving, others = _of_dynamics(job)
    keys += moving
    others.append(reference("liu1989"))
    if job.local_part.method == "splines":
        others.append(reference("essmann1995"))
    return [finegrain_itself(), *(_articles[key] for key in keys), *others]


def _of_dynamics(job: AbInitioJob) -> tuple[list[str], list[Reference]]:
    """Return keys of the articles of a dynamics, and those that classical runs share."""
    dynamics = job.dynamics
    if not dynamics:
        return [], []
    keys, shared = [], []
    if dynamics["kind"] == "car-parrinello":
        keys += ["car1985", "tassone1994"]
        if dynamics["orthonormality"] == "free":
            keys.append("hutter1995")
        if dynamics["electron_bath"] != "none":
            keys.append("blochl1992")
    elif int(dynamics["predictor_order"]) >= 0:
        keys.append("kolafa2004")
    if dynamics.get("cell", "fixed") != "fixed":
        keys.append("parrinello1981")
    bath = dynamics["ion_bath"]
    if "nose-hoover" in (bath, dynamics.get("electron_bath")):
        keys.append("martyna1992")
    if bath == "rescaling":
        shared.append(reference("bussi2007"))
    if bath == "langevin":
        shared.append(reference("leimkuhler2013"))
    return keys, shared
