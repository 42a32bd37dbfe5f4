// SPDX-License-Identifier: BSD-3-Clause
//
// What all parts of an array of sphere transforms share.
#pragma once

#include <complex>
#include <functional>
#include <memory>
#include <vector>

#include "fft/chares/transform_setup.hpp"
#include "fft/sphere/rank_sphere.hpp"

namespace fg::fft {

template <class Real>
struct SphereSettings {
  std::shared_ptr<const SpherePlan> plan;  // its ranks are the parts
  // The same in all processes. A transform has the place number % window.
  std::function<int(int part, int place)> pe;
  int batch = 1;   // orbitals of one transform
  int window = 1;  // transforms that may go on at the same time
  // The client that gets a part's results, by its ordinal; without a function that of the part.
  std::function<int(int part, int place)> client{};
  Lane lane = Lane::normal;  // of all messages of a transform
  // What is at the end of points. With rows, backward transforms give rows instead of points, and
  // forward ones take rows. A client can do the rest with slab_points.hpp where the points are
  // needed.
  SphereEnd end = SphereEnd::points;
  // Where a part's points lie in a message; without a function dense, in row-major order.
  std::function<Storage(int part)> points{};
  // Changes the points, or rows, of a part, with `there_and_back`; called for parts of several PEs
  // at once. `start` is the message with which the part started.
  std::function<void(const FieldMessage& start, std::complex<Real>* points)> on_points{};
};

template <class Real>
struct SphereSetup {
  SphereSettings<Real> settings;
  Reply reply;
  std::vector<std::size_t> row_bytes{};  // of each part, if transforms end in rows

  int fields() const noexcept { return fields_of(settings.plan->sphere().kind(), settings.batch); }
  Storage points(int part) const {
    return settings.points ? settings.points(part)
                           : dense_storage(settings.plan->points()[static_cast<std::size_t>(part)]);
  }
  /// The bytes of a message with the points of a part, or its rows or waves.
  std::size_t bytes(int part, bool points) const {
    if (points && settings.end == SphereEnd::rows) return row_bytes[static_cast<std::size_t>(part)];
    const std::size_t numbers =
        points ? extent_of(this->points(part), fields())
               : static_cast<std::size_t>(settings.batch) * settings.plan->waves_of(part);
    return numbers * sizeof(std::complex<Real>);
  }

  // For PartArray and StagedPart.
  int pe(int part, int place) const { return settings.pe(part, place); }
  int client(int part, int place) const {
    return settings.client ? settings.client(part, place) : part;
  }
  static constexpr const char* turn_name = "on_points";
  static Direction first_direction(Route route) noexcept {
    return route == Route::forward ? Direction::forward : Direction::backward;
  }
  std::size_t start_bytes(int part, Route route) const {
    return bytes(part, route == Route::forward);
  }
  std::size_t result_bytes(int part, Route route) const {
    return bytes(part, route == Route::backward);
  }
  bool has_turn() const noexcept { return settings.on_points != nullptr; }
  std::size_t turn_bytes(int part) const { return bytes(part, true); }
  void turn(const FieldMessage& start, std::complex<Real>* points) const {
    settings.on_points(start, points);
  }
};

}  // namespace fg::fft
