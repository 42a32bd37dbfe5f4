// SPDX-License-Identifier: BSD-3-Clause
//
// The ledger: complete steps leave in order, and a bonded term that no compute has taken on ends
// the run.
#include "classical/ledger.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.hpp"
#include "base/fixed_point.hpp"
#include "runtime/runtime.hpp"

namespace fg::classical {
namespace {

constexpr int depositors = 3, computes = 2;

class LedgerTest : public ::testing::Test {
 protected:
  LedgerTest() : runtime_({.pes = 1}) {
    ledger_ = runtime_.create_array<Ledger>({1}, [](const auto&) { return 0; });
    ledger_.object({0}).set_up(
        {.depositors = depositors,
         .bonded_computes = computes,
         .bonded_terms = 10,
         .done = [this](const EnergyTotals& totals, std::span<const MoleculeCentre>) {
           done_.push_back(totals);
         }});
    JobSettings settings;
    settings.rebuild_interval = 10;
    JobDynamics dynamics;
    dynamics.energy_interval = 5;
    ledger_.object({0}).begin(Schedule(settings, dynamics, 0, 12));
  }
  void deposit(std::int64_t step, double bond) {
    auto message = make_message<EnergyDeposit>();
    message->step = step;
    message->terms[energy_term("bond")] = energy_scale.to_fixed(bond);
    ledger_[{0}].send<&Ledger::deposit>(std::move(message));
  }
  void count(std::int64_t step, std::int64_t terms) {
    auto message = make_message<BondedTermCount>();
    message->step = step;
    message->terms = terms;
    ledger_[{0}].send<&Ledger::bonded_terms>(std::move(message));
  }

  Runtime runtime_;
  Array<Ledger> ledger_;
  std::vector<EnergyTotals> done_;
};

TEST_F(LedgerTest, StepsLeaveInOrderForAnyOrderOfDeposits) {
  for (const std::int64_t step : {5, 12, 10, 0})
    for (int i = 0; i < depositors; ++i) deposit(step, 1.0 + static_cast<double>(step));
  runtime_.run_until_quiescent();
  ASSERT_EQ(done_.size(), 4u);
  const std::int64_t order[4] = {0, 5, 10, 12};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(done_[i].step, order[i]);
    EXPECT_EQ(done_[i].terms[energy_term("bond")], 3.0 * (1.0 + static_cast<double>(order[i])));
  }
}

TEST_F(LedgerTest, AllBondedTermsArePresent) {
  count(0, 4);
  count(10, 1);
  count(0, 6);
  count(10, 9);
  EXPECT_NO_THROW(runtime_.run_until_quiescent());
}

TEST_F(LedgerTest, ALostBondedTermEndsTheRun) {
  count(0, 4);
  count(0, 6);
  count(10, 8);
  count(10, 1);
  try {
    runtime_.run_until_quiescent();
    FAIL() << "no error";
  } catch (const NumericsError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("step 10"), std::string::npos) << text;
    EXPECT_NE(text.find("1 terms"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace fg::classical
