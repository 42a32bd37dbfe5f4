// SPDX-License-Identifier: BSD-3-Clause
#include "motion/atoms/cluster_slots.hpp"

#include "base/fixed_point.hpp"
#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "motion/atoms/cluster_slots.cpp"
#include "hwy/foreach_target.h"
// foreach_target must come first: the rest of the file is compiled once per target.
#include "hwy/highway.h"
#include "motion/atoms/slot_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace {

using namespace motion_lanes;

HWY_INLINE void put(Vec value, float* to) {
  const hn::Rebind<float, Doubles> narrow;
  hn::StoreU(hn::DemoteTo(narrow, value), narrow, to);
}
HWY_INLINE void put(Vec value, double* to) {
  hn::StoreU(value, Doubles(), to);
}

template <class Real>
HWY_INLINE void pack(const std::int64_t* slots, int places, const ConstAxes& from,
                     const Vec3& centre, Real* out) {
  const Doubles d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const Vec origin[3] = {hn::Set(d, centre.x), hn::Set(d, centre.y), hn::Set(d, centre.z)};
  for (int place = 0; place < places; place += lanes) {
    const SlotVec slot = hn::Load(Slots(), slots + place);
    Real* const to = out + number_of_slot(place);
    for (int axis = 0; axis < 3; ++axis)
      put(hn::Sub(hn::GatherIndex(d, from[axis], slot), origin[axis]), to + axis * cluster_size);
  }
}

void pack_float(const std::int64_t* slots, int places, const ConstAxes& from, const Vec3& centre,
                float* out) {
  pack(slots, places, from, centre, out);
}
void pack_double(const std::int64_t* slots, int places, const ConstAxes& from, const Vec3& centre,
                 double* out) {
  pack(slots, places, from, centre, out);
}

void give(const std::int64_t* places, int slots, const std::int64_t* sums, const Axes& to) {
  const Doubles d;
  const Slots ints;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const Vec unit = hn::Set(d, 1.0 / force_scale.scale);  // a power of two
  for (int slot = 0; slot < slots; slot += lanes) {
    const SlotVec place = hn::Load(ints, places + slot);
    const SlotVec from = hn::IfThenZeroElse(hn::Lt(place, hn::Zero(ints)), place);
    const auto there = hn::Eq(from, place);
    for (int axis = 0; axis < 3; ++axis) {
      const SlotVec sum = hn::GatherIndex(ints, sums + axis * cluster_size, from);
      const Vec force = hn::Mul(hn::ConvertTo(d, sum), unit);
      hn::Store(hn::IfThenElseZero(hn::RebindMask(d, there), force), d, to[axis] + slot);
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg {
namespace {

HWY_EXPORT(pack_float);
HWY_EXPORT(pack_double);
HWY_EXPORT(give);

void pack(const std::int64_t* slots, int places, const ConstAxes& from, const Vec3& centre,
          float* out) noexcept {
  HWY_DYNAMIC_DISPATCH(pack_float)(slots, places, from, centre, out);
}
void pack(const std::int64_t* slots, int places, const ConstAxes& from, const Vec3& centre,
          double* out) noexcept {
  HWY_DYNAMIC_DISPATCH(pack_double)(slots, places, from, centre, out);
}

}  // namespace

void ClusterSlots::set(const ClusterOrder& order, std::span<const std::int32_t> slots,
                       const MovingAtoms& atoms) {
  atoms_ = order.atoms();
  slots_.resize(order.atom_of_slot.size());
  places_.assign(static_cast<std::size_t>(atoms.slots()), -1);
  for (std::size_t place = 0; place < slots_.size(); ++place) {
    const std::int32_t atom = order.atom_of_slot[place];
    slots_[place] = slots[static_cast<std::size_t>(atom >= 0 ? atom : order.atom_of_slot[0])];
    if (atom >= 0)
      places_[static_cast<std::size_t>(slots_[place])] = number_of_slot(static_cast<int>(place));
  }
}

template <class Real>
void ClusterSlots::pack_positions(const MovingAtoms& atoms, const Vec3& centre,
                                  Real* out) const noexcept {
  const auto places = static_cast<int>(slots_.size());
  pack(slots_.data(), places, atoms.position(), centre, out);
  for (int place = atoms_; place < places; ++place)
    for (int axis = 0; axis < 3; ++axis)
      out[number_of_slot(place) + axis * cluster_size] =
          static_cast<Real>(padding_position(place % cluster_size, centre[axis]));
}

void ClusterSlots::give_forces(const std::int64_t* sums, MovingAtoms& atoms) const noexcept {
  HWY_DYNAMIC_DISPATCH(give)(places_.data(), atoms.slots(), sums, atoms.force());
}

template void ClusterSlots::pack_positions(const MovingAtoms&, const Vec3&, float*) const noexcept;
template void ClusterSlots::pack_positions(const MovingAtoms&, const Vec3&, double*) const noexcept;

}  // namespace fg
#endif
