// SPDX-License-Identifier: BSD-3-Clause
#include "classical/run_order.hpp"

#include "base/bytes.hpp"

namespace fg::classical {

std::vector<std::byte> to_bytes(const RunOrder& order) {
  ByteWriter bytes;
  bytes.put(order.schedule);
  bytes.put(order.step);
  bytes.put(order.stage);
  bytes.put(order.bath);
  return std::move(bytes).take();
}

RunOrder run_order_from_bytes(std::span<const std::byte> all) {
  ByteReader bytes(all);
  RunOrder order;
  bytes.get(order.schedule);
  bytes.get(order.step);
  bytes.get(order.stage);
  bytes.get(order.bath);
  return order;
}

}  // namespace fg::classical
