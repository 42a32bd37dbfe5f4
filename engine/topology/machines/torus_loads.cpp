// SPDX-License-Identifier: BSD-3-Clause
//
// What one router puts on the links of a torus. In the order of axes all messages that turn into an
// axis at the same router came the same way. So their sum is carried back to the last turn: first
// along the last axis, then along the one before it, until all are at the sender.
#include <utility>
#include <vector>

#include "topology/machines/torus_ways.hpp"

namespace fg::topology {

void Torus::load_links(int from, std::span<const Sent> sent, std::span<double> bytes,
                       std::span<double> messages) const {
  if (any_gone_) return Machine::load_links(from, sent, bytes, messages);
  std::vector<Sent> arrived(sent.begin(), sent.end()), turned;
  std::vector<int> place(as_index(routers()), -1);  // in `turned`
  for (int axis = axes(); axis-- > 0;) {
    turned.clear();
    for (const Sent& one : arrived) {
      const int to = position(one.to, axis), way = to - position(from, axis);
      const int turn = one.to - way * axes_[as_index(axis)].stride;
      if (way != 0)
        along_axis(turn, axis, to, Ties::both, [&](int link, double share) {
          bytes[as_index(link)] += share * one.bytes;
          messages[as_index(link)] += share * one.messages;
        });
      int& at = place[as_index(turn)];
      if (at < 0) {
        at = static_cast<int>(turned.size());
        turned.push_back({.to = turn});
      }
      turned[as_index(at)].bytes += one.bytes;
      turned[as_index(at)].messages += one.messages;
    }
    for (const Sent& one : turned) place[as_index(one.to)] = -1;
    std::swap(arrived, turned);
  }
}

}  // namespace fg::topology
