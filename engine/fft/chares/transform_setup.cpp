// SPDX-License-Identifier: BSD-3-Clause
#include "fft/chares/transform_setup.hpp"

#include <cstdint>
#include <string>

#include "base/error.hpp"

namespace fg::fft {

void Reply::send(int client, Lane lane, Ref<FieldMessage> result) const {
  Location& location = clients->locations[static_cast<std::size_t>(client)];
  const std::int64_t step = tagged ? result->number : no_step;
  detail::send_to(location, lane, *entry, step, reinterpret_cast<std::uintptr_t>(result.detach()));
}

void require_array(bool has_plan_and_map, int window, const Reply& reply, int parts,
                   bool chooses_clients) {
  if (!has_plan_and_map)
    throw InputError({.what = "an array of transforms needs a plan and a map from parts to PEs",
                      .hint = "set plan and pe"});
  if (window < 1)
    throw InputError({.what = "a window of transforms holds at least one",
                      .value = std::to_string(window),
                      .hint = "use 1 for one transform at a time"});
  const auto clients = reply.clients->locations.size();
  if (!chooses_clients && clients != static_cast<std::size_t>(parts))
    throw InputError({.what = "each part of a transform needs one client",
                      .value = std::to_string(clients) + " clients",
                      .limit = std::to_string(parts) + " parts",
                      .hint = "make the array of clients as long as the plan has boxes"});
}

}  // namespace fg::fft
