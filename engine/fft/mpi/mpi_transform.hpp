// SPDX-License-Identifier: BSD-3-Clause
//
// Distributed transforms for programs that use MPI themselves. No thread is started, and nothing
// goes on between calls. This header includes MPI.
//
//   MpiTransform<double> transform(comm, {.grid = {64, 64, 64},
//                                         .points = {dense(my_points)}, .waves =
//                                         {dense(my_waves)}});
//   transform.forward(x.data(), waves.data());
//
// or, with other work during the exchanges,
//
//   transform.start(Direction::forward, x.data(), waves.data());
//   while (!transform.test()) other_work();
#pragma once

#include <mpi.h>

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "fft/mpi/travel.hpp"
#include "fft/rank_transform.hpp"

namespace fg::fft {

/// What a rank brings to a transform. All but the two storages is the same on all ranks.
struct MpiTransformSettings {
  Grid grid{};
  Kind kind = Kind::complex;
  Storage points;  // of this rank: its box, which may be empty, and its array
  Storage waves;
  int batch = 1;
  std::optional<std::array<int, 2>> parts{};  // of the pencils between; a * b = ranks
  Travel travel = Travel::messages;
  Wire wire = Wire::exact;
};

/// The way that a transform uses.
struct Exchanging {
  Travel travel = Travel::messages;  // messages or collective
  std::array<int, 2> parts{};        // of the pencils between
  bool measured_now = false;         // and not given or remembered
  std::string note;  // on rank 0: why the file with what is remembered is of no use, or empty
};

template <class Real>
class MpiTransform {
 public:
  using Complex = std::complex<Real>;

  /// Called by all ranks of `comm`. It is duplicated once for all transforms and remains the
  /// caller's, who may free it before the transforms. Throws InputError on all ranks if settings
  /// differ between ranks or make no plan, or if one rank's storage is refused. Throws
  /// ResourceError if MPI fails.
  MpiTransform(MPI_Comm comm, const MpiTransformSettings& settings);
  /// Waits for a transform that goes on.
  ~MpiTransform();
  MpiTransform(MpiTransform&&) noexcept;
  MpiTransform& operator=(MpiTransform&&) = delete;

  /// Points to waves, unnormalised; all ranks. The arrays may be the same. Throws ResourceError if
  /// MPI fails. Points are complex in a complex transform, and real in a real one.
  void forward(const void* points, void* waves);
  /// Waves to points, times the number of points of the grid.
  void backward(const void* waves, void* points);

  /// The same without waiting: the arrays belong to the transform until `test` returns true or
  /// `wait` returns. Transforms of many objects may go on at the same time if parcels travel as
  /// messages. Throws InternalError if a transform of this object goes on. Throws it also for one
  /// of the same communicator whose parcels travel by collective calls, too.
  void start(Direction direction, const void* from, void* to);
  /// Does what can be done now; returns whether the transform is over.
  bool test();
  void wait();

  /// The transform of a group of the batch's fields.
  const RankTransform<Real>& part() const noexcept;
  const Exchanging& exchanging() const noexcept;

 private:
  struct Driver;
  std::unique_ptr<Driver> driver_;
};

extern template class MpiTransform<float>;
extern template class MpiTransform<double>;

}  // namespace fg::fft
