// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/mesh_waves.hpp"

#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/fixed_point.hpp"
#include "forces/mesh/mesh_setup.hpp"
#include "forces/mesh/mesh_spreader.hpp"

namespace fg {

namespace {

const Phase convolution_phase("mesh: convolution");

}  // namespace

template <class Real>
MeshWaves<Real>::MeshWaves(const MeshClient<Real>& client, fft::PencilIndex index)
    : setup_(client.setup),
      place_(index),
      box_(setup_->division.settings.box),
      nx_(setup_->division.settings.mesh[0]),
      nz_(setup_->division.settings.mesh[2]),
      y_(setup_->division.pencils.y_part_of_x(index[0])),
      kz_(setup_->division.pencils.kz_part(index[1])),
      influence_(make_influence(setup_->division.settings)) {
  factor_.resize(2 * static_cast<std::size_t>(kz_.size()) * y_.size() * nx_);
  energy_of_row_.resize(nx_);
  make_factors();
}

template <class Real>
void MeshWaves<Real>::change(std::int64_t /*round*/, const MeshHead& head, Complex* waves) {
  if (head.kind.rebuild) set_box(head.cell);
  const PhaseTimer timer(convolution_phase);
  if (head.kind.virial) deposit(head.step, waves);
  convolve(waves);
}

template <class Real>
void MeshWaves<Real>::set_box(const Box& box) noexcept {
  if (box == box_) return;
  box_ = box;
  influence_->set_box(box);
  make_factors();
}

template <class Real>
void MeshWaves<Real>::make_factors() noexcept {
  std::size_t at = 0;
  for (int kz = kz_.begin; kz < kz_.end; ++kz)
    for (int kx = 0; kx < nx_; ++kx)
      for (int ky = y_.begin; ky < y_.end; ++ky, at += 2)
        // The pairing of lines doubles the spectrum.
        factor_[at] = factor_[at + 1] = static_cast<Real>(0.5 * influence_->value(kx, ky, kz));
}

template <class Real>
typename MeshWaves<Real>::Sums MeshWaves<Real>::energies(const Complex* waves) noexcept {
  Sums sums;
  const std::size_t row = static_cast<std::size_t>(y_.size());
  for (int kz = kz_.begin; kz < kz_.end; ++kz) {
    const double both_signs = kz == 0 || 2 * kz == nz_ ? 1 : 2;
    for (int ky = y_.begin; ky < y_.end; ++ky) {
      std::size_t at = static_cast<std::size_t>(kz - kz_.begin) * nx_ * row + (ky - y_.begin);
      for (int kx = 0; kx < nx_; ++kx, at += row) {
        const double re = waves[at].real(), im = waves[at].imag();
        // 1/2 G |Q|^2 with factor = G / 2 and twice Q.
        energy_of_row_[kx] = 0.25 * both_signs * factor_[2 * at] * (re * re + im * im);
        sums.energy += energy_of_row_[kx];
      }
      const Virial w = influence_->row_virial(ky, kz, energy_of_row_);
      for (int c = 0; c < 6; ++c) sums.virial[c] += w[c];
    }
  }
  return sums;
}

template <class Real>
void MeshWaves<Real>::convolve(Complex* waves) const noexcept {
  Real* values = reinterpret_cast<Real*>(waves);
  const Real* factor = factor_.data();
  const std::size_t count = factor_.size();
  for (std::size_t i = 0; i < count; ++i) values[i] *= factor[i];
}

template <class Real>
void MeshWaves<Real>::deposit(std::int64_t step, const Complex* waves) {
  const auto sums = energies(waves);
  if (!energy_scale.fits(sums.energy))
    throw NumericsError({.what = "the mesh energy is out of bounds",
                         .where = "step " + std::to_string(step),
                         .value = std::to_string(sums.energy) + " hartree",
                         .hint = "the system may be unstable"});
  auto deposit = make_message<EnergyDeposit>();
  deposit->step = step;
  std::int64_t& energy = deposit->terms[energy_term("mesh")];
  energy = energy_scale.to_fixed(sums.energy);
  for (int c = 0; c < 6; ++c) deposit->virial[c] = energy_scale.to_fixed(sums.virial[c]);
  if (place_ == fft::PencilIndex{0, 0}) {
    // A whole system's self energy may exceed the limit of to_fixed, but not that of the sum.
    const auto fixed = [](double x) -> std::int64_t { return std::llrint(x * energy_scale.scale); };
    const double background = setup_->constants.background_in(box_);
    energy += fixed(setup_->constants.self) + fixed(background);
    for (int c = 0; c < 3; ++c) deposit->virial[c] += fixed(background);
  }
  setup_->deposits.make(std::move(deposit));
}

template class MeshWaves<float>;
template class MeshWaves<double>;

}  // namespace fg
