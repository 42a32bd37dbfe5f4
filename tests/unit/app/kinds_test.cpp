// SPDX-License-Identifier: BSD-3-Clause
//
// The choice of the kind of run: a kind that only this test knows goes through the same run.
#include "app/kinds.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "records/hdf5/hdf5.hpp"
#include "records/trajectory/output_queue.hpp"
#include "runs/run.hpp"

namespace fg::app {
namespace {

JobFile job_of(const std::string& kind) {
  const std::string path = testing::TempDir() + "kinds_test_" + kind + ".h5";
  {
    const h5::Handle file =
        h5::file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    h5::write_text(file.get(), "format", "finegrain-job", path);
    h5::write_number<std::int64_t>(file.get(), "version", 1, path);
    h5::write_text(file.get(), "kind", kind, path);
  }
  return JobFile(path);
}

class NoObjects final : public RunObjects {
 public:
  void serve() override {}
  void forget_memory() override {}
  Profile profile() const override { return {}; }
  Trace trace() const override { return {}; }
};

/// Counts to ten; each step is a result.
class Counting final : public Calculation {
 public:
  JobFacts facts() const override { return {.title = "counting", .atoms = 3, .steps = 10}; }
  std::vector<std::pair<std::string, std::string>> settings() const override {
    return {{"counts", "to ten"}};
  }
  std::span<const EntryWording> wordings() const noexcept override { return {}; }
  MemoryStart begin_memory() override { return {}; }
  RunObjects& make_objects(const MachineOptions&) override { return objects_; }
  EnergyResult energy() override { return {.terms = {{"total", 7.0}}, .forces = {}}; }
  RunStart begin(RunLog& log, const OnProgress&) override {
    log.line("Begins to count");
    return RunStart::ready;
  }
  void open_outputs() override {}
  void run() override {
    for (int i = 1; i <= 10; ++i) queue_.push(i);
  }
  OutputSignals& signals() noexcept override { return queue_; }
  void write_outputs(std::chrono::milliseconds patience) override {
    for (const int item : queue_.take(patience)) sum_ += saved_ = item;
    if (sum_ > limit_) throw ResourceError({.what = "the sum is too large"});
  }
  void drop_outputs(std::chrono::milliseconds patience) override { queue_.take(patience); }
  void finish_outputs() override { finished_ = true; }
  std::int64_t first_step() const noexcept override { return 0; }
  std::int64_t saved_step() const noexcept override { return saved_; }
  void describe(Progress& progress) const override { progress.potential = sum_; }
  void complete(RunResult& result) const override {
    result.potential = finished_ ? sum_ : 0;
    result.state_digest = "55";
  }
  void complete_from_files(RunResult&) const override {}

  void fail_above(int sum) { limit_ = sum; }

 private:
  NoObjects objects_;
  QueueOf<int> queue_;
  int sum_ = 0, saved_ = 0, limit_ = 1000;
  bool finished_ = false;
};

constexpr RunKind known[] = {
    {"classical",
     [](const JobFile&, const RunOptions&) -> std::unique_ptr<Calculation> {
       throw InternalError({.what = "the wrong kind was chosen"});
     }},
    {"counting",
     [](const JobFile&, const RunOptions&) -> std::unique_ptr<Calculation> {
       return std::make_unique<Counting>();
     }},
};

std::string out_folder(const std::string& name) {
  const std::string folder = testing::TempDir() + "kinds_test_" + name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

TEST(Kinds, AnotherKindGoesThroughTheSameRun) {
  const JobFile job = job_of("counting");
  const RunOptions options{.out = out_folder("run")};
  const RunResult result = run(options, [&] { return load(job, options, known); }, {});
  EXPECT_EQ(result.steps, 10);
  EXPECT_TRUE(result.finished);
  EXPECT_EQ(result.atoms, 3);
  EXPECT_EQ(result.potential, 55);  // 1 + 2 + ... + 10
  EXPECT_EQ(result.state_digest, "55");
  EXPECT_TRUE(std::filesystem::exists(options.out + "/run.log"));
  EXPECT_EQ(energy(
                options, [&] { return load(job, options, known); }, ForceParts::all)
                .terms.at(0)
                .second,
            7);
}

TEST(Kinds, AFailureOfTheOutputEndsTheRun) {
  const RunOptions options{.out = out_folder("failure")};
  const auto failing = [] {
    auto counting = std::make_unique<Counting>();
    counting->fail_above(20);
    return counting;
  };
  EXPECT_THROW(run(options, failing, {}), ResourceError);
}

TEST(Kinds, AnUnknownKindIsRefusedByNameWithThoseThatAreKnown) {
  try {
    load(job_of("quantum"), {}, known);
    FAIL() << "it was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.parts().value, "'quantum'");
    EXPECT_EQ(error.parts().limit, "'classical', 'counting'");
  }
  EXPECT_THROW(load(job_of("counting"), {}), InputError);
}

TEST(Kinds, EachHasANameOfItsOwn) {
  ASSERT_FALSE(kinds().empty());
  for (const RunKind& one : kinds())
    for (const RunKind& other : kinds()) EXPECT_EQ(&one == &other, one.name == other.name);
}

}  // namespace
}  // namespace fg::app
