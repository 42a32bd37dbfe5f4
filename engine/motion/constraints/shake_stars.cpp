// SPDX-License-Identifier: BSD-3-Clause
//
// Stars with one star per lane. Newton's method works on the multipliers of all leaves at once, and
// doubles the number of correct digits in each iteration. Velocities have a direct solution. A lane
// no longer changes once its star is solved, so its bits do not depend on its neighbours. Lanes
// past the end repeat the last star in the same vector and write the same numbers.
#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "motion/constraints/shake_stars.cpp"
#include "hwy/foreach_target.h"
// foreach_target must come first: the rest of the file is compiled once per target.
#include "base/fused-inl.hpp"
#include "hwy/highway.h"
#include "motion/atoms/slot_lanes-inl.hpp"
#include "motion/constraints/shake.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {

using namespace motion_lanes;

/// Solves matrix * x = x in place, by elimination without pivoting. Each leaf's own mass makes the
/// diagonal the largest element of its row.
template <int n>
HWY_INLINE void solve(Vec (&matrix)[n][n], Vec (&x)[n]) {
  const Doubles d;
  for (int k = 0; k < n; ++k) {
    const Vec inverse = hn::Div(hn::Set(d, 1.0), matrix[k][k]);
    for (int i = k + 1; i < n; ++i) {
      const Vec factor = hn::Mul(matrix[i][k], inverse);
      for (int j = k + 1; j < n; ++j)
        matrix[i][j] = fused::neg_mul_add(factor, matrix[k][j], matrix[i][j]);
      x[i] = fused::neg_mul_add(factor, x[k], x[i]);
    }
    matrix[k][k] = inverse;
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) x[k] = fused::neg_mul_add(matrix[k][j], x[j], x[k]);
    x[k] = hn::Mul(x[k], matrix[k][k]);
  }
}

