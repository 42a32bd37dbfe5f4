// SPDX-License-Identifier: BSD-3-Clause
#include "processes/machine_options.hpp"

#include "base/error.hpp"
#include "processes/placement.hpp"
#include "records/trace_file.hpp"

namespace fg {

namespace {

constexpr std::int64_t most_steps = 1'000'000'000'000'000;  // the most steps between two rounds

}  // namespace

MachineOptions machine_options(const RunOptions& options) {
  if (options.pes < 1)
    throw InputError({.what = "a run needs at least one PE",
                      .value = std::to_string(options.pes),
                      .limit = "1 or more"});
  check_names(options.map, options.balance);
  if (options.balance_interval < 1 || options.balance_interval > most_steps)
    throw InputError({.what = "the number of steps between two rounds of balancing is out of range",
                      .value = std::to_string(options.balance_interval),
                      .limit = "1 to " + std::to_string(most_steps)});
  if (options.memory_every < 0 || options.memory_every > most_steps)
    throw InputError(
        {.what = "the number of steps between two checkpoints in memory is out of range",
         .value = std::to_string(options.memory_every),
         .limit = "1 to " + std::to_string(most_steps) + ", or 0 for none"});
  if (options.balance != "none" && options.balance != "random" && !options.profile)
    throw InputError({.what = "a balancer needs the time that objects take, which is not measured",
                      .value = options.balance,
                      .hint = "leave out --no-profile, or --balance"});
  return {.pes = options.pes,
          .transport = options.transport,
          .communication_threads = options.communication_threads,
          .map = options.map,
          .balance = options.balance,
          .balance_interval = options.balance_interval,
          .pin = options.pin,
          .profile = options.profile,
          .trace = options.trace ? trace_records : 0};
}

}  // namespace fg
