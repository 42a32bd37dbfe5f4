// SPDX-License-Identifier: BSD-3-Clause
#include "forces/pair/pair_work.hpp"

#include <algorithm>
#include <utility>

namespace fg {

template <class Real>
PairWork<Real>::PairWork(const PairSettings& settings,
                         std::shared_ptr<const PairKernel<Real>> kernel)
    : kernel_(std::move(kernel)),
      list_cutoff_(settings.list_cutoff),
      inner_list_cutoff_(settings.inner_list_cutoff) {}

template <class Real>
void PairWork<Real>::set_partners(std::span<const Partner<Real>> partners, bool within_home) {
  within_home_ = within_home;
  neighbourhood_.set_partners(partners, kernel_->length_scale(), kernel_->typed());
}

template <class Real>
void PairWork<Real>::build_list() {
  builder_.build(neighbourhood_, within_home_, list_cutoff_, kernel_->group(), outer_);
  use_new_list();
}

template <class Real>
void PairWork<Real>::build_list_of_midpoints(const MidpointCell& cell,
                                             std::span<const MidpointSide> sides,
                                             const Vec3& widths) {
  builder_.build_of_midpoints(neighbourhood_, cell, sides, widths, list_cutoff_, kernel_->group(),
                              outer_);
  use_new_list();
}

template <class Real>
void PairWork<Real>::use_new_list() {
  outer_quads_.resize(neighbourhood_.quads() + 1);
  inner_quads_.resize(outer_quads_.size());
  touched_.reserve(outer_quads_.size() / 2);
  mark_touched(outer_, outer_quads_);
  prune();
}

template <class Real>
void PairWork<Real>::prune() {
  builder_.prune(neighbourhood_, outer_, inner_list_cutoff_, inner_);
  mark_touched(inner_, inner_quads_);
  neighbourhood_.use_only(inner_quads_);
  touched_.clear();
  touched_start_.assign(1, 0);
  for (int p = 0; p < neighbourhood_.partners(); ++p) {
    const std::int32_t first = neighbourhood_.first_quad(p);
    for (std::int32_t q = first; q < neighbourhood_.first_quad(p + 1); q += 2) {
      if (inner_quads_[q] | inner_quads_[q + 1]) touched_.push_back((q - first) / 2);
    }
    touched_start_.push_back(static_cast<std::int32_t>(touched_.size()));
  }
}

template <class Real>
std::int64_t PairWork<Real>::atoms() const noexcept {
  std::int64_t atoms = 0;
  for (std::int32_t q = 0; q < neighbourhood_.quads(); ++q) atoms += neighbourhood_.atoms_in(q);
  return atoms;
}

template <class Real>
PairEnergies PairWork<Real>::energies() noexcept {
  PairEnergies energies = kernel_->energies(inner_, neighbourhood_.data());
  energies.virial = virial();
  return energies;
}

template <class Real>
Virial PairWork<Real>::virial() const noexcept {
  // Sum over pairs of (r_i - r_j) f_ij = sum over atoms of r f, in any common frame. Each lane has
  // sums of its own, which the compiler can keep in vectors; forces on lanes without atoms are
  // zero.
  const double length = 1.0 / neighbourhood_.length_scale();
  double sums[6][quad::lanes] = {};
  for (int p = 0; p < neighbourhood_.partners(); ++p) {
    const std::int32_t first = neighbourhood_.first_quad(p);
    for (const std::int32_t cluster : touched(p)) {
      for (int half = 0; half < 2; ++half) {
        const Real* const at = neighbourhood_.data() +
                               static_cast<std::size_t>(first + 2 * cluster + half) * quad::stride;
        for (int lane = 0; lane < quad::lanes; ++lane) {
          const double x = at[quad::x + lane], y = at[quad::y + lane], z = at[quad::z + lane];
          const double fx = at[quad::force_x + lane], fy = at[quad::force_y + lane],
                       fz = at[quad::force_z + lane];
          sums[0][lane] += x * fx;
          sums[1][lane] += y * fy;
          sums[2][lane] += z * fz;
          sums[3][lane] += x * fy;
          sums[4][lane] += x * fz;
          sums[5][lane] += y * fz;
        }
      }
    }
  }
  Virial virial{};
  for (std::size_t c = 0; c < virial.size(); ++c)
    for (const double sum : sums[c]) virial[c] += sum * length;
  return virial;
}

template class PairWork<float>;
template class PairWork<double>;

}  // namespace fg
