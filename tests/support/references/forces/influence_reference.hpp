// SPDX-License-Identifier: BSD-3-Clause
//
// The influence function with the least error of forces, as plain sums over images in long double:
// the reference for OptimalInfluence. Also the error itself.
// Units: hartree, bohr.
#pragma once

#include <array>

#include "base/virial.hpp"
#include "forces/mesh/mesh_settings.hpp"

namespace fg::reference {

/// The sums over the images of one wave of the mesh, which is of either sign.
struct ImagesOfWave {
  long double square = 0;                      // sum W^2
  long double square_wave = 0;                 // sum m^2 W^2
  long double gauss = 0;                       // sum W^2 exp(-pi^2 m^2 / alpha^2)
  long double exact = 0;                       // sum exp(-2 pi^2 m^2 / alpha^2) / m^2
  Virial square_products{}, gauss_products{};  // with m_a m_b: W^2, and W^2 times the Gaussian
};
ImagesOfWave images_of_wave(const MeshSettings& settings, const std::array<int, 3>& wave);

/// G of the least error.
double optimal_influence(const MeshSettings& settings, const ImagesOfWave& sums);

/// The virial of one wave with this energy.
Virial optimal_virial(const MeshSettings& settings, const ImagesOfWave& sums, double energy);

/// The share of this wave in the mean square error of the force between two unit charges, if its
/// influence function is g.
double square_error(const MeshSettings& settings, const ImagesOfWave& sums, double g);

}  // namespace fg::reference
