// SPDX-License-Identifier: BSD-3-Clause
//
// A bonded compute gets messages in an order that only a slow thread brings about: a patch without
// atoms in its terms, which does not wait for it, is one step ahead of the others.
// Units: bohr, hartree.
#include "forces/bonded/bonded_compute.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/box.hpp"
#include "runtime/chare.hpp"
#include "runtime/runtime.hpp"

namespace fg::test {
namespace {

constexpr StepKind at_rebuild{.rebuild = true}, plain{}, with_virial{.virial = true};
constexpr double stiffness = 0.5, length = 2;

/// Keeps the forces that it gets, by step.
class Listener final : public PatchPort<float> {
 public:
  void bonded_forces(Ref<const BondedForcesMessage> message) override {
    forces[message->step].assign(message->forces().begin(), message->forces().end());
  }
  void pair_forces(Ref<const SummedForcesMessage>) override {}
  void mesh_forces(Ref<const ClusterForcesMessage<float>>) override {}

  Task life() {
    for (const std::int64_t step : awaited)
      co_await when<&PatchPort<float>::bonded_forces>(step, 1);
  }

  std::vector<std::int64_t> awaited;
  std::map<std::int64_t, std::vector<Vec3>> forces;
};

class NoLedger final : public LedgerPort {
 public:
  void bonded_terms(Ref<const BondedTermCount>) override {}
  void deposit(Ref<const EnergyDeposit>) override {}
};

/// One atom of a patch, with the number of the patch as its id.
Ref<const BondedPositionsMessage> one_atom(const PatchGrid& grid, const PatchIndex& patch,
                                           std::int64_t step, StepKind kind, const Vec3& position) {
  auto message =
      make_message<BondedPositionsMessage>(BondedPositionsMessage::trailing_bytes(1, kind));
  message->step = step;
  message->patch = patch;
  message->atoms = 1;
  message->kind = kind;
  message->box = grid.box();
  auto* const at = message->template trailing<Vec3>();
  *at = position;
  if (kind.rebuild) *reinterpret_cast<std::int32_t*>(at + 1) = grid.flat(patch);
  return message;
}

TEST(BondedCompute, APatchWithoutTermsMayBeAStepAhead) {
  using Compute = BondedCompute<float>;
  const PatchGrid grid({{40, 40, 40}}, {2, 2, 1});
  const PatchIndex first{0, 0, 0}, second{0, 1, 0}, third{1, 0, 0}, fourth{1, 1, 0};
  BondedTerms terms;
  terms.of<HarmonicBond>().push_back({{grid.flat(first), grid.flat(second)}, length, stiffness});
  const TermIndex index(terms, 4);

  Runtime runtime({.pes = 1});
  const auto create = [&]<class C>(const std::array<int, 3>& shape, auto&& factory) {
    return runtime.create_array<C>(shape, [](const auto&) { return 0; }, factory);
  };
  const auto listeners = create.template operator()<Listener>(grid.shape(), [&](const auto& patch) {
    auto made = std::make_unique<Listener>();
    // All patches hear of steps 0 and 2, those with the bond of step 1, too.
    made->awaited = patch == first || patch == second ? std::vector<std::int64_t>{0, 1, 2}
                                                      : std::vector<std::int64_t>{0, 2};
    return made;
  });
  const auto ledger = runtime.create_array<NoLedger>(
      std::array{1}, [](const auto&) { return 0; },
      [](const auto&) { return std::make_unique<NoLedger>(); });
  Depositors depositors{Array<LedgerPort>(ledger.core())};
  const auto setup = std::make_shared<const Compute::Setup>(
      Compute::Setup{.grid = grid,
                     .terms = &terms,
                     .index = &index,
                     .patches = Array<PatchPort<float>>(listeners.core()),
                     .deposits = depositors.join(1)});
  const auto computes = create.template operator()<Compute>(
      {1, 1, 1}, [&](const auto& own) { return std::make_unique<Compute>(setup, own); });

  const auto send = [&](const PatchIndex& patch, std::int64_t step, StepKind kind, double x) {
    computes[first].template send<&Compute::positions>(
        one_atom(grid, patch, step, kind, {x, 0, 0}));
  };
  listeners.template broadcast<&Listener::life>();
  send(first, 0, at_rebuild, 1), send(second, 0, at_rebuild, 3);
  send(third, 0, at_rebuild, 0), send(fourth, 0, at_rebuild, 0);
  send(fourth, 2, with_virial, 0);  // ahead
  send(first, 1, plain, 1);
  send(third, 2, with_virial, 0);  // ahead
  send(second, 1, plain, 3.5);
  send(second, 2, with_virial, 4), send(first, 2, with_virial, 1);
  runtime.run_until_quiescent();

  // The distance is 2, 2.5 and 3.
  for (const std::int64_t step : {0, 1, 2}) {
    const auto& of_first = listeners.object(first).forces.at(step);
    const auto& of_second = listeners.object(second).forces.at(step);
    ASSERT_EQ(of_first.size(), 1u);
    ASSERT_EQ(of_second.size(), 1u);
    EXPECT_DOUBLE_EQ(of_first[0].x, stiffness * 0.5 * static_cast<double>(step));
    EXPECT_DOUBLE_EQ(of_second[0].x, -of_first[0].x);
  }
  for (const PatchIndex& patch : {third, fourth}) {
    const auto& heard = listeners.object(patch).forces;
    EXPECT_EQ(heard.size(), 2u);
    for (const auto& [step, forces] : heard) EXPECT_TRUE(forces.empty()) << step;
  }
}

}  // namespace
}  // namespace fg::test
