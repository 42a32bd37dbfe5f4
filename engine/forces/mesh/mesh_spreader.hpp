// SPDX-License-Identifier: BSD-3-Clause
//
// Stands between a patch and the mesh: spreads its charges on a block of mesh points, hands the
// block to the z-pencils that own parts of it, and when the potential has come back from all of
// them, answers the patch with forces.
#pragma once

#include <memory>
#include <vector>

#include "forces/mesh/mesh_messages.hpp"
#include "forces/mesh/mesh_setup.hpp"
#include "forces/mesh/spline_table.hpp"

namespace fg {

template <class Real>
class MeshSpreader final : public Chare<MeshSpreader<Real>, 3> {
 public:
  MeshSpreader(std::shared_ptr<const MeshSetup<Real>> setup, PatchIndex patch);

  /// From the patch, once a step. Throws NumericsError if an atom is too far from its patch.
  void positions(Ref<const PositionsMessage<Real>> message);
  /// From each z-pencil, once a step.
  void potential(Ref<const PotentialBlockMessage<Real>> message);

  /// It moves only in front of a rebuild, which makes everything in it anew.
  void archive(Archive&) override {}

 private:
  fft::GridBox touch(const PositionsMessage<Real>& message);
  GridView<Real> view(Real* values) const noexcept;
  /// What of `block`, the whole of this step's, concerns one pencil.
  Ref<const ChargeBlockMessage<Real>> part_for(const fft::PencilIndex& pencil,
                                               const ChargeBlockMessage<Real>& block) const;
  void answer();
  /// visit(points): each consecutive piece of the grid that belongs to a pencil, in the order of a
  /// block's values.
  template <class Visit>
  void for_each_piece(const fft::PencilIndex& pencil, Visit&& visit) const;

  std::shared_ptr<const MeshSetup<Real>> setup_;
  PatchIndex patch_;
  fft::GridBox frame_;                     // all that may be touched
  std::vector<fft::PencilIndex> pencils_;  // who own some of it
  PatchBlockView<Real> atoms_;
  Ref<const PositionsMessage<Real>> block_of_;  // what atoms_ looks into
  std::int64_t step_ = 0;
  int awaited_ = 0;   // potentials still to come
  fft::GridBox box_;  // what is touched in this step
  SplineTable<Real> table_;
  fft::AlignedBuffer<Real> grid_;  // [box_] the potential
};

extern template class MeshSpreader<float>;
extern template class MeshSpreader<double>;

}  // namespace fg
