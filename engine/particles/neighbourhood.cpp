// SPDX-License-Identifier: BSD-3-Clause
#include "particles/neighbourhood.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "particles/neighbourhood.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "base/fused-inl.hpp"

namespace fg {
#ifndef FG_PARTICLES_CLUSTERS_OF_PARTNER
#define FG_PARTICLES_CLUSTERS_OF_PARTNER

/// What is copied of a partner: whole clusters.
template <class Real>
struct ClustersOfPartner {
  const std::uint8_t* used;  // [clusters]
  std::int32_t clusters;
  const Real* positions;                           // [clusters][3][8]
  const Real *charge, *half_sigma, *root_epsilon;  // [clusters][8]
  Real scale, sigma_scale, shift[3];
};

#endif
}  // namespace fg

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Copies one cluster into two quads, lengths scaled and positions shifted, and sets their forces
/// to zero.
template <class Real>
HWY_INLINE void place_cluster(const ClustersOfPartner<Real>& from, std::int32_t cluster,
                              Real* quads) {
  const hn::CappedTag<Real, 4> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto factor = hn::Set(d, from.scale), sigma_factor = hn::Set(d, from.sigma_scale);
  const auto zero = hn::Zero(d);
  const Real* const positions = from.positions + 24 * cluster;
  for (int half = 0; half < 2; ++half) {
    Real* const to = quads + half * quad::stride;
    const std::size_t slot = static_cast<std::size_t>(8 * cluster + 4 * half);
    for (std::size_t lane = 0; lane < 4; lane += lanes) {
      for (int axis = 0; axis < 3; ++axis) {
        const auto offset = hn::Set(d, from.shift[axis]);
        const auto r = hn::Load(d, positions + 8 * axis + 4 * half + lane);
        hn::Store(fused::mul_add(r, factor, offset), d, to + quad::x + 4 * axis + lane);
        hn::Store(zero, d, to + quad::force_x + 4 * axis + lane);
      }
      hn::Store(hn::LoadU(d, from.charge + slot + lane), d, to + quad::charge + lane);
      hn::Store(hn::Mul(hn::LoadU(d, from.half_sigma + slot + lane), sigma_factor), d,
                to + quad::half_sigma + lane);
      hn::Store(hn::LoadU(d, from.root_epsilon + slot + lane), d, to + quad::root_epsilon + lane);
    }
  }
}

template <class Real>
HWY_INLINE void place_clusters(const ClustersOfPartner<Real>& from, Real* quads) {
  for (std::int32_t c = 0; c < from.clusters; ++c) {
    if (from.used[c]) place_cluster(from, c, quads + 2 * quad::stride * c);
  }
}

void place_float(const ClustersOfPartner<float>& from, float* quads) {
  place_clusters(from, quads);
}
void place_double(const ClustersOfPartner<double>& from, double* quads) {
  place_clusters(from, quads);
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

void place(const ClustersOfPartner<float>& from, float* quads) noexcept {
  HWY_DYNAMIC_DISPATCH(place_float)(from, quads);
}
void place(const ClustersOfPartner<double>& from, double* quads) noexcept {
  HWY_DYNAMIC_DISPATCH(place_double)(from, quads);
}

/// The coordinate of the blank quad, in scaled lengths.
constexpr double far = 1e5;

}  // namespace

template <class Real>
void Neighbourhood<Real>::set_partners(std::span<const Partner<Real>> partners, double length_scale,
                                       bool typed) {
  FG_CHECK(!partners.empty());
  partners_.assign(partners.begin(), partners.end());
  length_scale_ = length_scale;
  sigma_scale_ = typed ? 1 : length_scale;
  first_quad_.assign(1, 0);
  for (const Partner<Real>& p : partners_)
    first_quad_.push_back(first_quad_.back() + 2 * p.block.clusters());

  data_ = nullptr;
  atoms_in_.assign(quads() + 1, 0);
  lennard_jones_in_.assign(quads() + 1, 0);
  cluster_used_.assign(quads() / 2, 1);
  partner_used_.assign(partners_.size(), 1);
  for (int p = 0; p < this->partners(); ++p) {
    const PatchBlockView<Real>& block = partners_[p].block;
    for (std::int32_t slot = 0; slot < block.clusters() * cluster_size; ++slot) {
      const std::int32_t q = first_quad_[p] + slot / quad_size;
      atoms_in_[q] += block.id[slot] >= 0;
      if (block.root_epsilon[slot] != 0)
        lennard_jones_in_[q] = static_cast<std::uint8_t>(slot % quad_size + 1);
    }
  }
}

template <class Real>
void Neighbourhood<Real>::lay_out(AlignedVector<Real>& data) {
  const auto blank = static_cast<std::size_t>(blank_quad()) * quad::stride;
  if (data.size() < blank + quad::stride) data.resize(blank + quad::stride);
  data_ = data.data();
  std::fill_n(data_ + blank, quad::stride, Real(0));
  std::fill_n(data_ + blank + quad::x, 3 * quad_size, Real(far));
}

template <class Real>
void Neighbourhood<Real>::set_positions(int partner, const Real* positions) noexcept {
  const auto& [block, s] = partners_[partner];
  const std::int32_t first = first_quad_[partner];
  place({.used = cluster_used_.data() + first / 2,
         .clusters = (first_quad_[partner + 1] - first) / 2,
         .positions = positions,
         .charge = block.charge.data(),
         .half_sigma = block.half_sigma.data(),
         .root_epsilon = block.root_epsilon.data(),
         .scale = static_cast<Real>(length_scale_),
         .sigma_scale = static_cast<Real>(sigma_scale_),
         .shift = {static_cast<Real>(s.x * length_scale_), static_cast<Real>(s.y * length_scale_),
                   static_cast<Real>(s.z * length_scale_)}},
        data_ + static_cast<std::size_t>(first) * quad::stride);
}

template <class Real>
void Neighbourhood<Real>::use_only(std::span<const std::uint8_t> quads) noexcept {
  for (std::size_t c = 0; c < cluster_used_.size(); ++c)
    cluster_used_[c] = quads[2 * c] | quads[2 * c + 1];
  for (std::size_t p = 0; p < partner_used_.size(); ++p)
    partner_used_[p] = std::any_of(cluster_used_.begin() + first_quad_[p] / 2,
                                   cluster_used_.begin() + first_quad_[p + 1] / 2,
                                   [](std::uint8_t used) { return used != 0; });
}

template class Neighbourhood<float>;
template class Neighbourhood<double>;

}  // namespace fg
#endif
