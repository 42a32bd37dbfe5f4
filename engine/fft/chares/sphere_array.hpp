// SPDX-License-Identifier: BSD-3-Clause
//
// Transforms between waves of a sphere and points for chares. They take many orbitals at once, in
// parts of the sphere and of the grid on any PEs. Used as a TransformArray is
// (transform_array.hpp):
//
//   spheres = SphereArray<double>(runtime, {.plan = plan, .pe = pe_of, .batch = 2},
//                                 reply_to<&Client::points>(clients));
//   auto waves = spheres.field(part, number, Route::backward);
//   write(waves->trailing<std::complex<double>>());
//   spheres.start(std::move(waves));
//
// Route::backward takes waves to points, and Route::forward points to waves. Route::there_and_back
// goes from waves to points, calls on_points, and returns to waves. The product of a potential with
// orbitals is an example. The bits are those of RankSphere on one rank.
#pragma once

#include "fft/chares/part_array.hpp"
#include "fft/chares/sphere_part.hpp"

namespace fg::fft {

template <class Real>
class SphereArray : public PartArray<SpherePart<Real>, SphereSetup<Real>> {
 public:
  SphereArray() = default;
  /// Throws InputError if there is no plan or map, or if a batch or window is below 1. Throws it if
  /// storages do not go with the plan, or if there is not one client for each part.
  SphereArray(Runtime& runtime, SphereSettings<Real> settings, const Reply& reply);

  /// Waves in a message are those of the orbitals one after the other, in the order of the plan.
  Storage points_of(int part) const { return this->setup_->points(part); }
};

extern template class SphereArray<float>;
extern template class SphereArray<double>;

}  // namespace fg::fft
