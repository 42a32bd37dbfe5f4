// SPDX-License-Identifier: BSD-3-Clause
//
// One part of a distributed transform as a chare. The array has two dimensions: the part, and the
// place in the window. Transform t of every part is the work of the places t modulo window. They do
// transforms one after the other in the order of numbers, whatever the order in which they are
// started. So no two parts wait for each other's transforms.
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "fft/chares/staged_part.hpp"
#include "fft/chares/transform_setup.hpp"

namespace fg::fft {

template <class Real>
class TransformPart final
    : public StagedPart<TransformPart<Real>, Real, RankTransform<Real>, TransformSetup<Real>> {
 public:
  static constexpr std::string_view array_name = "transforms";
  explicit TransformPart(std::shared_ptr<const TransformSetup<Real>> setup);

  void start(Ref<const FieldMessage> message) { Base::started(std::move(message)); }
  void parcel(Ref<const ParcelMessage> message) { Base::arrived(std::move(message)); }
  void exchanged(std::int64_t round);  // all parcels of a round are here

  /// Between transforms only.
  void archive(Archive& with) override;

 private:
  using Base = StagedPart<TransformPart<Real>, Real, RankTransform<Real>, TransformSetup<Real>>;
  friend Base;

  static RankTransform<Real> make_work(const TransformSetup<Real>& setup, int part) {
    return {
        setup.settings.plan,  part,        setup.storage(part, true), setup.storage(part, false),
        setup.settings.batch, Wire::exact, Packing::outside};
  }
  int send_parcels();
  void take_early_ones();
  void take(const ParcelMessage& parcel);
  void arithmetic_over();
  void direction_over() noexcept;

  void send_messages();
  void write_pieces();
  void take_pieces();

  const auto& exchange() const noexcept { return this->setup_->exchanges[exchange_index()]; }
  std::size_t exchange_index() const noexcept;  // in TransformExchanges
  std::int64_t awaited_round() const noexcept;

  std::size_t exchanges_;                 // of one direction
  std::array<std::int64_t, 2> rounds_{};  // by direction: times that it has been taken
  std::vector<std::int64_t> early_rounds_;
};

extern template class TransformPart<float>;
extern template class TransformPart<double>;

}  // namespace fg::fft
