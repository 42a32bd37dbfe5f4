// SPDX-License-Identifier: BSD-3-Clause
//
// What a part of a transform does whatever is transformed. It takes up transforms in their order,
// and goes from stage to stage as parcels come. It turns round in the middle if the route says so,
// and answers its client. A Self has
//   static Work make_work(const Setup&, int part);
//   int send_parcels();                   // of the exchange that begins; how many it awaits
//   void take_early_ones();               // of those that are here already
//   void take(const ParcelMessage&);
//   void arithmetic_over();               // of a stage
//   void direction_over();
// and a Setup what the end of transform_setup.hpp has.
#pragma once

#include <complex>
#include <memory>
#include <string>
#include <utility>

#include "base/aligned_vector.hpp"
#include "base/error.hpp"
#include "fft/chares/parcel_inbox.hpp"
#include "fft/chares/start_queue.hpp"
#include "fft/lines/line_batch.hpp"
#include "runtime/runtime.hpp"

namespace fg::fft {

template <class Self, class Real, class Work, class Setup>
class StagedPart : public Chare<Self, 2> {
 protected:
  using Complex = std::complex<Real>;

  StagedPart(std::shared_ptr<const Setup> setup, const Phase& arithmetic, const Phase& exchange)
      : setup_(std::move(setup)),
        transform_(Self::make_work(*setup_, part())),
        starts_(place(), setup_->settings.window),
        arithmetic_(arithmetic),
        exchange_(exchange) {
    if (setup_->has_turn()) middle_.resize(setup_->turn_bytes(part()) / sizeof(Complex));
  }

  int part() const noexcept { return this->index()[0]; }
  int place() const noexcept { return this->index()[1]; }
  Lane lane() const noexcept { return setup_->settings.lane; }

  void started(Ref<const FieldMessage> message) {
    if (message->route == Route::there_and_back && !setup_->has_turn())
      throw InternalError({.what = "there and back needs a function for the way between",
                           .where = "transform " + std::to_string(message->number) + " of part " +
                                    std::to_string(part()),
                           .hint = std::string("set ") + Setup::turn_name});
    const std::size_t bytes = setup_->start_bytes(part(), message->route);
    starts_.add(std::move(message), bytes);
    if (!input_) work();
  }

  void arrived(Ref<const ParcelMessage> message) {
    bool taken = false;
    {
      const PhaseTimer timer(exchange_);
      taken =
          inbox_.accept(std::move(message), [&](const ParcelMessage& one) { self().take(one); });
    }
    if (taken && inbox_.complete()) work();
  }

  /// Goes on until parcels or a start are missing.
  void work() {
    for (;;) {
      if (!input_ && !take_up_next()) return;
      if (transform_.done()) {
        end_of_direction();
        continue;
      }
      if (!inbox_.complete()) return;
      inbox_.end_exchange();
      ++stage_;
      {
        const PhaseTimer timer(arithmetic_);
        transform_.proceed();
      }
      after_arithmetic();
    }
  }

  void require_at_rest() const {
    if (input_ || !starts_.empty() || !inbox_.keeps_none())
      throw InternalError({.what = "a part of a transform cannot move while the transform goes on",
                           .where = "part " + std::to_string(part()),
                           .hint = "move objects when no transform is under way"});
  }

  std::shared_ptr<const Setup> setup_;
  Work transform_;
  StartQueue starts_;
  ParcelInbox inbox_;
  Direction direction_ = Direction::forward;
  std::size_t stage_ = 0;  // exchanges done in this direction

 private:
  Self& self() noexcept { return static_cast<Self&>(*this); }

  bool take_up_next() {
    input_ = starts_.take();
    if (!input_) return false;
    const Route route = input_->route;
    output_ = make_message<FieldMessage>(setup_->result_bytes(part(), route));
    output_->number = input_->number;
    output_->part = input_->part;
    output_->route = route;
    void* to = middle_.data();
    if (route != Route::there_and_back) to = output_->template trailing<std::byte>();
    begin(Setup::first_direction(route), input_->template trailing<std::byte>(), to);
    return true;
  }

  void begin(Direction direction, const void* from, void* to) {
    direction_ = direction;
    stage_ = 0;
    {
      const PhaseTimer timer(arithmetic_);
      transform_.begin(direction, from, to);
    }
    after_arithmetic();
  }

  void after_arithmetic() {
    self().arithmetic_over();
    if (transform_.done()) return;
    const PhaseTimer timer(exchange_);
    inbox_.await(self().send_parcels());
    self().take_early_ones();
  }

  /// Called at the end of forward or backward.
  void end_of_direction() {
    self().direction_over();
    const Direction first = Setup::first_direction(input_->route);
    if (input_->route == Route::there_and_back && direction_ == first) {
      setup_->turn(*input_, middle_.data());
      const bool forward = first == Direction::forward;
      return begin(forward ? Direction::backward : Direction::forward, middle_.data(),
                   output_->template trailing<std::byte>());
    }
    input_ = {};
    setup_->reply.send(setup_->client(part(), place()), lane(), std::move(output_));
  }

  AlignedVector<Complex> middle_;  // between there and back
  Ref<const FieldMessage> input_;
  Ref<FieldMessage> output_;
  const Phase& arithmetic_;
  const Phase& exchange_;
};

}  // namespace fg::fft
