// SPDX-License-Identifier: BSD-3-Clause
//
// The charges of a z-pencil, added up in fixed point from the blocks of spreaders. Also the
// potential [hartree/e] that goes back to them.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/aligned_vector.hpp"
#include "fft/grid_box.hpp"
#include "fft/pencil_geometry.hpp"
#include "fft/pencils/block_rows.hpp"
#include "forces/mesh/charge_lines.hpp"
#include "forces/mesh/mesh_messages.hpp"

namespace fg {

template <class Number>
struct MeshClient;
template <class Real>
struct MeshSetup;

template <class Real>
class MeshCharges {
 public:
  using Complex = std::complex<Real>;
  MeshCharges(const MeshClient<Real>& client, fft::PencilIndex index);

  /// Spreaders of this process, and other processes that have some.
  int awaited() const noexcept;
  void add(Ref<const ChargeBlockMessage<Real>> message);
  /// line = a + ib; both lines of charges become zero.
  void read_pair(int a, int b, Complex* line) noexcept;
  void write_pair(const Complex* line, int a, int b) noexcept;
  /// Sends the potential to the spreaders of this round.
  void answer(std::int64_t round);

  /// Adds the charges of those points of `block` that are in this pencil. `values` is the whole
  /// block, z fastest. The block may extend over the mesh's edges.
  void add_block(const fft::GridBox& block, const Real* values) noexcept;
  std::size_t points_of(const fft::GridBox& block) const noexcept { return rows_.points_of(block); }
  /// The potential at those points only: for each x and y in this pencil, ascending, all z.
  void copy_block(const fft::GridBox& block, Real* values) const noexcept;

 private:
  void add_sums(const fft::GridBox& block, const ChargeSum<Real>* sums) noexcept;
  void begin_potential();
  void repeat_begin(Real* line) const noexcept;

  struct Sender {
    std::int32_t spreader, collector;  // one of them is -1
    fft::GridBox box;
  };

  std::shared_ptr<const MeshSetup<Real>> setup_;
  fft::PencilIndex place_;
  fft::BlockRows rows_;                         // of charges
  fft::BlockRows potential_rows_;               // with line_halo numbers behind each line
  std::vector<Sender> senders_;                 // of this round, in order of arrival
  AlignedVector<ChargeSum<Real>> charges_;      // [lines][room], zero between rounds
  Ref<PotentialLinesMessage<Real>> potential_;  // of the next answer
};

extern template class MeshCharges<float>;
extern template class MeshCharges<double>;

}  // namespace fg
