// SPDX-License-Identifier: BSD-3-Clause
//
// One part of a transform between the waves of a sphere and points, as a chare. The array has the
// dimensions of TransformPart's.
#pragma once

#include <memory>
#include <string_view>

#include "fft/chares/sphere_setup.hpp"
#include "fft/chares/staged_part.hpp"

namespace fg::fft {

template <class Real>
class SpherePart final
    : public StagedPart<SpherePart<Real>, Real, RankSphere<Real>, SphereSetup<Real>> {
 public:
  static constexpr std::string_view array_name = "sphere transforms";
  explicit SpherePart(std::shared_ptr<const SphereSetup<Real>> setup);

  void start(Ref<const FieldMessage> message) { Base::started(std::move(message)); }
  void parcel(Ref<const ParcelMessage> message) { Base::arrived(std::move(message)); }

  /// Between transforms only.
  void archive(Archive& with) override;

 private:
  using Base = StagedPart<SpherePart<Real>, Real, RankSphere<Real>, SphereSetup<Real>>;
  friend Base;

  static RankSphere<Real> make_work(const SphereSetup<Real>& setup, int part) {
    const SphereSettings<Real>& is = setup.settings;
    if (is.end == SphereEnd::rows) return RankSphere<Real>::to_rows(is.plan, part, is.batch);
    return {is.plan, part, setup.points(part), is.batch};
  }
  int send_parcels();
  void take_early_ones();
  void take(const ParcelMessage& parcel);
  void arithmetic_over() noexcept {}
  void direction_over() noexcept {}
};

extern template class SpherePart<float>;
extern template class SpherePart<double>;

}  // namespace fg::fft
