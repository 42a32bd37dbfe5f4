// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/mesh_spreader.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "fft/pencils/common_rows.hpp"
#include "fft/pencils/line_rows.hpp"
#include "forces/costs/charge_work.hpp"
#include "forces/mesh/mesh_client.hpp"

namespace fg {

namespace {

const Phase spline_phase("mesh: splines");
const Phase spread_phase("mesh: spread");
const Phase block_phase("mesh: potential blocks");
const Phase gather_phase("mesh: gather");

}  // namespace

template <class Real>
MeshSpreader<Real>::MeshSpreader(std::shared_ptr<const MeshSetup<Real>> setup, PatchIndex patch)
    : setup_(std::move(setup)),
      patch_(patch),
      frame_(frame_of(setup_->division, patch)),
      pencils_(pencils_of(setup_->division, patch)) {
  lines_.reserve(pencils_.size());
  collectors_.reserve(pencils_.size());
  potential_.begin({}, {frame_.size(0), frame_.size(1), frame_.size(2)});  // room for all steps
}

template <class Real>
void MeshSpreader<Real>::positions(Ref<const PositionsMessage<Real>> message) {
  FG_DCHECK(awaited_ == 0);
  if (message->kind.rebuild) {
    atoms_ = message->block();
    block_of_ = message;
  }
  step_ = message->step;
  round_ = step_ / setup_->interval;
  awaited_ = static_cast<int>(pencils_.size());
  box_ = touch(*message);
  const PhaseTimer timer(spread_phase);
  const std::size_t size = box_.volume() + grid_tail;
  auto block = make_message<ChargeBlockMessage<Real>>(size * sizeof(Real));
  block->step = step_;
  block->round = round_;
  block->box = box_;
  block->spreader = this->ordinal();
  block->collector = -1;
  block->kind = message->kind;
  block->cell = message->box;
  Real* values = block->template trailing<Real>();
  std::fill_n(values, size, Real(0));
  spread_charges(table_, view(values));
  charge_half();
  const Ref<const ChargeBlockMessage<Real>> shared = std::move(block);
  send_away(shared);  // first, since their way is longer
  for (const auto& pencil : pencils_)
    if (const auto target = setup_->pencils.z[pencil]; target.here())
      target.template send<&ZPencil<Real>::points>(shared, Lane::high);
}

/// To pencils of other processes. A collector adds up the charges of several spreaders.
template <class Real>
void MeshSpreader<Real>::send_away(const Ref<const ChargeBlockMessage<Real>>& block) {
  collectors_.clear();
  for (const auto& pencil : pencils_) {
    const auto target = setup_->pencils.z[pencil];
    if (target.here()) continue;
    const int number = setup_->pencils.z.ordinal(pencil);
    if (setup_->sums->collected[static_cast<std::size_t>(number)] == 0) {
      target.template send<&ZPencil<Real>::points>(part_for(pencil, *block), Lane::high);
      continue;
    }
    const int collector = setup_->collector_of(number, this->runtime().process());
    if (std::ranges::find(collectors_, collector) != collectors_.end()) continue;
    collectors_.push_back(collector);
    setup_->collectors.at_ordinal(collector).template send<&ChargeCollector<Real>::add>(block,
                                                                                        Lane::high);
  }
}

/// The part of the whole block of this step that one pencil needs. The block has each point once.
template <class Real>
Ref<const ChargeBlockMessage<Real>> MeshSpreader<Real>::part_for(
    const fft::PencilIndex& pencil, const ChargeBlockMessage<Real>& block) const {
  const auto& geometry = setup_->division.pencils;
  const fft::GridBox part = fft::covering_block(geometry, pencil, {&block.box, 1});
  const std::size_t size = part.volume() + grid_tail;
  auto message = make_charges_like(block, part, size * sizeof(Real));
  message->spreader = block.spreader;
  const Real* const from = block.template trailing<Real>();
  Real* const to = message->template trailing<Real>();
  std::fill_n(to, size, Real(0));
  fft::for_each_common(block.box, part, geometry.mesh(), [&](const fft::CommonRows& s) {
    fft::copy_rows<Real>({from + s.in_one, block.box.size(2)}, s.rows, s.length,
                         {to + s.in_other, part.size(2)});
  });
  return message;
}

template <class Real>
GridView<Real> MeshSpreader<Real>::view(Real* values) const noexcept {
  GridView<Real> view{values, {}, {}};
  for (int a = 0; a < 3; ++a) {
    view.low[a] = box_.low[a] - frame_.low[a];
    view.size[a] = box_.size(a);
  }
  return view;
}

template <class Real>
fft::GridBox MeshSpreader<Real>::touch(const PositionsMessage<Real>& message) {
  const PhaseTimer timer(spline_phase);
  const MeshSettings& settings = setup_->division.settings;
  const Tilt slant = message.box.reciprocal_tilt();
  const PatchGrid patches(message.box, setup_->division.patches.shape());
  const Vec3 centre = along_axes(patches.centre(patch_), slant);
  SplineAtoms<Real> atoms{.positions = message.positions(),
                          .charges = atoms_.charge.data(),
                          .slant = {static_cast<Real>(slant.xy), static_cast<Real>(slant.xz),
                                    static_cast<Real>(slant.yz)}};
  for (int a = 0; a < 3; ++a) {
    const double density = settings.mesh[a] / message.box.edge[a];
    atoms.density[a] = static_cast<Real>(density);
    atoms.centre[a] = static_cast<Real>(centre[a] * density - frame_.low[a]);
    atoms.room[a] = frame_.size(a);
  }
  table_.bits = settings.bits;
  table_.resize(settings.order, message.clusters);
  const TouchedPoints touched = make_splines(atoms, table_);
  if (touched.outside >= 0)
    throw NumericsError(
        {.what = "atom " + std::to_string(atoms_.id[touched.outside] + 1) +
                 " is too far outside of its patch for the mesh, or its position is not a number",
         .where = "step " + std::to_string(message.step),
         .limit = std::to_string(setup_->division.reach) + " bohr",
         .hint = "the system may be unstable: use a shorter timestep or minimise first"});
  fft::GridBox box;
  for (int a = 0; a < 3; ++a) {
    box.low[a] = frame_.low[a] + touched.low[a];
    box.high[a] = frame_.low[a] + touched.high[a];
  }
  return box;
}

template <class Real>
void MeshSpreader<Real>::potential_lines(Ref<const PotentialLinesMessage<Real>> message) {
  FG_DCHECK(message->round == round_);
  lines_.push_back(std::move(message));
  await_less();
}

template <class Real>
void MeshSpreader<Real>::potential(Ref<const PotentialBlockMessage<Real>> message) {
  FG_DCHECK(message->round == round_);
  {
    const PhaseTimer timer(block_phase);
    block_.resize(frame_.volume() + grid_tail);
    const Real* const from = message->template trailing<Real>();
    fft::for_each_common(box_, message->box, setup_->division.settings.mesh,
                         [&](const fft::CommonRows& s) {
                           fft::copy_rows<Real>({from + s.in_other, message->box.size(2)}, s.rows,
                                                s.length, {block_.data() + s.in_one, box_.size(2)});
                         });
  }
  await_less();
}

template <class Real>
void MeshSpreader<Real>::await_less() {
  if (--awaited_ == 0) answer();
}

/// Reads it in the lines of pencils of this process. If some are in other processes, all is copied
/// into one block.
template <class Real>
void MeshSpreader<Real>::find_potential() {
  const PhaseTimer timer(block_phase);
  const GridView<Real> block = view(block_.data());
  const bool whole = lines_.size() == pencils_.size();
  potential_.begin(block.low, block.size);
  for (const auto& message : lines_) {
    const fft::BlockRows& rows = message->rows;
    const Real* const lines = message->template trailing<Real>();
    if (whole) {
      rows.for_each_row(box_, [&](int x, int y, std::size_t line, int count) {
        const Real* from = lines + line * static_cast<std::size_t>(rows.room());
        for (int k = 0; k < count; ++k, from += rows.next_y()) potential_.row(x, y + k) = from;
      });
    } else {
      rows.for_each(box_, [&](const fft::BlockRows::Stretch& s) {
        fft::copy_rows<Real>({lines + s.in_lines, rows.next_y()}, s.rows, s.length,
                             {block_.data() + s.in_block, box_.size(2)});
      });
    }
  }
  const int nz = setup_->division.settings.mesh[2];
  if (!whole) return potential_.set({block.values, block.low, block.size});
  for (int z = 0; z < box_.size(2); ++z) potential_.place(z) = fft::wrap(box_.low[2] + z, nz);
}

template <class Real>
void MeshSpreader<Real>::answer() {
  find_potential();
  using Answer = ClusterForcesMessage<Real>;
  const std::size_t clusters = table_.clusters;
  auto answer = make_message<Answer>(Answer::trailing_bytes(clusters));
  answer->step = step_;
  answer->clusters = table_.clusters;
  Real* forces = answer->template trailing<Real>();
  {
    const PhaseTimer timer(gather_phase);
    gather_forces(table_, potential_, forces);
    charge_half();
  }
  lines_.clear();
  auto* cluster = reinterpret_cast<std::int32_t*>(forces + cluster_numbers * clusters);
  std::iota(cluster, cluster + clusters, 0);
  setup_->patches[patch_].template send_at<&PatchPort<Real>::mesh_forces>(step_, std::move(answer),
                                                                          Lane::high);
}

/// The work of a step is spreading and gathering. Points are a patch's share of the mesh, as the
/// times have been fitted.
template <class Real>
void MeshSpreader<Real>::charge_half() const {
  const auto& mesh = setup_->division.settings.mesh;
  const double points = 1.0 * mesh[0] * mesh[1] * mesh[2] / setup_->division.patches.size();
  charge_work<Real>({{of_object, 1},
                     {of_mesh_atom, static_cast<double>(atoms_.by_id.size())},
                     {of_grid_point, points}},
                    0.5);
}

template class MeshSpreader<float>;
template class MeshSpreader<double>;

}  // namespace fg
