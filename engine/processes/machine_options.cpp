// SPDX-License-Identifier: BSD-3-Clause
#include "processes/machine_options.hpp"

#include "base/error.hpp"
#include "processes/array_maps.hpp"
#include "processes/pin_list.hpp"
#include "processes/placement.hpp"
#include "records/log/trace_file.hpp"

namespace fg {

MachineOptions machine_options(const RunOptions& options) {
  for_each_option<RunOptions>([&]<class Value>(const Option<RunOptions, Value>& option) {
    if constexpr (NumberValue<Value>)
      if (options.*option.member != RunOptions{}.*option.member)
        require_within(option, options.*option.member);
  });
  check_maps(options.map);
  check_balancer(options.balance);
  if (options.balance != "none" && options.balance != "random" && !options.profile)
    throw InputError({.what = "a balancer needs the time that objects take, which is not measured",
                      .value = options.balance,
                      .hint = "leave out --no-profile, or --balance"});
  return {.pes = options.pes,
          .transport = options.transport,
          .comm_threads = options.comm_threads,
          .map = options.map,
          .balance = options.balance,
          .balance_steps = options.balance_steps,
          .pin = options.pin != "none",
          .processors = processors_of(options.pin),
          .profile = options.profile,
          .trace = options.trace ? trace_records : 0,
          .companion_seconds = options.companion_seconds};
}

RuntimeOptions runtime_options(const MachineOptions& options) {
  return {.pes = options.pes,
          .transport = options.transport,
          .comm_threads = options.comm_threads,
          .pin = options.pin,
          .processors = options.processors,
          .profiling = options.profile ? Profiling::scheduling : Profiling::off,
          .trace = options.trace};
}

}  // namespace fg