template <int n>
int shake_kernel(const StarList& list, double tolerance, const ConstAxes& previous,
                 const Axes& position, const Axes& velocity, double inverse_timestep) {
  const Doubles d;
  const Slots slots;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const Vec rate = hn::Set(d, inverse_timestep);
  const Vec allowed = hn::Set(d, 2.0 * tolerance);
  int failed = -1;

  for (int star = 0; star < list.stars; star += lanes) {
    const SlotVec centre = hn::Load(slots, list.centre.data() + star);
    const Vec inverse_mass_c = hn::Load(d, list.centre_inverse_mass.data() + star);
    const Vec3v old_c = gather(previous.data(), centre);
    const Vec3v new_c = gather(position.data(), centre);
    SlotVec leaf[n];
    Vec inverse_mass[n], distance2[n];
    Vec3v old_bond[n], new_leaf[n], bond[n], moved[n];
    for (int k = 0; k < n; ++k) {
      leaf[k] = hn::Load(slots, list.leaf[k].data() + star);
      inverse_mass[k] = hn::Load(d, list.leaf_inverse_mass[k].data() + star);
      distance2[k] = hn::Load(d, list.distance2[k].data() + star);
      old_bond[k] = sub(gather(previous.data(), leaf[k]), old_c);
      new_leaf[k] = gather(position.data(), leaf[k]);
      moved[k] = sub(new_leaf[k], new_c);
      bond[k] = moved[k];
    }

    // The multipliers: leaf k moves by inverse_mass[k] sum[k] old_bond[k], the centre in the
    // opposite direction.
    Vec sum[n];
    for (int k = 0; k < n; ++k) sum[k] = hn::Zero(d);
    auto open = hn::Eq(inverse_mass_c, inverse_mass_c);
    for (int iteration = 0; iteration < max_newton_iterations; ++iteration) {
      Vec missing[n];
      auto outside = hn::Lt(inverse_mass_c, inverse_mass_c);
      for (int k = 0; k < n; ++k) {
        missing[k] = hn::Sub(distance2[k], dot(bond[k], bond[k]));
        // Written so that NaN counts as outside.
        const auto inside = hn::Le(hn::Abs(missing[k]), hn::Mul(allowed, distance2[k]));
        outside = hn::Or(outside, hn::Not(inside));
      }
      open = hn::And(open, outside);
      if (hn::AllFalse(d, open)) break;

      Vec matrix[n][n];
      for (int j = 0; j < n; ++j) {
        const Vec3v twice = add(bond[j], bond[j]);
        for (int k = 0; k < n; ++k) {
          const Vec weight =
              j == k ? Vec(hn::Add(inverse_mass_c, inverse_mass[k])) : inverse_mass_c;
          matrix[j][k] = hn::Mul(weight, dot(twice, old_bond[k]));
        }
      }
      solve<n>(matrix, missing);
      Vec3v pull{hn::Zero(d), hn::Zero(d), hn::Zero(d)};
      for (int k = 0; k < n; ++k) {
        sum[k] = hn::IfThenElse(open, hn::Add(sum[k], missing[k]), sum[k]);
        pull = mul_add(sum[k], old_bond[k], pull);
      }
      for (int k = 0; k < n; ++k)
        bond[k] = mul_add(hn::Mul(sum[k], inverse_mass[k]), old_bond[k],
                          mul_add(inverse_mass_c, pull, moved[k]));
    }
    if (HWY_UNLIKELY(!hn::AllFalse(d, open))) {
      const int first = star + static_cast<int>(hn::FindFirstTrue(d, open));
      if (failed < 0) failed = first;
    }

    Vec3v pull{hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    for (int k = 0; k < n; ++k) {
      const Vec3v change = scale(hn::Mul(sum[k], inverse_mass[k]), old_bond[k]);
      pull = mul_add(sum[k], old_bond[k], pull);
      scatter(add(new_leaf[k], change), position, leaf[k]);
      scatter(mul_add(rate, change, gather(velocity.data(), leaf[k])), velocity, leaf[k]);
    }
    const Vec3v change = scale(hn::Neg(inverse_mass_c), pull);
    scatter(add(new_c, change), position, centre);
    scatter(mul_add(rate, change, gather(velocity.data(), centre)), velocity, centre);
  }
  return failed;
}

template <int n>
void rattle_kernel(const StarList& list, const ConstAxes& position, const Axes& velocity) {
  const Doubles d;
  const Slots slots;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int star = 0; star < list.stars; star += lanes) {
    const SlotVec centre = hn::Load(slots, list.centre.data() + star);
    const Vec inverse_mass_c = hn::Load(d, list.centre_inverse_mass.data() + star);
    const Vec3v at_c = gather(position.data(), centre);
    const Vec3v v_c = gather(velocity.data(), centre);
    SlotVec leaf[n];
    Vec inverse_mass[n], multiplier[n];
    Vec3v bond[n], v_leaf[n];
    for (int k = 0; k < n; ++k) {
      leaf[k] = hn::Load(slots, list.leaf[k].data() + star);
      inverse_mass[k] = hn::Load(d, list.leaf_inverse_mass[k].data() + star);
      bond[k] = sub(gather(position.data(), leaf[k]), at_c);
      v_leaf[k] = gather(velocity.data(), leaf[k]);
      multiplier[k] = dot(bond[k], sub(v_leaf[k], v_c));
    }
    Vec matrix[n][n];
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vec weight = j == k ? Vec(hn::Add(inverse_mass_c, inverse_mass[k])) : inverse_mass_c;
        matrix[j][k] = hn::Mul(weight, dot(bond[j], bond[k]));
      }
    solve<n>(matrix, multiplier);
    Vec3v pull{hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    for (int k = 0; k < n; ++k) {
      pull = mul_add(multiplier[k], bond[k], pull);
      scatter(mul_add(hn::Neg(hn::Mul(multiplier[k], inverse_mass[k])), bond[k], v_leaf[k]),
              velocity, leaf[k]);
    }
    scatter(mul_add(inverse_mass_c, pull, v_c), velocity, centre);
  }
}

int shake_stars_kernel(int leaves, const StarList& list, double tolerance,
                       const ConstAxes& previous, const Axes& position, const Axes& velocity,
                       double inverse_timestep) {
  switch (leaves) {
    case 1:
      return shake_kernel<1>(list, tolerance, previous, position, velocity, inverse_timestep);
    case 2:
      return shake_kernel<2>(list, tolerance, previous, position, velocity, inverse_timestep);
    case 3:
      return shake_kernel<3>(list, tolerance, previous, position, velocity, inverse_timestep);
    default:
      return shake_kernel<4>(list, tolerance, previous, position, velocity, inverse_timestep);
  }
}

void rattle_stars_kernel(int leaves, const StarList& list, const ConstAxes& position,
                         const Axes& velocity) {
  switch (leaves) {
    case 1:
      return rattle_kernel<1>(list, position, velocity);
    case 2:
      return rattle_kernel<2>(list, position, velocity);
    case 3:
      return rattle_kernel<3>(list, position, velocity);
    default:
      return rattle_kernel<4>(list, position, velocity);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg {

HWY_EXPORT(shake_stars_kernel);
HWY_EXPORT(rattle_stars_kernel);

int shake_stars(int leaves, const StarList& list, double tolerance, const ConstAxes& previous,
                const Axes& position, const Axes& velocity, double inverse_timestep) noexcept {
  return HWY_DYNAMIC_DISPATCH(shake_stars_kernel)(leaves, list, tolerance, previous, position,
                                                  velocity, inverse_timestep);
}

void rattle_stars(int leaves, const StarList& list, const ConstAxes& position,
                  const Axes& velocity) noexcept {
  HWY_DYNAMIC_DISPATCH(rattle_stars_kernel)(leaves, list, position, velocity);
}

}  // namespace fg
#endif
