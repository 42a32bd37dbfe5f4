// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/orbitals/orbital_splines.hpp"

#include <algorithm>
#include <utility>

#include "ab_initio/division/costs.hpp"
#include "ab_initio/orbitals/setups.hpp"
#include "runtime/simulated/simulated_time.hpp"

namespace fg::ab_initio {

namespace {

const Phase waves_phase{"nonlocal splines: waves"};

}  // namespace

OrbitalSplines::OrbitalSplines(const OrbitalsSetup& setup, int block, int part)
    : setup_(&setup),
      block_(block),
      part_(part),
      transforms_(setup.splines->transforms(block)),
      orbitals_(static_cast<std::size_t>(setup.basis->block(block).size())),
      early_(static_cast<std::size_t>(transforms_)) {}

void OrbitalSplines::begin(Block block) {
  virial_ = false;
  started_ = 0;
  for (int i = 0; i < NonlocalSplines::most_started; ++i) go_on(block);
}

void OrbitalSplines::go_on(Block block) {
  if (started_ == transforms_) return;
  const PhaseTimer timer(waves_phase);
  const NonlocalSplines& splines = *setup_->splines;
  const electrons::SplineWaves& waves = splines.waves(part_);
  const int k = started_++;
  const auto orbital = static_cast<std::size_t>(splines.orbital(block_, k));
  auto field = setup_->spline_transforms.field(
      part_, (first_ + k) * setup_->basis->blocks() + block_, fft::Route::backward);
  auto* const to = field->trailing<Number>();
  for (std::size_t s = 0; s < 2; ++s) {
    const std::span out(to + s * waves.size(), waves.size());
    if (orbital + s < orbitals_)
      waves.write(splines.channel(block_, k),
                  block.subspan((orbital + s) * waves.size(), waves.size()), out);
    else
      std::fill(out.begin(), out.end(), Number());
  }
  charge_waves(k, operations::spline_wave);
  // What comes back is numbered after all that go there.
  if (started_ == transforms_) first_ += transforms_;
  setup_->spline_transforms.start(std::move(field));
}

void OrbitalSplines::expect_virial() {
  virial_ = true;
  weights_.assign(setup_->splines->channels().size() * setup_->splines->waves(part_).size(), 0.0);
}

bool OrbitalSplines::take(Ref<const fft::FieldMessage> result, Block block,
                          std::span<Number> applied) {
  const auto k = result->number / setup_->basis->blocks() - first_;
  early_[static_cast<std::size_t>(k)] = std::move(result);
  for (; used_ < transforms_ && early_[static_cast<std::size_t>(used_)]; ++used_)
    use(*std::exchange(early_[static_cast<std::size_t>(used_)], {}), block, applied);
  if (used_ < transforms_) return false;
  used_ = 0;
  first_ += transforms_;
  return true;
}

/// Lines along z of transform k, and each of its waves.
void OrbitalSplines::charge_waves(int k, double operations_each) const {
  const auto orbital = static_cast<std::size_t>(setup_->splines->orbital(block_, k));
  charge(waves_phase, Work::transforms, setup_->splines->costs().columns(part_));
  charge(
      waves_phase, Work::ions,
      spline_waves(operations_each, static_cast<int>(std::min(orbitals_ - orbital, std::size_t{2})),
                   setup_->splines->waves(part_).size()));
}

void OrbitalSplines::use(const fft::FieldMessage& result, Block block, std::span<Number> applied) {
  const PhaseTimer timer(waves_phase);
  const NonlocalSplines& splines = *setup_->splines;
  const electrons::SplineWaves& waves = splines.waves(part_);
  const electrons::SplineChannel& channel = splines.channel(block_, used_);
  const auto orbital = static_cast<std::size_t>(splines.orbital(block_, used_));
  const std::size_t size = waves.size();
  charge_waves(used_, virial_ ? operations::spline_virial : operations::spline_wave);
  for (std::size_t s = 0; s < 2 && orbital + s < orbitals_; ++s) {
    const std::span field(result.trailing<Number>() + s * size, size);
    const std::size_t at = (orbital + s) * size;
    if (virial_) {
      const auto place = static_cast<std::size_t>(used_ / setup_->basis->pairs(block_));
      waves.add_weights(channel, block.subspan(at, size), field,
                        std::span(weights_).subspan(place * size, size));
    } else {
      waves.add_applied(channel, field, applied.subspan(at, size));
    }
  }
}

void OrbitalSplines::add_virial(Virial& virial) {
  const NonlocalSplines& splines = *setup_->splines;
  const electrons::SplineWaves& waves = splines.waves(part_);
  std::size_t first = 0;
  while (first < splines.channels().size()) {
    const int kind = splines.channels()[first].kind;
    const std::size_t rows = waves.rows(kind);
    waves.add_virial(
        kind, std::span<const double>(weights_).subspan(first * waves.size(), rows * waves.size()),
        setup_->job->occupation(), virial);
    first += rows;
  }
}

}  // namespace fg::ab_initio
