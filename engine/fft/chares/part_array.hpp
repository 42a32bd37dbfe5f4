// SPDX-License-Identifier: BSD-3-Clause
//
// The handle of an array of parts, by which clients start transforms. It is made once by all
// processes before a run and copied into the clients.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "fft/chares/transform_messages.hpp"
#include "runtime/runtime.hpp"

namespace fg::fft {

template <class Part, class Setup>
class PartArray {
 public:
  int parts() const noexcept { return setup_->settings.plan->ranks(); }
  const auto& plan() const noexcept { return *setup_->settings.plan; }

  /// A message for `start`, its numbers not yet written. Transforms of an array are numbered from 0
  /// on without gaps, and all parts take the same route for a number. M is FieldMessage or derived
  /// from it.
  template <class M = FieldMessage>
  Ref<M> field(int part, std::int64_t number, Route route) const {
    auto message = make_message<M>(setup_->start_bytes(part, route));
    message->number = number;
    message->part = part;
    message->route = route;
    return message;
  }

  /// May be called in any order of numbers, from any chare, however many transforms go on: those
  /// beyond the window wait. The message is only read.
  void start(Ref<const FieldMessage> field) const {
    const int place = static_cast<int>(field->number % setup_->settings.window);
    parts_[{field->part, place}].template send<&Part::start>(std::move(field),
                                                             setup_->settings.lane);
  }

  /// Parts by windows; to move them between runs.
  const Array<Part>& array() const noexcept { return parts_; }
  explicit operator bool() const noexcept { return setup_ != nullptr; }

 protected:
  PartArray() = default;
  PartArray(Runtime& runtime, std::shared_ptr<Setup> setup)
      : setup_(std::move(setup)),
        parts_(runtime.create_array<Part>(
            {parts(), setup_->settings.window},
            [&](const std::array<int, 2>& index) { return setup_->pe(index[0], index[1]); },
            [setup = std::shared_ptr<const Setup>(setup_)](const auto&) {
              return std::make_unique<Part>(setup);
            })) {}

  std::shared_ptr<Setup> setup_;
  Array<Part> parts_;
};

}  // namespace fg::fft
