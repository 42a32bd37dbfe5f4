// SPDX-License-Identifier: BSD-3-Clause
//
// SETTLE one water at a time, in the notation of Miyamoto and Kollman: A is the oxygen, B and C the
// hydrogens; unprimed is before the move, 1 after it, 3 on the constraints; X', Y', Z' are the
// axes.
#include <cmath>

#include "support/references/motion/motion_references.hpp"

namespace fg {

namespace {

Vec3 read(const ConstAxes& a, int i) noexcept {
  return {a[0][i], a[1][i], a[2][i]};
}
Vec3 read(const Axes& a, int i) noexcept {
  return {a[0][i], a[1][i], a[2][i]};
}
void write(const Axes& a, int i, const Vec3& v) noexcept {
  a[0][i] = v.x, a[1][i] = v.y, a[2][i] = v.z;
}

}  // namespace

int settle_positions_reference(const SettleTriangle& t, const WaterSlots& waters,
                               const ConstAxes& previous, const Axes& position,
                               const Axes& velocity, double inverse_timestep) noexcept {
  int failed = -1;
  for (int w = 0; w < waters.waters; ++w) {
    const int slot[3] = {w, waters.stride + w, 2 * waters.stride + w};
    const Vec3 old_a = read(previous, slot[0]);
    const Vec3 b0 = read(previous, slot[1]) - old_a;
    const Vec3 c0 = read(previous, slot[2]) - old_a;
    const Vec3 new_a = read(position, slot[0]);
    const Vec3 moved_b = read(position, slot[1]) - new_a;
    const Vec3 moved_c = read(position, slot[2]) - new_a;

    // Positions relative to the centre of mass; `centre` is its offset from the oxygen.
    const Vec3 centre = t.weight_h * (moved_b + moved_c);
    const Vec3 a1 = -centre;
    const Vec3 b1 = moved_b - centre;
    const Vec3 c1 = moved_c - centre;

    const Vec3 z_long = cross(b0, c0);
    const Vec3 x_long = cross(a1, z_long);
    const Vec3 y_long = cross(z_long, x_long);
    const Vec3 x_axis = (1.0 / norm(x_long)) * x_long;
    const Vec3 y_axis = (1.0 / norm(y_long)) * y_long;
    const Vec3 z_axis = (1.0 / norm(z_long)) * z_long;
    const double xb0 = dot(x_axis, b0), yb0 = dot(y_axis, b0);
    const double xc0 = dot(x_axis, c0), yc0 = dot(y_axis, c0);
    const double za1 = dot(z_axis, a1);
    const double xb1 = dot(x_axis, b1), yb1 = dot(y_axis, b1), zb1 = dot(z_axis, b1);
    const double xc1 = dot(x_axis, c1), yc1 = dot(y_axis, c1), zc1 = dot(z_axis, c1);

    const double sin_phi = za1 / t.ra;
    const double cos_phi = std::sqrt(1.0 - sin_phi * sin_phi);
    const double sin_psi = (zb1 - zc1) / (2.0 * t.rc * cos_phi);
    const double cos_psi = std::sqrt(1.0 - sin_psi * sin_psi);

    const double ya2 = t.ra * cos_phi;
    const double xb2 = -t.rc * cos_psi;
    const double yb2 = -t.rb * cos_phi - t.rc * sin_psi * sin_phi;
    const double yc2 = -t.rb * cos_phi + t.rc * sin_psi * sin_phi;

    const double alpha = xb2 * (xb0 - xc0) + yb0 * yb2 + yc0 * yc2;
    const double beta = xb2 * (yc0 - yb0) + xb0 * yb2 + xc0 * yc2;
    const double gamma = xb0 * yb1 - xb1 * yb0 + xc0 * yc1 - xc1 * yc0;
    const double squares = alpha * alpha + beta * beta;
    const double sin_theta = (alpha * gamma - beta * std::sqrt(squares - gamma * gamma)) / squares;
    const double cos_theta = std::sqrt(1.0 - sin_theta * sin_theta);

    const double xa3 = -ya2 * sin_theta;
    const double ya3 = ya2 * cos_theta;
    const double xb3 = xb2 * cos_theta - yb2 * sin_theta;
    const double yb3 = xb2 * sin_theta + yb2 * cos_theta;
    const double xc3 = -xb2 * cos_theta - yc2 * sin_theta;
    const double yc3 = -xb2 * sin_theta + yc2 * cos_theta;

    const Vec3 change[3] = {xa3 * x_axis + ya3 * y_axis + za1 * z_axis - a1,
                            xb3 * x_axis + yb3 * y_axis + zb1 * z_axis - b1,
                            xc3 * x_axis + yc3 * y_axis + zc1 * z_axis - c1};
    // NaN compares false with everything.
    const bool solved = sin_theta * sin_theta < 1.0;
    if (!solved && failed < 0) failed = w;
    for (int k = 0; k < 3; ++k) {
      write(position, slot[k], read(position, slot[k]) + change[k]);
      write(velocity, slot[k], read(velocity, slot[k]) + inverse_timestep * change[k]);
    }
  }
  return failed;
}

void settle_velocities_reference(const SettleTriangle& t, const WaterSlots& waters,
                                 const ConstAxes& position, const Axes& velocity) noexcept {
  const auto& m = t.velocity_inverse;
  for (int w = 0; w < waters.waters; ++w) {
    const int o = w, h1 = waters.stride + w, h2 = 2 * waters.stride + w;
    const Vec3 p = read(position, h1) - read(position, o);
    const Vec3 q = read(position, h2) - read(position, o);
    const Vec3 s = q - p;
    const Vec3 vo = read(velocity, o), v1 = read(velocity, h1), v2 = read(velocity, h2);
    const double rate_p = dot(p, v1 - vo), rate_q = dot(q, v2 - vo), rate_s = dot(s, v2 - v1);
    const Vec3 on_p = (m[0] * rate_p + m[1] * rate_q + m[2] * rate_s) * p;
    const Vec3 on_q = (m[3] * rate_p + m[4] * rate_q + m[5] * rate_s) * q;
    const Vec3 on_s = (m[6] * rate_p + m[7] * rate_q + m[8] * rate_s) * s;
    write(velocity, o, vo + t.inverse_mass_o * (on_p + on_q));
    write(velocity, h1, v1 + t.inverse_mass_h * (on_s - on_p));
    write(velocity, h2, v2 - t.inverse_mass_h * (on_q + on_s));
  }
}

}  // namespace fg
