// SPDX-License-Identifier: BSD-3-Clause
#include "processes/keeper.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "base/error.hpp"

namespace fg {

void Keeper::keep(Ref<const KeepMessage> message) {
  if (failed_) return;
  try {
    file_.write(message->step, message->number,
                {message->trailing<std::byte>(), message->trailing_bytes()});
  } catch (const ResourceError& error) {
    // The run continues, because it has its checkpoints on disk.
    failed_ = true;
    const std::string why = error.parts().where + ": " + error.parts().what;
    auto answer = make_message<KeepFailureMessage>(why.size());
    answer->process = index()[0];
    answer->length = static_cast<std::int32_t>(why.size());
    std::copy(why.begin(), why.end(), answer->trailing<char>());
    voice_.not_kept(std::move(answer));
    return;
  }
  voice_.kept(message->step);
}

Keepers::Keepers(Runtime& runtime, const MemoryPlan& plan, const KeeperVoice& voice)
    : all_(runtime.create_array<Keeper>(
          {runtime.processes()},
          [pes = runtime.pes_here()](const auto& index) { return index[0] * pes; },
          [plan, voice](const auto&) { return std::make_unique<Keeper>(plan, voice); })),
      partners_(plan.partners) {}

void Keepers::keep(int process, Ref<const KeepMessage> record) const {
  const int partner = partners_[static_cast<std::size_t>(process)];
  all_[{process}].send<&Keeper::keep>(record, Lane::low);
  if (partner != process) all_[{partner}].send<&Keeper::keep>(record, Lane::low);
}

std::string warning_of(const KeepFailureMessage& failure) {
  return "no more checkpoints in memory: process " + std::to_string(failure.process) + ", " +
         std::string(failure.trailing<char>(), static_cast<std::size_t>(failure.length));
}

}  // namespace fg
