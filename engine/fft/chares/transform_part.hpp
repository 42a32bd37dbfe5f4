// SPDX-License-Identifier: BSD-3-Clause
//
// One part of a distributed transform as a chare. The array has two dimensions: the part, and the
// place in the window. Transform t of every part is the work of the places t modulo window, one
// after the other in the order of numbers, whatever the order in which they are started; so no two
// parts wait for each other's transforms.
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "base/aligned_vector.hpp"
#include "fft/chares/parcel_inbox.hpp"
#include "fft/chares/start_queue.hpp"
#include "fft/chares/transform_setup.hpp"

namespace fg::fft {

template <class Real>
class TransformPart final : public Chare<TransformPart<Real>, 2> {
 public:
  static constexpr std::string_view array_name = "transforms";
  explicit TransformPart(std::shared_ptr<const TransformSetup<Real>> setup);

  void start(Ref<const FieldMessage> message);    // from a client
  void parcel(Ref<const ParcelMessage> message);  // from another part
  void exchanged(std::int64_t round);             // all parcels of a round are here

  /// Between transforms only.
  void archive(Archive& with) override;

 private:
  using Base = Chare<TransformPart<Real>, 2>;
  int part() const noexcept { return Base::index()[0]; }
  int place() const noexcept { return Base::index()[1]; }

  void work();
  bool take_up_next();
  void begin(Direction direction, const void* from, void* to);
  void after_arithmetic();
  void send_messages();
  void write_fragments();
  void take(const ParcelMessage& parcel);
  void take_early_ones();
  void take_fragments();
  void end_of_direction();

  std::size_t exchange_index() const noexcept;  // in TransformExchanges
  std::int64_t awaited_round() const noexcept;

  std::shared_ptr<const TransformSetup<Real>> setup_;
  RankTransform<Real> transform_;
  std::size_t exchanges_;                    // of one direction
  AlignedVector<std::complex<Real>> waves_;  // between there and back
  StartQueue starts_;
  Ref<const FieldMessage> input_;
  Ref<FieldMessage> output_;
  Direction direction_ = Direction::forward;
  std::size_t stage_ = 0;  // exchanges done in this direction
  ParcelInbox inbox_;
  std::array<std::int64_t, 2> rounds_{};  // by direction: times that it has been taken
  std::vector<std::int64_t> early_rounds_;
};

extern template class TransformPart<float>;
extern template class TransformPart<double>;

}  // namespace fg::fft
