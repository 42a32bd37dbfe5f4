// SPDX-License-Identifier: BSD-3-Clause
//
// The maps of CMAP terms: energies on a periodic grid of two dihedral angles, and the smooth
// surface through them. Along each grid line the surface is a periodic cubic spline. Between the
// lines it is the bicubic polynomial with the spline's values, slopes and cross slopes at the four
// corners. Source: MacKerell, Feig, Brooks, J. Comput. Chem. 25, 1400 (2004),
// doi:10.1002/jcc.20065. Units: hartree, radians.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "forces/terms/term.hpp"

namespace fg {

struct CmapResult {
  double energy = 0;
  double by_first = 0, by_second = 0;  // derivatives by the two angles
};

/// The surface of one map.
class CmapSurface {
 public:
  /// `energy` [size * size] of the angles (i, j) * 2 pi / size at i + size * j.
  CmapSurface(int size, std::span<const double> energy);

  /// Takes angles of any size, from 0 at the first point.
  CmapResult at(double first, double second) const noexcept;

 private:
  /// Value, slopes by the first and the second angle, cross slope; per step of the grid.
  using Node = std::array<double, 4>;

  int size_;
  std::vector<Node> nodes_;  // in the order of the energies
};

/// The surfaces of a job.
class CmapSurfaces;

/// The maps as a job has them.
struct CmapMaps {
  static constexpr std::string_view table = "/cmap_maps";
  static constexpr std::int32_t least_size = 2, most_size = 360;
  static constexpr double largest_energy = 1e7;
  std::vector<std::int32_t> size;  // [maps] points along each angle
  std::vector<double> energy;      // of map after map

  static constexpr auto arrays() {
    return std::tuple{shared_array("size", &CmapMaps::size),
                      shared_array("energy", &CmapMaps::energy)};
  }
  using Tables = CmapSurfaces;

  int count() const noexcept { return static_cast<int>(size.size()); }
  /// What is wrong with the maps.
  std::optional<TermComplaint> own_complaint() const;
  /// The same, then with the numbers of maps in `terms`.
  template <class Term>
  std::optional<TermComplaint> complaint(const std::vector<Term>& terms) const {
    if (auto own = own_complaint()) return own;
    for (const Term& term : terms)
      if (term.map < 0 || term.map >= count()) return no_such_map(term.map);
    return {};
  }

 private:
  TermComplaint no_such_map(std::int32_t map) const;
};

class CmapSurfaces {
 public:
  CmapSurfaces() = default;
  /// The maps must be without complaint.
  explicit CmapSurfaces(const CmapMaps& maps);
  const CmapSurface& of(int map) const noexcept { return surfaces_[static_cast<std::size_t>(map)]; }

 private:
  std::vector<CmapSurface> surfaces_;
};

}  // namespace fg
