// SPDX-License-Identifier: BSD-3-Clause
#include "classical/run_order.hpp"

#include "base/bytes.hpp"

namespace fg::classical {

std::vector<std::byte> to_bytes(const RunOrder& order) {
  ByteWriter bytes;
  bytes.put(order.schedule);
  bytes.put(order.state.step);
  bytes.put(order.state.stage);
  bytes.put(order.state.position);
  bytes.put(order.state.velocity);
  bytes.put(order.state.image);
  bytes.put(order.state.bath);
  return std::move(bytes).take();
}

RunOrder run_order_from_bytes(std::span<const std::byte> all) {
  ByteReader bytes(all);
  RunOrder order;
  bytes.get(order.schedule);
  bytes.get(order.state.step);
  bytes.get(order.state.stage);
  bytes.get(order.state.position);
  bytes.get(order.state.velocity);
  bytes.get(order.state.image);
  bytes.get(order.state.bath);
  return order;
}

}  // namespace fg::classical
