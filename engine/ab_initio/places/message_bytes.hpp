// SPDX-License-Identifier: BSD-3-Clause
//
// The bytes of messages that travel between processes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ab_initio/places/ways_of_objects.hpp"
#include "runtime/network.hpp"
#include "runtime/reduction.hpp"
#include "transport/message.hpp"

namespace fg::ab_initio {

/// The bytes that travel of a message: its fields, the padding behind them, and what trails.
template <class M>
std::size_t body_bytes(std::size_t trailing) {
  static const std::size_t fields = make_message<M>(0)->body().size();
  return fields + trailing;
}

/// Those of a vector of a reduction.
inline std::size_t reduction_bytes(std::size_t numbers) {
  static_assert(sizeof(double) == sizeof(std::int64_t));
  return body_bytes<ReductionMessage<double>>(numbers * sizeof(double));
}

/// The pieces in which a message goes along a tree.
class PiecesOfMessage {
 public:
  explicit PiecesOfMessage(std::size_t bytes)
      : bytes_(bytes), whole_(bytes > piece ? bytes / piece : 0), rest_(bytes - whole_ * piece) {}

  /// Calls visit(bytes, how many such pieces).
  template <class Visit>
  void for_each(const Visit& visit) const {
    if (whole_ == 0) return visit(bytes_, 1.0);
    visit(body_bytes<BytesMessage>(piece), static_cast<double>(whole_));
    if (rest_ > 0) visit(body_bytes<BytesMessage>(rest_), 1.0);
  }

 private:
  static constexpr std::size_t piece = along_tree_spread.piece_bytes;
  std::size_t bytes_, whole_, rest_;
};

}  // namespace fg::ab_initio
