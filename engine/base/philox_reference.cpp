// SPDX-License-Identifier: BSD-3-Clause
//
// The normals of philox.cpp in plain double with the C library's logarithm, sine and cosine.
#include <cmath>
#include <numbers>

#include "base/elementary.hpp"
#include "base/philox.hpp"

namespace fg {

namespace {

double radius(std::uint32_t word) noexcept {
  const double u = (static_cast<double>(word >> 1) + 0.5) * 0x1p-31;
  return std::sqrt(-2.0 * elementary::log(u));
}

double angle(std::uint32_t word) noexcept {
  return std::numbers::pi * 0x1p-31 * static_cast<std::int32_t>(word);
}

}  // namespace

Vec3 normal_triple_reference(const RandomStream& stream, std::int32_t id) noexcept {
  const PhiloxCounter w = philox4x32(
      {static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(stream.step),
       static_cast<std::uint32_t>(stream.step >> 32), static_cast<std::uint32_t>(stream.purpose)},
      {static_cast<std::uint32_t>(stream.seed), static_cast<std::uint32_t>(stream.seed >> 32)});
  return {radius(w[0]) * elementary::cos(angle(w[1])), radius(w[0]) * elementary::sin(angle(w[1])),
          radius(w[2]) * elementary::cos(angle(w[3]))};
}

double uniform_reference(const RandomStream& stream, std::int32_t id) noexcept {
  return 0.5 * elementary::erfc(-normal_triple_reference(stream, id).x / std::numbers::sqrt2);
}

}  // namespace fg
