// SPDX-License-Identifier: BSD-3-Clause
//
// One rank's part of a distributed transform: its arithmetic, and the packing of what it sends. It
// knows of no network; whoever drives it moves the parcels:
//
//   part.begin(direction, from, to);
//   while (!part.done()) {
//     // send part.sends() to their ranks, and fill part.receives() with what those send here
//     for (std::size_t k = 0; k < part.receives().size(); ++k) part.unpack(k);  // in any order
//     part.proceed();
//   }
//
// A parcel holds the same piece of all fields of a batch. Parcels lie in buffers of this object.
// With Packing::outside no buffers are made. Then whoever drives it calls `pack(k, to)` for each of
// sends() and `unpack(k, from)` for each of receives().
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/aligned_vector.hpp"
#include "fft/rank_program.hpp"

namespace fg::fft {

enum class Packing { inside, outside };

template <class Real>
class RankTransform {
 public:
  /// `points` and `waves` describe the user's arrays on both sides; their boxes are those of the
  /// plan for this rank. Takes all memory. Throws InputError if the boxes are others, or if two
  /// numbers would lie at one place.
  RankTransform(std::shared_ptr<const TransformPlan> plan, int rank, const Storage& points,
                const Storage& waves, int batch = 1, Wire wire = Wire::exact,
                Packing packing = Packing::inside);

  /// Arithmetic up to the first exchange. `from` holds points if forward and waves if backward,
  /// `to` the others; they may be one array. Elements are complex, or real if they are points of a
  /// real transform. What lies between the numbers of a layout is not touched.
  void begin(Direction direction, const void* from, void* to) noexcept;
  /// Whether the result is in `to`.
  bool done() const noexcept { return step_ == program().steps.size(); }

  /// The parcels of the exchange that is waited for. If it is direct, they are used where they lie.
  std::span<const Parcel> sends() const noexcept { return exchange().boxes.sends(); }
  std::span<const Parcel> receives() const noexcept { return exchange().boxes.receives(); }
  /// Takes the numbers of receives()[k] to where they belong.
  void unpack(std::size_t k) noexcept {
    if (!exchange().direct) unpack(k, receives()[k].data);
  }
  /// The same with parcels at any place: from sends()[k] to there, and from there to where they
  /// belong. `bytes` of the parcel are used there.
  void pack(std::size_t k, std::byte* to) noexcept;
  void unpack(std::size_t k, const std::byte* from) noexcept;
  /// Called after all parcels are unpacked and the own ones have left: does the arithmetic up to
  /// the next exchange.
  void proceed() noexcept;

  const TransformPlan& plan() const noexcept { return *plan_; }
  int rank() const noexcept { return rank_; }
  Wire wire() const noexcept { return wire_; }
  std::size_t bytes_of_number() const noexcept {  // as it travels
    return size_on_wire<Real>(true, wire_);
  }
  int exchanges() const noexcept;
  /// The bytes that this rank sends in one transform.
  std::size_t sent_bytes() const noexcept;
  /// The most bytes that this rank sends, or gets, in one exchange.
  std::size_t largest_exchange() const noexcept;
  /// The bytes of all buffers between the user's arrays.
  std::size_t memory() const noexcept;

 private:
  using Program = RankProgram<Real>;
  using Exchange = typename Program::Exchange;

  const Program& program() const noexcept {
    return direction_ == Direction::forward ? forward_ : backward_;
  }
  Program& program() noexcept { return direction_ == Direction::forward ? forward_ : backward_; }
  const Exchange& exchange() const noexcept { return std::get<Exchange>(program().steps[step_]); }
  std::byte* place(const Slot& slot, int field) noexcept;
  void run(typename Program::Pass& pass, int field, int plane) noexcept;
  void run_passes(std::vector<typename Program::Step>& steps) noexcept;
  void run(typename Program::Move& move) noexcept;
  void go_on() noexcept;

  std::shared_ptr<const TransformPlan> plan_;
  int rank_, batch_;
  Wire wire_;
  Packing packing_;
  Program forward_, backward_;
  AlignedVector<std::byte> work_[2], plane_, pieces_, packed_, arrived_;
  std::vector<std::int64_t> places_[2];  // of a line of pieces that is read, and of one written
  Direction direction_ = Direction::forward;
  std::size_t step_;
  std::byte* from_ = nullptr;  // only read, unless it is `to_`
  std::byte* to_ = nullptr;
};

extern template class RankTransform<float>;
extern template class RankTransform<double>;

}  // namespace fg::fft
