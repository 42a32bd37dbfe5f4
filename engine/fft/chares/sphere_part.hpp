// SPDX-License-Identifier: BSD-3-Clause
//
// One part of a transform between the waves of a sphere and points, as a chare; the array has the
// dimensions of TransformPart's.
#pragma once

#include <memory>
#include <string_view>

#include "base/aligned_vector.hpp"
#include "fft/chares/parcel_inbox.hpp"
#include "fft/chares/sphere_setup.hpp"
#include "fft/chares/start_queue.hpp"

namespace fg::fft {

template <class Real>
class SpherePart final : public Chare<SpherePart<Real>, 2> {
 public:
  static constexpr std::string_view array_name = "sphere transforms";
  explicit SpherePart(std::shared_ptr<const SphereSetup<Real>> setup);

  void start(Ref<const FieldMessage> message);    // from a client
  void parcel(Ref<const ParcelMessage> message);  // from another part

  /// Between transforms only.
  void archive(Archive& with) override;

 private:
  using Base = Chare<SpherePart<Real>, 2>;
  int part() const noexcept { return Base::index()[0]; }
  int place() const noexcept { return Base::index()[1]; }

  void work();
  bool take_up_next();
  void begin(Direction direction, const void* from, void* to);
  void send_parcels();
  void take(const ParcelMessage& parcel);
  void end_of_direction();

  std::shared_ptr<const SphereSetup<Real>> setup_;
  RankSphere<Real> transform_;
  AlignedVector<std::complex<Real>> points_;  // between there and back
  StartQueue starts_;
  ParcelInbox inbox_;
  Ref<const FieldMessage> input_;
  Ref<FieldMessage> output_;
  Direction direction_ = Direction::forward;
};

extern template class SpherePart<float>;
extern template class SpherePart<double>;

}  // namespace fg::fft
