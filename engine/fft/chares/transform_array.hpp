// SPDX-License-Identifier: BSD-3-Clause
//
// Distributed transforms for chares. The parts of the grid may be any number, on any PEs. Each part
// has a client. The client starts its share of a transform with a message and gets its share of the
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

#include "fft/chares/part_array.hpp"
#include "fft/chares/transform_part.hpp"

namespace fg::fft {

template <class Real>
class TransformArray : public PartArray<TransformPart<Real>, TransformSetup<Real>> {
 public:
  TransformArray() = default;
  /// Throws InputError if there is no plan or map, or if a batch or window is below 1. Throws it if
  /// storages do not go with the plan, or if there is not one client for each part.
  TransformArray(Runtime& runtime, TransformSettings<Real> settings, const Reply& reply);

  Storage points_of(int part) const { return this->setup_->storage(part, true); }
  Storage waves_of(int part) const { return this->setup_->storage(part, false); }
};

extern template class TransformArray<float>;
extern template class TransformArray<double>;

}  // namespace fg::fft
