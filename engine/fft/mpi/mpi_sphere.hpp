// SPDX-License-Identifier: BSD-3-Clause
//
// Transforms between the plane waves of a cut-off and real space, for programs that use MPI
// themselves; see mpi_transform.hpp.
//
//   MpiSphere<double> transform(comm, {.grid = {64, 64, 64}, .vectors = reciprocal,
//                                      .cutoff = g_max, .kind = SphereKind::half,
//                                      .points = dense_storage(my_points), .batch = 32});
//   std::vector<std::complex<double>> c(32 * transform.part().plan().waves_of(rank));
//   transform.backward(c.data(), fields.data());
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>

#include "fft/mpi/travel.hpp"
#include "fft/sphere/rank_sphere.hpp"

namespace fg::fft {

/// What a rank brings to a transform. All but `points` and `distance` is the same on all ranks.
struct MpiSphereSettings {
  Grid grid{};
  ReciprocalVectors vectors{};
  double cutoff = 0;  // G_max, in the unit of the vectors
  SphereKind kind = SphereKind::full;
  Storage points;            // of this rank: its box, which may be empty, and its array of fields
  int batch = 1;             // orbitals
  std::size_t distance = 0;  // between two orbitals; 0: one behind the other
  Travel travel = Travel::messages;
};

template <class Real>
class MpiSphere {
 public:
  using Complex = std::complex<Real>;

  /// Called by all ranks of `comm`. It is duplicated once for all transforms and remains the
  /// caller's, who may free it before the transforms. Throws InputError on all ranks if settings
  /// differ between ranks or make no plan, or if one rank's storage is refused. Throws
  /// ResourceError if MPI fails.
  MpiSphere(MPI_Comm comm, const MpiSphereSettings& settings);
  /// Waits for a transform that goes on.
  ~MpiSphere();
  MpiSphere(MpiSphere&&) noexcept;
  MpiSphere& operator=(MpiSphere&&) = delete;

  /// Points to waves, unnormalised; all ranks. [fields] to [batch][waves of this rank]; the arrays
  /// do not overlap. Throws ResourceError if MPI fails.
  void forward(const Complex* points, Complex* waves);
  /// Waves to points; forward and backward multiply by the number of points of the grid.
  void backward(const Complex* waves, Complex* points);

  /// As of MpiTransform.
  void start(Direction direction, const Complex* from, Complex* to);
  bool test();
  void wait();

  const RankSphere<Real>& part() const noexcept;

 private:
  struct Driver;
  std::unique_ptr<Driver> driver_;
};

extern template class MpiSphere<float>;
extern template class MpiSphere<double>;

}  // namespace fg::fft
