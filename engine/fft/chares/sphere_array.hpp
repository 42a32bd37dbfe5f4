// SPDX-License-Identifier: BSD-3-Clause
//
// Transforms between waves of a sphere and points for chares: many orbitals at once, in parts of
// the sphere and of the grid on any PEs. Used as a TransformArray is (transform_array.hpp):
//
//   spheres = SphereArray<double>(runtime, {.plan = plan, .pe = pe_of, .batch = 2},
//                                 reply_to<&Client::points>(clients));
//   auto waves = spheres.field(part, number, Route::backward);
//   write(waves->trailing<std::complex<double>>());
//   spheres.start(std::move(waves));
//
// Route::backward takes waves to points and Route::forward points to waves; there_and_back goes
// from waves to points, calls on_points, and returns to waves, as the product of a potential with
// orbitals does. The bits are those of RankSphere on one rank.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "fft/chares/sphere_part.hpp"

namespace fg::fft {

/// The handle, made once by all processes before a run and copied into the clients.
template <class Real>
class SphereArray {
 public:
  SphereArray() = default;
  /// Throws InputError: no plan or map, a batch or window below 1, storages that do not go with the
  /// plan, or not one client for each part.
  SphereArray(Runtime& runtime, SphereSettings<Real> settings, const Reply& reply);

  int parts() const noexcept { return setup_->settings.plan->ranks(); }
  const SpherePlan& plan() const noexcept { return *setup_->settings.plan; }
  Storage points_of(int part) const { return setup_->points(part); }

  /// A message for `start`, its numbers not yet written: waves of the orbitals one after the other
  /// in the order of the plan, or points in the part's storage. Transforms of an array are numbered
  /// from 0 on without gaps, and all parts take the same route for a number. M is FieldMessage or
  /// derived from it.
  template <class M = FieldMessage>
  Ref<M> field(int part, std::int64_t number, Route route) const {
    auto message = make_message<M>(setup_->bytes(part, route == Route::forward));
    message->number = number;
    message->part = part;
    message->route = route;
    return message;
  }

  /// May be called in any order of numbers, from any chare, however many transforms go on: those
  /// beyond the window wait. The message is only read.
  void start(Ref<const FieldMessage> field) const {
    const int place = static_cast<int>(field->number % setup_->settings.window);
    parts_[{field->part, place}].template send<&SpherePart<Real>::start>(std::move(field),
                                                                         setup_->settings.lane);
  }

  /// Parts by windows; to move them between runs.
  const Array<SpherePart<Real>>& array() const noexcept { return parts_; }
  explicit operator bool() const noexcept { return setup_ != nullptr; }

 private:
  std::shared_ptr<SphereSetup<Real>> setup_;
  Array<SpherePart<Real>> parts_;
};

extern template class SphereArray<float>;
extern template class SphereArray<double>;

}  // namespace fg::fft
