// SPDX-License-Identifier: BSD-3-Clause
//
// Connects a patch and the mesh. It spreads the patch's charges on a block of mesh points, and
// sends the block to the z-pencils that own parts of it. When the potential has come back from all
// of them, it sends forces to the patch.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "forces/mesh/mesh_messages.hpp"
#include "forces/mesh/mesh_setup.hpp"
#include "forces/mesh/potential_rows.hpp"
#include "forces/mesh/spline_table.hpp"

namespace fg {

template <class Real>
class MeshSpreader final : public Chare<MeshSpreader<Real>, 3> {
 public:
  static constexpr std::string_view array_name = "spreaders";
  MeshSpreader(std::shared_ptr<const MeshSetup<Real>> setup, PatchIndex patch);

  /// The patch sends it once a round. Throws NumericsError if an atom is too far from its patch.
  void positions(Ref<const PositionsMessage<Real>> message);
  /// The potential of each z-pencil comes once a round: from it, or from a collector.
  void potential_lines(Ref<const PotentialLinesMessage<Real>> message);
  void potential(Ref<const PotentialBlockMessage<Real>> message);

  /// It archives nothing: it moves only just before a rebuild, which makes all its data again.
  void archive(Archive&) override {}

 private:
  fft::GridBox touch(const PositionsMessage<Real>& message);
  GridView<Real> view(Real* values) const noexcept;
  void send_away(const Ref<const ChargeBlockMessage<Real>>& block);
  Ref<const ChargeBlockMessage<Real>> part_for(const fft::PencilIndex& pencil,
                                               const ChargeBlockMessage<Real>& block) const;
  void await_less();
  void find_potential();
  void answer();
  void charge_half() const;

  std::shared_ptr<const MeshSetup<Real>> setup_;
  PatchIndex patch_;
  fft::GridBox frame_;                     // all points that may be touched
  std::vector<fft::PencilIndex> pencils_;  // owners of these points
  PatchBlockView<Real> atoms_;
  Ref<const PositionsMessage<Real>> block_of_;  // message that atoms_ points into
  std::vector<int> collectors_;                 // to which it has sent this block
  std::int64_t step_ = 0, round_ = 0;
  int awaited_ = 0;   // potentials not yet received
  fft::GridBox box_;  // points touched in this step
  SplineTable<Real> table_;
  std::vector<Ref<const PotentialLinesMessage<Real>>> lines_;  // of this round, as they come
  AlignedVector<Real> block_;  // [box_] the potential, if some of it comes from other processes
  PotentialRows<Real> potential_;
};

extern template class MeshSpreader<float>;
extern template class MeshSpreader<double>;

}  // namespace fg
