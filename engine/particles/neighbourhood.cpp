// SPDX-License-Identifier: BSD-3-Clause
#include "particles/neighbourhood.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "particles/neighbourhood.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Copies one cluster of a message into two quads, scaled and shifted, and sets their forces to
/// zero.
template <class Real>
HWY_INLINE void place_cluster(const Real* positions, Real scale, const Real* shift, Real* quads) {
  const hn::CappedTag<Real, 4> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto factor = hn::Set(d, scale);
  const auto zero = hn::Zero(d);
  for (int half = 0; half < 2; ++half) {
    Real* const to = quads + half * quad::stride;
    for (int axis = 0; axis < 3; ++axis) {
      const auto offset = hn::Set(d, shift[axis]);
      for (std::size_t lane = 0; lane < 4; lane += lanes) {
        const auto r = hn::Load(d, positions + 8 * axis + 4 * half + lane);
        hn::Store(hn::MulAdd(r, factor, offset), d, to + quad::x + 4 * axis + lane);
        hn::Store(zero, d, to + quad::force_x + 4 * axis + lane);
      }
    }
  }
}

template <class Real>
HWY_INLINE void place_clusters(const Real* positions, const std::uint8_t* used, std::int32_t n,
                               Real scale, const Real* shift, Real* quads) {
  for (std::int32_t c = 0; c < n; ++c) {
    if (used[c]) place_cluster(positions + 24 * c, scale, shift, quads + 2 * quad::stride * c);
  }
}

void place_float(const float* positions, const std::uint8_t* used, std::int32_t n, float scale,
                 const float* shift, float* quads) {
  place_clusters(positions, used, n, scale, shift, quads);
}
void place_double(const double* positions, const std::uint8_t* used, std::int32_t n, double scale,
                  const double* shift, double* quads) {
  place_clusters(positions, used, n, scale, shift, quads);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg {
namespace {

HWY_EXPORT(place_float);
HWY_EXPORT(place_double);

void place(const float* positions, const std::uint8_t* used, std::int32_t n, float scale,
           const float* shift, float* quads) noexcept {
  HWY_DYNAMIC_DISPATCH(place_float)(positions, used, n, scale, shift, quads);
}
void place(const double* positions, const std::uint8_t* used, std::int32_t n, double scale,
           const double* shift, double* quads) noexcept {
  HWY_DYNAMIC_DISPATCH(place_double)(positions, used, n, scale, shift, quads);
}

/// The coordinate of lanes without an atom, in scaled lengths.
constexpr double far = 1e5;

}  // namespace

template <class Real>
void Neighbourhood<Real>::set_partners(std::span<const Partner<Real>> partners, double length_scale,
                                       bool typed) {
  FG_CHECK(!partners.empty());
  partners_.assign(partners.begin(), partners.end());
  length_scale_ = length_scale;
  const double sigma_scale = typed ? 1 : length_scale;
  first_quad_.assign(1, 0);
  for (const Partner<Real>& p : partners_)
    first_quad_.push_back(first_quad_.back() + 2 * p.block.clusters());

  data_.assign(static_cast<std::size_t>(quads() + 1) * quad::stride, Real(0));
  atoms_in_.assign(quads() + 1, 0);
  lennard_jones_in_.assign(quads() + 1, 0);
  cluster_used_.assign(quads() / 2, 1);
  for (std::int32_t q = 0; q <= quads(); ++q)
    std::fill_n(&data_[static_cast<std::size_t>(q) * quad::stride], 3 * quad_size, Real(far));

  for (int p = 0; p < this->partners(); ++p) {
    const PatchBlockView<Real>& block = partners_[p].block;
    for (std::int32_t slot = 0; slot < block.clusters() * cluster_size; ++slot) {
      const std::int32_t q = first_quad_[p] + slot / quad_size;
      Real* const to = &data_[static_cast<std::size_t>(q) * quad::stride + slot % quad_size];
      to[quad::charge] = block.charge[slot];
      to[quad::half_sigma] = static_cast<Real>(block.half_sigma[slot] * sigma_scale);
      to[quad::root_epsilon] = block.root_epsilon[slot];
      atoms_in_[q] += block.id[slot] >= 0;
      if (block.root_epsilon[slot] != 0)
        lennard_jones_in_[q] = static_cast<std::uint8_t>(slot % quad_size + 1);
    }
  }
}

template <class Real>
void Neighbourhood<Real>::set_positions(int partner, const Real* positions) noexcept {
  const Vec3& s = partners_[partner].shift;
  const Real shift[3] = {static_cast<Real>(s.x * length_scale_),
                         static_cast<Real>(s.y * length_scale_),
                         static_cast<Real>(s.z * length_scale_)};
  const std::int32_t first = first_quad_[partner];
  place(positions, cluster_used_.data() + first / 2, (first_quad_[partner + 1] - first) / 2,
        static_cast<Real>(length_scale_), shift,
        data_.data() + static_cast<std::size_t>(first) * quad::stride);
}

template <class Real>
void Neighbourhood<Real>::use_all() noexcept {
  std::fill(cluster_used_.begin(), cluster_used_.end(), std::uint8_t{1});
}

template <class Real>
void Neighbourhood<Real>::use_only(std::span<const std::uint8_t> quads) noexcept {
  for (std::size_t c = 0; c < cluster_used_.size(); ++c)
    cluster_used_[c] = quads[2 * c] | quads[2 * c + 1];
}

template class Neighbourhood<float>;
template class Neighbourhood<double>;

}  // namespace fg
#endif
