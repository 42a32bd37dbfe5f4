// SPDX-License-Identifier: BSD-3-Clause
//
// The exchange of fragments between patches when lists are rebuilt, and the copies for checkpoints
// in memory.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/error.hpp"
#include "classical/memory_rescue.hpp"
#include "classical/patch.hpp"

namespace fg::classical {

namespace {

/// The direction from `here` to `there` along one axis: -1, 0 or 1; 2 if they do not touch.
int step_towards(int here, int there, int count, bool periodic) noexcept {
  if (!periodic) return std::abs(there - here) > 1 ? 2 : there - here;
  const int ahead = (there - here + count) % count;
  if (ahead == 0) return 0;
  if (ahead == 1) return 1;
  return ahead == count - 1 ? -1 : 2;
}

constexpr int direction_code(int dx, int dy, int dz) noexcept {
  return (dx + 1) * 9 + (dy + 1) * 3 + dz + 1;
}
constexpr int staying = direction_code(0, 0, 0);

}  // namespace

template <class Real>
void Patch<Real>::send_leavers(std::int64_t step) {
  const auto& fragments = system_.fragments();
  const PatchGrid& grid = grid_;
  const auto& shape = grid.shape();
  const Int3& reach = system_.job().settings.reach;
  double farthest = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    const double patches = reach[axis] == 1 ? 0.5 : 1;  // thin patches have a partner beyond
    if (!grid.all_within(axis, 1)) farthest = std::min(farthest, patches * grid.widths()[axis]);
  }
  for (auto& list : leaving_) list.clear();

  for (int i = 0; i < atoms_.size();) {
    const auto size = static_cast<int>(fragments.atoms(fragments.of_atom(atoms_.id(i))).size());
    // With a larger displacement in one interval the lists have missed pairs. A jump over a patch
    // could also look like a move in the opposite direction.
    const double moved = norm(atoms_.position(i) - settled_[i]);
    if (!(moved < farthest)) blame(i, step, "displacement");
    const double mass = system_.mass(atoms_.id(i));
    if (moved * std::sqrt(mass) > setup_->thermal_reach)
      displacement_ = std::max(displacement_, moved);
    const auto place = grid.place(atoms_.position(i));
    std::array<int, 3> way;
    for (int axis = 0; axis < 3; ++axis) {
      way[axis] = step_towards(here_[axis], place.patch[axis], shape[axis], grid.box().periodic);
      if (way[axis] == 2) blame(i, step, "speed");
    }
    auto& list = leaving_[direction_code(way[0], way[1], way[2])];
    const Vec3 offset = grid.box().position(place.image);
    for (const int end = i + size; i < end; ++i)
      list.push_back({.id = atoms_.id(i),
                      .image = atoms_.image(i) + place.image,
                      .position = atoms_.position(i) - offset,
                      .velocity = atoms_.velocity(i)});
  }

  incoming_ = leaving_[staying];
  for (int dx = -1; dx <= 1; ++dx)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dz = -1; dz <= 1; ++dz) {
        const int code = direction_code(dx, dy, dz);
        if (code == staying) continue;
        const auto& list = leaving_[code];
        auto message = make_message<AtomsMessage>(list.size() * sizeof(AtomRecord));
        message->atoms = static_cast<std::int32_t>(list.size());
        std::copy(list.begin(), list.end(), message->template trailing<AtomRecord>());
        setup_->patches[grid.neighbour(here_, {dx, dy, dz})].template send_at<&Patch::arrivals>(
            step, std::move(message));
      }
}

template <class Real>
void Patch<Real>::settle_in() {
  atoms_.settle(incoming_);
  grid_ = PatchGrid(bath_.box, grid_.shape());
  const auto atoms = static_cast<std::size_t>(atoms_.size());
  has_lennard_jones_.resize(atoms);
  settled_.resize(atoms);
  bonded_.clear();
  restrained_.clear();
  for (std::size_t i = 0; i < atoms; ++i) {
    const auto id = atoms_.id(static_cast<int>(i));
    settled_[i] = atoms_.position(static_cast<int>(i));
    has_lennard_jones_[i] = system_.parameters().has_lennard_jones(id) ? 1 : 0;
    if (system_.terms().bonded(id)) bonded_.push_back(static_cast<std::int32_t>(i));
    if (system_.restraints().holds(id)) restrained_.push_back(static_cast<std::int32_t>(i));
  }
  bonded_active_.assign(bonded_computes_.size(), 1);
}

template <class Real>
void Patch<Real>::keep(std::int64_t step) {
  const auto atoms = static_cast<std::size_t>(atoms_.size());
  auto message = make_message<KeepMessage>(sizeof(KeptBath) + atoms * sizeof(AtomRecord));
  message->step = step;
  message->number = this->ordinal();
  auto* const kept_bath = message->template trailing<KeptBath>();
  *kept_bath = {.state = bath_, .heat = heat_};
  auto* const records = reinterpret_cast<AtomRecord*>(kept_bath + 1);
  for (std::size_t a = 0; a < atoms; ++a) {
    const auto i = static_cast<int>(a);
    records[a] = {.id = atoms_.id(i),
                  .image = atoms_.image(i),
                  .position = atoms_.position(i),
                  .velocity = atoms_.velocity(i)};
  }
  setup_->keepers.keep(this->runtime().process(), std::move(message));
}

template void Patch<float>::send_leavers(std::int64_t);
template void Patch<double>::send_leavers(std::int64_t);
template void Patch<float>::settle_in();
template void Patch<double>::settle_in();
template void Patch<float>::keep(std::int64_t);
template void Patch<double>::keep(std::int64_t);

}  // namespace fg::classical
