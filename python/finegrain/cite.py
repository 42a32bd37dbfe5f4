# SPDX-License-Identifier: BSD-3-Clause
"""BibTeX of the methods that a run used, each with the reason why it is in the list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from finegrain.engine import machine


@dataclass(frozen=True)
class Reference:
    """One entry: its key, what the run used it for, and the fields of the entry."""

    key: str
    use: str
    kind: str
    fields: Mapping[str, str]

    def bibtex(self) -> str:
        """Return the entry with a comment that says what the run used it for."""
        lines = [f"% {self.use}", f"@{self.kind}{{{self.key},"]
        lines.extend(f"  {name} = {{{text}}}," for name, text in self.fields.items())
        return "\n".join([*lines, "}"]) + "\n"


def article(
    key: str, use: str, author: str, title: str, journal: str, place: str, doi: str
) -> Reference:
    """Return an entry for an article; `place` is "year volume pages"; `doi` may be empty."""
    year, volume, pages = place.split()
    fields = {
        "author": author,
        "title": title,
        "journal": journal,
        "year": year,
        "volume": volume,
        "pages": pages,
    } | ({"doi": doi} if doi else {})
    return Reference(key, use, "article", fields)


_REFERENCES = {
    reference.key: reference
    for reference in (
        article(
            "essmann1995",
            "smooth particle-mesh Ewald electrostatics",
            "Essmann, U. and Perera, L. and Berkowitz, M. L. and Darden, T. and Lee, H. and "
            "Pedersen, L. G.",
            "A smooth particle mesh Ewald method",
            "J. Chem. Phys.",
            "1995 103 8577--8593",
            "10.1063/1.470117",
        ),
        article(
            "deserno1998",
            "influence function with the least error of forces (P3M)",
            "Deserno, M. and Holm, C.",
            "How to mesh up {Ewald} sums. {I}. A theoretical and numerical comparison of various "
            "particle mesh routines",
            "J. Chem. Phys.",
            "1998 109 7678--7693",
            "10.1063/1.477414",
        ),
        article(
            "ballenegger2012",
            "that function for forces that are the gradient of the mesh's energy",
            "Ballenegger, V. and Cerdà, J. J. and Holm, C.",
            "How to convert {SPME} to {P3M}: Influence functions and error estimates",
            "J. Chem. Theory Comput.",
            "2012 8 936--947",
            "10.1021/ct2001792",
        ),
        article(
            "tironi1995",
            "reaction-field electrostatics",
            "Tironi, I. G. and Sperb, R. and Smith, P. E. and van Gunsteren, W. F.",
            "A generalized reaction field method for molecular dynamics simulations",
            "J. Chem. Phys.",
            "1995 102 5451--5459",
            "10.1063/1.469273",
        ),
        article(
            "pall2013",
            "pair forces between clusters of atoms",
            "Páll, S. and Hess, B.",
            "A flexible algorithm for calculating pair interactions on {SIMD} architectures",
            "Comput. Phys. Commun.",
            "2013 184 2641--2650",
            "10.1016/j.cpc.2013.06.003",
        ),
        article(
            "pall2020",
            "dual pair list with a pruned inner list",
            "Páll, S. and Zhmurov, A. and Bauer, P. and Abraham, M. and Lundborg, M. and Gray, A. "
            "and Hess, B. and Lindahl, E.",
            "Heterogeneous parallelization and acceleration of molecular dynamics simulations in "
            "{GROMACS}",
            "J. Chem. Phys.",
            "2020 153 134110",
            "10.1063/5.0018516",
        ),
        article(
            "legrand2013",
            "sums in 64-bit fixed point, the same bits in any order",
            "Le Grand, S. and Götz, A. W. and Walker, R. C.",
            "{SPFP}: Speed without compromise, a mixed precision model for {GPU} accelerated "
            "molecular dynamics simulations",
            "Comput. Phys. Commun.",
            "2013 184 374--380",
            "10.1016/j.cpc.2012.09.022",
        ),
        article(
            "miyamoto1992",
            "rigid water (SETTLE)",
            "Miyamoto, S. and Kollman, P. A.",
            "Settle: An analytical version of the {SHAKE} and {RATTLE} algorithm for rigid water "
            "models",
            "J. Comput. Chem.",
            "1992 13 952--962",
            "10.1002/jcc.540130805",
        ),
        article(
            "ryckaert1977",
            "bond constraints (SHAKE)",
            "Ryckaert, J.-P. and Ciccotti, G. and Berendsen, H. J. C.",
            "Numerical integration of the cartesian equations of motion of a system with "
            "constraints: molecular dynamics of n-alkanes",
            "J. Comput. Phys.",
            "1977 23 327--341",
            "10.1016/0021-9991(77)90098-5",
        ),
        article(
            "andersen1983",
            "velocity constraints (RATTLE)",
            "Andersen, H. C.",
            "Rattle: A ``velocity'' version of the {SHAKE} algorithm for molecular dynamics "
            "calculations",
            "J. Comput. Phys.",
            "1983 52 24--34",
            "10.1016/0021-9991(83)90014-1",
        ),
        article(
            "swope1982",
            "velocity Verlet integration",
            "Swope, W. C. and Andersen, H. C. and Berens, P. H. and Wilson, K. R.",
            "A computer simulation method for the calculation of equilibrium constants for the "
            "formation of physical clusters of molecules",
            "J. Chem. Phys.",
            "1982 76 637--649",
            "10.1063/1.442716",
        ),
        article(
            "tuckerman1992",
            "forces of the mesh on every n-th step (r-RESPA)",
            "Tuckerman, M. and Berne, B. J. and Martyna, G. J.",
            "Reversible multiple time scale molecular dynamics",
            "J. Chem. Phys.",
            "1992 97 1990--2001",
            "10.1063/1.463137",
        ),
        article(
            "zhang2019",
            "Langevin middle integrator",
            "Zhang, Z. and Liu, X. and Yan, K. and Tuckerman, M. E. and Liu, J.",
            "Unified efficient thermostat scheme for the canonical ensemble with holonomic or "
            "isokinetic constraints via molecular dynamics",
            "J. Phys. Chem. A",
            "2019 123 6056--6079",
            "10.1021/acs.jpca.9b02771",
        ),
        article(
            "leimkuhler2013",
            "the splitting behind the Langevin integrator (BAOAB)",
            "Leimkuhler, B. and Matthews, C.",
            "Rational construction of stochastic numerical methods for molecular sampling",
            "Appl. Math. Res. Express",
            "2013 2013 34--56",
            "10.1093/amrx/abs010",
        ),
        article(
            "bussi2007",
            "thermostat: stochastic velocity rescaling",
            "Bussi, G. and Donadio, D. and Parrinello, M.",
            "Canonical sampling through velocity rescaling",
            "J. Chem. Phys.",
            "2007 126 014101",
            "10.1063/1.2408420",
        ),
        article(
            "bernetti2020",
            "barostat: stochastic cell rescaling",
            "Bernetti, M. and Bussi, G.",
            "Pressure control using stochastic cell rescaling",
            "J. Chem. Phys.",
            "2020 153 114107",
            "10.1063/5.0020514",
        ),
        article(
            "deltatto2022",
            "the same barostat, edges scaled by factors of their own",
            "Del Tatto, V. and Raiteri, P. and Bernetti, M. and Bussi, G.",
            "Molecular dynamics of solids at constant pressure and stress using anisotropic "
            "stochastic cell rescaling",
            "Appl. Sci.",
            "2022 12 1139",
            "10.3390/app12031139",
        ),
        article(
            "feller1995",
            "barostat: Langevin piston",
            "Feller, S. E. and Zhang, Y. and Pastor, R. W. and Brooks, B. R.",
            "Constant pressure molecular dynamics simulation: The {Langevin} piston method",
            "J. Chem. Phys.",
            "1995 103 4613--4621",
            "10.1063/1.470648",
        ),
        Reference(
            "salmon2011",
            "counter-based random numbers (Philox)",
            "inproceedings",
            {
                "author": "Salmon, J. K. and Moraes, M. A. and Dror, R. O. and Shaw, D. E.",
                "title": "Parallel random numbers: as easy as 1, 2, 3",
                "booktitle": "SC '11: Proceedings of the International Conference for High "
                "Performance Computing, Networking, Storage and Analysis",
                "year": "2011",
                "doi": "10.1145/2063384.2063405",
            },
        ),
        article(
            "liu1989",
            "energy minimisation (L-BFGS)",
            "Liu, D. C. and Nocedal, J.",
            "On the limited memory {BFGS} method for large scale optimization",
            "Math. Program.",
            "1989 45 503--528",
            "10.1007/BF01589116",
        ),
        article(
            "cooley1965",
            "one-dimensional Fourier transforms",
            "Cooley, J. W. and Tukey, J. W.",
            "An algorithm for the machine calculation of complex {Fourier} series",
            "Math. Comp.",
            "1965 19 297--301",
            "10.1090/S0025-5718-1965-0178586-1",
        ),
        article(
            "mackerell2004",
            "CMAP terms",
            "Mackerell, Jr., A. D. and Feig, M. and Brooks, III, C. L.",
            "Extending the treatment of backbone energetics in protein force fields: Limitations "
            "of gas-phase quantum mechanics in reproducing protein conformational distributions "
            "in molecular dynamics simulations",
            "J. Comput. Chem.",
            "2004 25 1400--1415",
            "10.1002/jcc.20065",
        ),
        article(
            "steinbach1994",
            "switched force of Lennard-Jones",
            "Steinbach, P. J. and Brooks, B. R.",
            "New spherical-cutoff methods for long-range forces in macromolecular simulation",
            "J. Comput. Chem.",
            "1994 15 667--683",
            "10.1002/jcc.540150702",
        ),
        article(
            "debuyl2014",
            "the file format of the trajectory (H5MD)",
            "de Buyl, P. and Colberg, P. H. and Höfling, F.",
            "{H5MD}: A structured, efficient, and portable file format for molecular data",
            "Comput. Phys. Commun.",
            "2014 185 1546--1553",
            "10.1016/j.cpc.2014.01.018",
        ),
        article(
            "eastman2024",
            "reading the input files (OpenMM)",
            "Eastman, P. and Galvelis, R. and Peláez, R. P. and others",
            "{OpenMM} 8: Molecular dynamics simulation with machine learning potentials",
            "J. Phys. Chem. B",
            "2024 128 109--116",
            "10.1021/acs.jpcb.3c06662",
        ),
    )
}


def references(
    settings: Mapping[str, Any],
    dynamics: Mapping[str, Any],
    *,
    waters: int = 0,
    constraints: int = 0,
    cmaps: int = 0,
) -> list[Reference]:
    """Return the references that a run with these settings should cite.

    Parameters
    ----------
    settings, dynamics : mapping
        Attributes of a job (`Job.settings`, `Job.dynamics`).
    waters, constraints : int
        Numbers of rigid waters and of all constraints, including those of waters.
    cmaps : int
        Number of CMAP terms.
    """
    keys = ["pall2013", "pall2020", "legrand2013"]
    electrostatics = settings.get("electrostatics")
    if electrostatics == "pme":
        keys += ["essmann1995", "cooley1965"]
        if settings.get("influence_function") == "optimal":
            keys += ["deserno1998", "ballenegger2012"]
    elif electrostatics == "reaction-field":
        keys.append("tironi1995")
    if settings.get("switching") == "force":
        keys.append("steinbach1994")
    if cmaps:
        keys.append("mackerell2004")
    if waters:
        keys.append("miyamoto1992")
    if constraints > 3 * waters:
        keys += ["ryckaert1977", "andersen1983"]
    if dynamics.get("integrator") == "langevin":
        keys += ["zhang2019", "leimkuhler2013"]
    else:
        keys.append("swope1982")
    if any(int(dynamics.get(key, 1)) > 1 for key in ("pair_interval", "long_range_interval")):
        keys.append("tuckerman1992")
    baths = _of_baths(dynamics)
    keys += baths
    if baths or dynamics.get("integrator") == "langevin":
        keys.append("salmon2011")
    if dynamics.get("minimise") == "l-bfgs":
        keys.append("liu1989")
    keys += ["debuyl2014", "eastman2024"]
    return [finegrain_itself(), *(_REFERENCES[key] for key in keys)]


def _of_baths(dynamics: Mapping[str, Any]) -> list[str]:
    """Return the keys for a thermostat of all velocities and a barostat."""
    keys = ["bussi2007"] if float(dynamics.get("thermostat_time", 0)) > 0 else []
    barostat = dynamics.get("barostat", "none")
    if barostat == "stochastic-rescaling":
        keys.append("bernetti2020")
        if dynamics.get("coupling", "isotropic") != "isotropic":
            keys.append("deltatto2022")
    elif barostat == "langevin-piston":
        keys.append("feller1995")
    return keys


def reference(key: str) -> Reference:
    """Return an entry by its key."""
    return _REFERENCES[key]


def all_references() -> list[Reference]:
    """Return all references."""
    return [finegrain_itself(), *_REFERENCES.values()]


def finegrain_itself() -> Reference:
    """Return the entry for finegrain, in the installed version."""
    fields = {
        "author": "{finegrain developers}",
        "title": "finegrain: molecular dynamics on fine-grained message-driven objects",
        "version": machine.version(),
        "note": "see CITATION.cff in the source",
    }
    return Reference("finegrain", "the program", "software", fields)


def bibtex(entries: list[Reference]) -> str:
    """Return the entries as one file."""
    return "\n".join(entry.bibtex() for entry in entries)
