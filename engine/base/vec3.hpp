// SPDX-License-Identifier: BSD-3-Clause
//
// Three components: a position, a velocity, a force, a box edge.
#pragma once

#include <cmath>

namespace fg {

template <class T>
struct Vec3Of {
  T x{}, y{}, z{};

  constexpr T& operator[](int axis) noexcept { return axis == 0 ? x : axis == 1 ? y : z; }
  constexpr const T& operator[](int axis) const noexcept {
    return axis == 0 ? x : axis == 1 ? y : z;
  }
  constexpr Vec3Of& operator+=(const Vec3Of& o) noexcept {
    x += o.x, y += o.y, z += o.z;
    return *this;
  }
  constexpr Vec3Of& operator-=(const Vec3Of& o) noexcept {
    x -= o.x, y -= o.y, z -= o.z;
    return *this;
  }
  constexpr Vec3Of& operator*=(T s) noexcept {
    x *= s, y *= s, z *= s;
    return *this;
  }
  friend constexpr Vec3Of operator+(Vec3Of a, const Vec3Of& b) noexcept { return a += b; }
  friend constexpr Vec3Of operator-(Vec3Of a, const Vec3Of& b) noexcept { return a -= b; }
  friend constexpr Vec3Of operator*(Vec3Of a, T s) noexcept { return a *= s; }
  friend constexpr Vec3Of operator*(T s, Vec3Of a) noexcept { return a *= s; }
  friend constexpr Vec3Of operator-(const Vec3Of& a) noexcept { return {-a.x, -a.y, -a.z}; }
  friend constexpr bool operator==(const Vec3Of&, const Vec3Of&) noexcept = default;
};

template <class T>
constexpr T dot(const Vec3Of<T>& a, const Vec3Of<T>& b) noexcept {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
constexpr Vec3Of<T> cross(const Vec3Of<T>& a, const Vec3Of<T>& b) noexcept {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
T norm(const Vec3Of<T>& a) noexcept {
  return std::sqrt(dot(a, a));
}

using Vec3 = Vec3Of<double>;
using Int3 = Vec3Of<int>;

}  // namespace fg
