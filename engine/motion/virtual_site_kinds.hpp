// SPDX-License-Identifier: BSD-3-Clause
//
// The kinds of virtual sites: the place of each, and how the force on it is shared among its
// parents. The place is r_s(r_1, r_2, ...). The force on parent p is J_p^T f, with J_p the
// derivative of r_s by r_p. So the work of a small displacement is the same. Everything is relative
// to the first parent. It gets what the others leave, so the shares add up to f for any weights.
// Units: bohr, hartree/bohr.
#pragma once

#include <array>

#include "base/vec3.hpp"
#include "particles/virtual_site.hpp"

namespace fg {

/// Vectors from the first parent to each of the others, or the forces on these.
using Arms = std::array<Vec3, max_site_parents - 1>;

/// One number for each parent but the first.
class ArmWeights {
 public:
  explicit ArmWeights(const std::array<double, max_site_parents>& weights) noexcept {
    for (std::size_t k = 0; k < weight_.size(); ++k) weight_[k] = weights[k + 1];
  }

  Vec3 sum(const Arms& arms) const noexcept {
    Vec3 sum = arms[0] * weight_[0];
    for (std::size_t k = 1; k < arms.size(); ++k) sum += arms[k] * weight_[k];
    return sum;
  }
  /// Adds the shares of a force on the sum.
  void share(const Vec3& force, Arms& shares) const noexcept {
    for (std::size_t k = 0; k < shares.size(); ++k) shares[k] += force * weight_[k];
  }

 private:
  std::array<double, max_site_parents - 1> weight_{};
};

/// A weighted mean of the parents.
class AverageSite {
 public:
  explicit AverageSite(const VirtualSite& site) noexcept : origin_(site.weights) {}

  /// The place, from the first parent.
  Vec3 place(const Arms& arms) const noexcept { return origin_.sum(arms); }
  /// The forces on the parents but the first, from that on the site.
  Arms shares(const Vec3& force, const Arms&) const noexcept {
    Arms shares{};
    origin_.share(force, shares);
    return shares;
  }

 private:
  ArmWeights origin_;
};

/// A mean, and a step along the normal of the plane of three parents.
class OutOfPlaneSite {
 public:
  explicit OutOfPlaneSite(const VirtualSite& site) noexcept
      : origin_(site.weights), normal_(site.offset.z) {}

  Vec3 place(const Arms& arms) const noexcept {
    return origin_.sum(arms) + cross(arms[0], arms[1]) * normal_;
  }
  Arms shares(const Vec3& force, const Arms& arms) const noexcept {
    Arms shares{};
    origin_.share(force, shares);
    shares[0] += cross(arms[1], force) * normal_;
    shares[1] += cross(force, arms[0]) * normal_;
    return shares;
  }

 private:
  ArmWeights origin_;
  double normal_;
};

/// A mean, and a step of fixed length in a frame that the parents carry with them.
class LocalFrameSite {
 public:
  explicit LocalFrameSite(const VirtualSite& site) noexcept
      : origin_(site.weights), x_(site.x_weights), y_(site.y_weights), offset_(site.offset) {}

  Vec3 place(const Arms& arms) const noexcept {
    const Frame frame = frame_of(arms);
    return origin_.sum(arms) + frame.x * offset_.x + frame.y * offset_.y + frame.z * offset_.z;
  }

  /// The chain rule backwards, from the three axes to the two directions that define them.
  Arms shares(const Vec3& force, const Arms& arms) const noexcept {
    const Frame frame = frame_of(arms);
    const Vec3 on_y = force * offset_.y;
    const Vec3 on_z = force * offset_.z + cross(frame.x, on_y);  // y = z x x
    const Vec3 on_x = force * offset_.x + cross(on_y, frame.z);
    const Vec3 on_normal = across(on_z, frame.z) * frame.inverse_normal;  // z = normal / |normal|
    const Vec3 on_second = cross(on_normal, frame.first);                 // normal = first x second
    const Vec3 on_first =
        cross(frame.second, on_normal) + across(on_x, frame.x) * frame.inverse_first;
    Arms shares{};
    origin_.share(force, shares);
    x_.share(on_first, shares);
    y_.share(on_second, shares);
    return shares;
  }

 private:
  struct Frame {
    Vec3 first, second;  // the directions of x, and of the plane of x and y
    double inverse_first = 0, inverse_normal = 0;
    Vec3 x, y, z;
  };

  static Vec3 across(const Vec3& v, const Vec3& axis) noexcept { return v - axis * dot(axis, v); }
  /// A direction without a length gives an axis without one, as in OpenMM.
  static double inverse_length(const Vec3& v) noexcept {
    const double length = norm(v);
    return length > 0 ? 1 / length : 0;
  }
  Frame frame_of(const Arms& arms) const noexcept {
    Frame frame{.first = x_.sum(arms), .second = y_.sum(arms)};
    const Vec3 normal = cross(frame.first, frame.second);
    frame.inverse_first = inverse_length(frame.first);
    frame.inverse_normal = inverse_length(normal);
    frame.x = frame.first * frame.inverse_first;
    frame.z = normal * frame.inverse_normal;
    frame.y = cross(frame.z, frame.x);
    return frame;
  }

  ArmWeights origin_, x_, y_;
  Vec3 offset_;
};

}  // namespace fg
