// SPDX-License-Identifier: BSD-3-Clause
//
// The transforms of an ion's local potential, core and density on a share of the density's half
// sphere, as IonField takes them. The local potential is a short-ranged table plus the potential of
// the charge -Z smeared over a width w:
//   v(G) = short(|G|) - 4 pi Z exp(-G^2 w^2 / 4) / G^2.
// Its value at G = 0 is left out, and is an energy of its own. With the background of the ions,
// what remains there is alpha = short(0) + pi Z w^2. This is the integral of v(r) + Z / r. Units:
// hartree, bohr; v(G) and alpha [hartree bohr^3]. Source: Ihm, Zunger and Cohen, J. Phys. C 12,
// 4409 (1979).
#pragma once

#include "electrons/ions/ion_field.hpp"
#include "electrons/waves/radial_table.hpp"

namespace fg::electrons {

struct LocalPotential {
  RadialTable short_range;
  double charge;  // Z
  double width;   // w
};

/// v(|G|), and 0 at G = 0. Throws InputError if a wave is beyond the table, if the width is not
/// positive, or if width or charge are not finite.
RadialWaves local_on_waves(const PlaneWaves& waves, const LocalPotential& local);

/// Any table with l = 0, as it is: a model core or the density of an atom.
RadialWaves table_on_waves(const PlaneWaves& waves, const RadialTable& table);

/// The alpha of one ion. A cell of N electrons and volume V has an energy of N / V times the sum of
/// alpha over its ions. The potential at G = 0 is this sum divided by V. The energy's part of a
/// virial is the energy itself on the diagonal.
double alpha(const LocalPotential& local);

/// V sum_G a(G)* b(G) over this share: the integral of the product of two real fields over the
/// cell.
double integral(const PlaneWaves& waves, IonField::Waves a, IonField::Waves b) noexcept;

}  // namespace fg::electrons
