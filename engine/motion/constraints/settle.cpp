// SPDX-License-Identifier: BSD-3-Clause
//
// SETTLE with one water per lane; settle_reference.cpp of the tests has the same names.
#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "motion/constraints/settle.cpp"
#include "hwy/foreach_target.h"
// foreach_target must come first: the rest of the file is compiled once per target.
#include "base/fused-inl.hpp"
#include "hwy/highway.h"
#include "motion/atoms/slot_lanes-inl.hpp"
#include "motion/constraints/settle.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {

using namespace motion_lanes;

int settle_positions_kernel(const SettleTriangle& t, const WaterSlots& waters,
                            const ConstAxes& previous, const Axes& position, const Axes& velocity,
                            double inverse_timestep) {
  const Doubles d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const Vec one = hn::Set(d, 1.0);
  const Vec weight_h = hn::Set(d, t.weight_h);
  const Vec ra = hn::Set(d, t.ra), rb = hn::Set(d, t.rb), rc = hn::Set(d, t.rc);
  const Vec inverse_ra = hn::Set(d, 1.0 / t.ra);
  const Vec rate = hn::Set(d, inverse_timestep);
  int failed = -1;

  for (int w = 0; w < waters.waters; w += lanes) {
    const int slot_a = w, slot_b = waters.stride + w, slot_c = 2 * waters.stride + w;
    const Vec3v old_a = load(previous.data(), slot_a);
    const Vec3v b0 = sub(load(previous.data(), slot_b), old_a);
    const Vec3v c0 = sub(load(previous.data(), slot_c), old_a);
    const Vec3v new_a = load(position.data(), slot_a);
    const Vec3v new_b = load(position.data(), slot_b);
    const Vec3v new_c = load(position.data(), slot_c);
    const Vec3v moved_b = sub(new_b, new_a), moved_c = sub(new_c, new_a);

    const Vec3v centre = scale(weight_h, add(moved_b, moved_c));
    const Vec3v a1{hn::Neg(centre.x), hn::Neg(centre.y), hn::Neg(centre.z)};
    const Vec3v b1 = sub(moved_b, centre), c1 = sub(moved_c, centre);

    const Vec3v z_long = cross(b0, c0);
    const Vec3v x_long = cross(a1, z_long);
    const Vec3v y_long = cross(z_long, x_long);
    const Vec3v x = scale(hn::Div(one, hn::Sqrt(dot(x_long, x_long))), x_long);
    const Vec3v y = scale(hn::Div(one, hn::Sqrt(dot(y_long, y_long))), y_long);
    const Vec3v z = scale(hn::Div(one, hn::Sqrt(dot(z_long, z_long))), z_long);
    const Vec xb0 = dot(x, b0), yb0 = dot(y, b0), xc0 = dot(x, c0), yc0 = dot(y, c0);
    const Vec za1 = dot(z, a1);
    const Vec xb1 = dot(x, b1), yb1 = dot(y, b1), zb1 = dot(z, b1);
    const Vec xc1 = dot(x, c1), yc1 = dot(y, c1), zc1 = dot(z, c1);

    const Vec sin_phi = hn::Mul(za1, inverse_ra);
    const Vec cos_phi = hn::Sqrt(fused::neg_mul_add(sin_phi, sin_phi, one));
    const Vec sin_psi = hn::Div(hn::Sub(zb1, zc1), hn::Mul(hn::Add(rc, rc), cos_phi));
    const Vec cos_psi = hn::Sqrt(fused::neg_mul_add(sin_psi, sin_psi, one));

    const Vec ya2 = hn::Mul(ra, cos_phi);
    const Vec xb2 = hn::Neg(hn::Mul(rc, cos_psi));
    const Vec down = hn::Mul(rb, cos_phi);
    const Vec tilt = hn::Mul(hn::Mul(rc, sin_psi), sin_phi);
    const Vec yb2 = hn::Neg(hn::Add(down, tilt));
    const Vec yc2 = hn::Sub(tilt, down);

    const Vec alpha =
        fused::mul_add(xb2, hn::Sub(xb0, xc0), fused::mul_add(yb0, yb2, hn::Mul(yc0, yc2)));
    const Vec beta =
        fused::mul_add(xb2, hn::Sub(yc0, yb0), fused::mul_add(xb0, yb2, hn::Mul(xc0, yc2)));
    const Vec gamma = hn::Add(fused::neg_mul_add(xb1, yb0, hn::Mul(xb0, yb1)),
                              fused::neg_mul_add(xc1, yc0, hn::Mul(xc0, yc1)));
    const Vec squares = fused::mul_add(alpha, alpha, hn::Mul(beta, beta));
    const Vec root = hn::Sqrt(fused::neg_mul_add(gamma, gamma, squares));
    const Vec sin_theta = hn::Div(fused::neg_mul_add(beta, root, hn::Mul(alpha, gamma)), squares);
    const Vec cos_theta = hn::Sqrt(fused::neg_mul_add(sin_theta, sin_theta, one));

    const Vec xa3 = hn::Neg(hn::Mul(ya2, sin_theta));
    const Vec ya3 = hn::Mul(ya2, cos_theta);
    const Vec xb3 = fused::neg_mul_add(yb2, sin_theta, hn::Mul(xb2, cos_theta));
    const Vec yb3 = fused::mul_add(yb2, cos_theta, hn::Mul(xb2, sin_theta));
    const Vec xc3 = hn::Neg(fused::mul_add(yc2, sin_theta, hn::Mul(xb2, cos_theta)));
    const Vec yc3 = fused::neg_mul_add(xb2, sin_theta, hn::Mul(yc2, cos_theta));

    const auto change = [&](Vec along_x, Vec along_y, Vec along_z, const Vec3v& from) HWY_ATTR {
      return sub(mul_add(along_x, x, mul_add(along_y, y, scale(along_z, z))), from);
    };
    const Vec3v change_a = change(xa3, ya3, za1, a1);
    const Vec3v change_b = change(xb3, yb3, zb1, b1);
    const Vec3v change_c = change(xc3, yc3, zc1, c1);

    // NaN compares false with everything.
    const auto solved = hn::Lt(hn::Mul(sin_theta, sin_theta), one);
    if (HWY_UNLIKELY(!hn::AllTrue(d, solved)) && failed < 0)
      failed = w + static_cast<int>(hn::FindFirstTrue(d, hn::Not(solved)));

    store(add(new_a, change_a), position, slot_a);
    store(add(new_b, change_b), position, slot_b);
    store(add(new_c, change_c), position, slot_c);
    store(mul_add(rate, change_a, load(velocity.data(), slot_a)), velocity, slot_a);
    store(mul_add(rate, change_b, load(velocity.data(), slot_b)), velocity, slot_b);
    store(mul_add(rate, change_c, load(velocity.data(), slot_c)), velocity, slot_c);
  }
  return failed;
}

