// SPDX-License-Identifier: BSD-3-Clause
#include "classical/keeper.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace fg::classical {

void Keeper::keep(Ref<const KeepMessage> message) {
  if (failed_) return;
  try {
    file_.write(message->step, message->patch, message->bath,
                {message->trailing<AtomRecord>(), static_cast<std::size_t>(message->atoms)});
  } catch (const ResourceError& error) {
    // The run continues, because it has its checkpoints on disk.
    failed_ = true;
    const std::string why = error.parts().where + ": " + error.parts().what;
    auto answer = make_message<KeepFailureMessage>(why.size());
    answer->process = index()[0];
    answer->length = static_cast<std::int32_t>(why.size());
    std::copy(why.begin(), why.end(), answer->trailing<char>());
    conductor_[{0}].send<&Conductor::not_kept>(std::move(answer));
    return;
  }
  conductor_[{0}].send<&Conductor::kept>(message->step);
}

}  // namespace fg::classical
