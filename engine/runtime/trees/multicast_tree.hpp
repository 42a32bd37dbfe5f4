// SPDX-License-Identifier: BSD-3-Clause
//
// Multicasts that processes forward to each other along a tree, instead of the sender sending to
// all. A message above a size travels in pieces: a process forwards each as it arrives, so that all
// levels of the tree work at the same time, and puts them together to the one message that its
// elements share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "transport/message.hpp"

namespace fg {

/// How the multicasts of a section reach other processes.
struct Spread {
  /// Processes to which a process forwards; 0: there is no tree, the sender sends to all.
  int fan_out = 0;
  std::size_t piece_bytes = std::size_t{256} << 10;
};

/// The tree of a multicast: the processes of a section, behind the root in a ring, numbered level
/// by level. So the trees of different roots have different inner processes.
class MulticastTree {
 public:
  /// `processes`: ascending, each once; with or without the root.
  MulticastTree(std::span<const int> processes, int root, int fan_out) noexcept
      : processes_(processes), root_(root), fan_out_(static_cast<std::size_t>(fan_out)) {
    first_ = place_of(root);
    others_ = processes.size();
    if (first_ < processes.size() && processes[first_] == root) {
      ++first_;
      --others_;
    }
  }

  /// Calls visit(process) for each process to which `process`, the root or one of the others,
  /// forwards.
  template <class Visit>
  void for_each_child(int process, Visit&& visit) const {
    std::size_t node = 0;  // the root; the others from 1 on
    if (process != root_)
      node = 1 + (place_of(process) + processes_.size() - first_) % processes_.size();
    const std::size_t begin = fan_out_ * node + 1;
    for (std::size_t child = begin; child < begin + fan_out_ && child <= others_; ++child)
      visit(processes_[(first_ + child - 1) % processes_.size()]);
  }

 private:
  std::size_t place_of(int process) const noexcept {
    return static_cast<std::size_t>(
        std::lower_bound(processes_.begin(), processes_.end(), process) - processes_.begin());
  }

  std::span<const int> processes_;
  int root_;
  std::size_t fan_out_;
  std::size_t first_ = 0, others_ = 0;
};

/// Messages of which some pieces have arrived; may be used by several threads.
class PieceAssembly {
 public:
  /// Takes bytes of a message of this number from `root`, at this offset in its body. Returns the
  /// message once all its bytes are there, else null.
  Ref<const Message> take(int root, std::uint64_t number, const MessageExtent& extent,
                          std::size_t offset, std::span<const std::byte> bytes);

 private:
  struct Partial {
    int root = 0;
    std::uint64_t number = 0;
    std::size_t missing = 0;  // bytes
    Ref<Message> message{};
  };
  Partial* find(int root, std::uint64_t number) noexcept;

  std::mutex mutex_;
  std::vector<Partial> partial_;
};

}  // namespace fg