void settle_velocities_kernel(const SettleTriangle& t, const WaterSlots& waters,
                              const ConstAxes& position, const Axes& velocity) {
  const Doubles d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto m = [&](int i) HWY_ATTR { return hn::Set(d, t.velocity_inverse[i]); };
  const Vec inverse_mass_o = hn::Set(d, t.inverse_mass_o);
  const Vec inverse_mass_h = hn::Set(d, t.inverse_mass_h);
  for (int w = 0; w < waters.waters; w += lanes) {
    const int o = w, h1 = waters.stride + w, h2 = 2 * waters.stride + w;
    const Vec3v at_o = load(position.data(), o);
    const Vec3v p = sub(load(position.data(), h1), at_o);
    const Vec3v q = sub(load(position.data(), h2), at_o);
    const Vec3v s = sub(q, p);
    const Vec3v vo = load(velocity.data(), o);
    const Vec3v v1 = load(velocity.data(), h1);
    const Vec3v v2 = load(velocity.data(), h2);
    const Vec rate_p = dot(p, sub(v1, vo));
    const Vec rate_q = dot(q, sub(v2, vo));
    const Vec rate_s = dot(s, sub(v2, v1));
    const auto multiplier = [&](int row) HWY_ATTR {
      return fused::mul_add(m(row), rate_p,
                            fused::mul_add(m(row + 1), rate_q, hn::Mul(m(row + 2), rate_s)));
    };
    const Vec3v on_p = scale(multiplier(0), p);
    const Vec3v on_q = scale(multiplier(3), q);
    const Vec3v on_s = scale(multiplier(6), s);
    store(mul_add(inverse_mass_o, add(on_p, on_q), vo), velocity, o);
    store(mul_add(inverse_mass_h, sub(on_s, on_p), v1), velocity, h1);
    store(mul_add(hn::Neg(inverse_mass_h), add(on_q, on_s), v2), velocity, h2);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg {

HWY_EXPORT(settle_positions_kernel);
HWY_EXPORT(settle_velocities_kernel);

int settle_positions(const SettleTriangle& triangle, const WaterSlots& waters,
                     const ConstAxes& previous, const Axes& position, const Axes& velocity,
                     double inverse_timestep) noexcept {
  return HWY_DYNAMIC_DISPATCH(settle_positions_kernel)(triangle, waters, previous, position,
                                                       velocity, inverse_timestep);
}

void settle_velocities(const SettleTriangle& triangle, const WaterSlots& waters,
                       const ConstAxes& position, const Axes& velocity) noexcept {
  HWY_DYNAMIC_DISPATCH(settle_velocities_kernel)(triangle, waters, position, velocity);
}

}  // namespace fg
#endif
