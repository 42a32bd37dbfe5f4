# SPDX-License-Identifier: BSD-3-Clause
"""The methods that an ab initio run uses."""

from __future__ import annotations

from finegrain.ab_initio.existing_job import AbInitioJob
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
    if job.boundary == "isolated":
        keys.append("martyna1999")
    keys += ["headgordon1988", "vandevondele2003", "larsen2017"]
    others = [reference("liu1989")]
    if job.local_part.method == "splines":
        others.append(reference("essmann1995"))
    return [finegrain_itself(), *(_articles[key] for key in keys), *others]
