// SPDX-License-Identifier: BSD-3-Clause
#include "app/ranks.hpp"

#include <algorithm>

#include "base/carried_error.hpp"

namespace fg::app {

void agree(Transport* transport, const std::exception_ptr& mine) {
  if (!transport) return;
  const auto bytes = mine ? error_to_bytes(mine) : std::vector<std::byte>();
  auto all = transport->gather(bytes);
  const auto first =
      std::find_if(all.begin(), all.end(), [](const auto& error) { return !error.empty(); });
  const auto verdict =
      transport->broadcast(first == all.end() ? std::vector<std::byte>() : std::move(*first));
  if (!verdict.empty()) std::rethrow_exception(error_from_bytes(verdict));
}

}  // namespace fg::app
