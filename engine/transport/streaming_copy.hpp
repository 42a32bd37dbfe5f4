// SPDX-License-Identifier: BSD-3-Clause
//
// Copies into memory that another core reads next. An ordinary copy first takes the lines of the
// target from the cache of the core that read them last. That costs little if the two cores share a
// cache; otherwise it takes most of the time. A streaming copy writes around the caches and takes
// the same time in both cases.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace fg {

enum class CopyKind { ordinary, streaming };

/// An ordinary copy if the processor has no streaming stores. When it returns, other cores see the
/// bytes before anything that this thread stores later.
void copy_streaming(std::byte* to, const std::byte* from, std::size_t bytes) noexcept;

/// Decides which kind of copy to one receiver is faster, from the time of the latest copies of each
/// kind. The cores that share a cache may change during a run, so the slower kind is tried again
/// from time to time.
class CopyChoice {
 public:
  static constexpr int tries_apart = 64;

  CopyKind next() noexcept {
    const bool untried = cost_[1] == 0;
    const bool try_other = cost_[0] != 0 && (untried || ++copies_ % tries_apart == 0);
    return try_other ? other(faster()) : faster();
  }
  void took(CopyKind kind, std::size_t bytes, std::chrono::nanoseconds time) noexcept {
    double& cost = cost_[static_cast<std::size_t>(kind)];
    // Never zero, because 0 means untried.
    const double now = (static_cast<double>(time.count()) + 1) / static_cast<double>(bytes);
    // It falls at once and rises slowly, because the time of an interrupted thread says nothing
    // about copies.
    cost = cost == 0 ? now : std::min(now, 1.25 * cost);
  }
  /// Streaming must be clearly faster, because it leaves nothing in a cache that the reader may
  /// share.
  CopyKind faster() const noexcept {
    return cost_[1] != 0 && 1.5 * cost_[1] < cost_[0] ? CopyKind::streaming : CopyKind::ordinary;
  }

 private:
  static CopyKind other(CopyKind kind) noexcept {
    return kind == CopyKind::ordinary ? CopyKind::streaming : CopyKind::ordinary;
  }
  std::array<double, 2> cost_{};  // of each kind [ns per byte]; 0: not tried
  int copies_ = 0;
};

}  // namespace fg
