// SPDX-License-Identifier: BSD-3-Clause
//
// Distributed transforms for chares. The parts of the grid may be any number, on any PEs; each part
// has a client, which starts its share of a transform with a message and gets its share of the
// result in another. Nobody waits meanwhile, and `window` transforms go on at the same time.
//
//   transforms = TransformArray<double>(runtime, {.plan = plan, .pe = pe_of},
//                                       reply_to<&Client::ready>(clients));
//   ...
//   auto points = transforms.field(part, number, Route::forward);
//   write(points->trailing<std::complex<double>>());
//   transforms.start(std::move(points));
//   ...
//   void Client::ready(Ref<const FieldMessage> waves);
//
// The bits are those of RankTransform on one rank.
#pragma once

#include <memory>
#include <utility>

#include "fft/chares/transform_part.hpp"

namespace fg::fft {

/// The handle, made once by all processes before a run and copied into the clients.
template <class Real>
class TransformArray {
 public:
  TransformArray() = default;
  /// Throws InputError: no plan or map, a batch or window below 1, storages that do not go with the
  /// plan, or not one client for each part.
  TransformArray(Runtime& runtime, TransformSettings<Real> settings, const Reply& reply);

  int parts() const noexcept { return setup_->settings.plan->ranks(); }
  const TransformPlan& plan() const noexcept { return *setup_->settings.plan; }
  Storage points_of(int part) const { return setup_->storage(part, true); }
  Storage waves_of(int part) const { return setup_->storage(part, false); }

  /// A message for `start`, its numbers not yet written. Transforms of an array are numbered from 0
  /// on without gaps, and all parts take the same route for a number. M is FieldMessage or derived
  /// from it.
  template <class M = FieldMessage>
  Ref<M> field(int part, std::int64_t number, Route route) const {
    auto message = make_message<M>(setup_->field_bytes(part, route != Route::backward));
    message->number = number;
    message->part = part;
    message->route = route;
    return message;
  }

  /// May be called in any order of numbers, from any chare, however many transforms go on: those
  /// beyond the window wait. The message is only read.
  void start(Ref<const FieldMessage> field) const {
    const int place = static_cast<int>(field->number % setup_->settings.window);
    parts_[{field->part, place}].template send<&TransformPart<Real>::start>(std::move(field),
                                                                            setup_->settings.lane);
  }

  /// Parts by windows; to move them between runs.
  const Array<TransformPart<Real>>& array() const noexcept { return parts_; }
  explicit operator bool() const noexcept { return setup_ != nullptr; }

 private:
  std::shared_ptr<TransformSetup<Real>> setup_;
  Array<TransformPart<Real>> parts_;
};

extern template class TransformArray<float>;
extern template class TransformArray<double>;

}  // namespace fg::fft
