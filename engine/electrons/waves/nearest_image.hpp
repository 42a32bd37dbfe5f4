// SPDX-License-Identifier: BSD-3-Clause
//
// The shortest of a vector and its images: the point of the lattice's Voronoi cell round 0 that
// stands for it. Each face of this cell halves a vector of the lattice. Take the vectors that
// differ from this one by twice a vector of the lattice. It and its negative are the only shortest
// ones. Units: bohr. Source: Conway and Sloane, Proc. R. Soc. A 436, 55 (1992), theorem 2.
#pragma once

#include <vector>

#include "electrons/waves/lattice.hpp"

namespace fg::electrons {

class NearestImage {
 public:
  /// Throws InputError if the cell has no volume.
  explicit NearestImage(const Lattice& lattice);

  Vec3 operator()(const Vec3& r) const noexcept;

  const Lattice& lattice() const noexcept { return given_; }

  /// The length of the shortest vector of the lattice; the Voronoi cell holds a ball of half of it.
  double shortest() const noexcept;

  /// The factor by which the cell has to grow so that r itself is in its Voronoi cell, and not an
  /// image of r. At most 1 if it has r already.
  double growth(const Vec3& r) const noexcept;

 private:
  Lattice given_, lattice_;  // lattice_: by reduced vectors
  std::vector<Vec3> faces_;  // up to 7; the opposite ones are left out
};

}  // namespace fg::electrons
