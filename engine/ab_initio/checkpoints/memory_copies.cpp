// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/checkpoints/memory_copies.hpp"

#include <algorithm>
#include <utility>

#include "ab_initio/checkpoints/memory_record.hpp"
#include "ab_initio/orbitals/kept_dynamics.hpp"
#include "base/error.hpp"

namespace fg::ab_initio {

OrbitalCopier::OrbitalCopier(const MemoryCopiesSetup& setup, const Keepers* keepers)
    : setup_(setup),
      keepers_(keepers),
      tables_(tables_of_dynamics(setup_.job->dynamics, past_orbitals(*setup_.job))),
      always_(tables_.size() - static_cast<std::size_t>(past_orbitals(*setup_.job))) {}

void OrbitalCopier::copy(Ref<const CopyMessage> message) {
  const int process = runtime().process(), pes = runtime().pes_here();
  int seen = 0;
  for (int ordinal = 0; ordinal < setup_.orbitals.size(); ++ordinal) {
    if (!setup_.orbitals.here_at(ordinal)) continue;
    if (seen++ % pes != index()[0] % pes) continue;
    keepers_->keep(process, record(setup_.orbitals.object_at(ordinal), ordinal, *message));
  }
}

Ref<const KeepMessage> OrbitalCopier::record(const Orbitals& orbitals, int ordinal,
                                             const CopyMessage& of) const {
  const auto tables = std::span(tables_).first(always_ + static_cast<std::size_t>(of.past));
  std::size_t size = 0;
  for (const KeptTable& table : tables) size += table.of(orbitals).size();
  auto message = make_message<KeepMessage>(size);
  message->step = of.step;
  message->number = record_of_orbitals(ordinal);
  auto* to = message->trailing<std::byte>();
  for (const KeptTable& table : tables) {
    const auto from = table.of(orbitals);
    to = std::copy(from.begin(), from.end(), to);
  }
  return message;
}

void OrbitalCopier::not_kept(Ref<const KeepFailureMessage> why) {
  if (setup_.turns->fail()) setup_.progress->warn(warning_of(*why));
}

MemoryCopies::MemoryCopies(Runtime& runtime, const MemoryPlan& plan, const MemoryCopiesSetup& setup,
                           std::int64_t first_step)
    : runtime_(runtime) {
  copiers_ = runtime.create_array<OrbitalCopier>(
      {runtime.pes()}, [](const auto& index) { return index[0]; },
      [this, setup](const auto&) { return std::make_unique<OrbitalCopier>(setup, &keepers_); });
  // When the runtime is quiescent all records have been written, so nobody counts them.
  const KeeperVoice voice{.kept = [](std::int64_t) {},
                          .not_kept =
                              [to = copiers_](Ref<const KeepFailureMessage> why) {
                                to[{0}].send<&OrbitalCopier::not_kept>(std::move(why));
                              }};
  keepers_ = Keepers(runtime, plan, voice);
  *setup.turns = MemoryTurns(plan.every, 0);
  setup.turns->begin(first_step);
}

void MemoryCopies::send(const SearchState& search, const DynamicsState& dynamics,
                        std::span<const double> energies) {
  record_.clear();
  put_record(record_, search, dynamics, energies);
  const auto bytes = record_.bytes();
  auto state = make_message<KeepMessage>(bytes.size());
  state->step = dynamics.step;
  state->number = record_of_state;
  std::copy(bytes.begin(), bytes.end(), state->trailing<std::byte>());
  keepers_.keep(runtime_.process(), std::move(state));
  auto message = make_message<CopyMessage>();
  message->step = dynamics.step;
  message->past = static_cast<std::int32_t>(dynamics.past);
  copiers_.broadcast<&OrbitalCopier::copy>(Ref<const CopyMessage>(std::move(message)));
}

}  // namespace fg::ab_initio
