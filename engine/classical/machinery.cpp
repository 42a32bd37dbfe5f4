// SPDX-License-Identifier: BSD-3-Clause
#include "classical/machinery.hpp"

#include <memory>
#include <optional>

#include "base/error.hpp"
#include "classical/assembly.hpp"
#include "classical/cuts.hpp"
#include "classical/run_order.hpp"
#include "processes/ranks.hpp"

namespace fg::classical {

namespace {

class MachineryWithCuts final : public Machinery {
 public:
  MachineryWithCuts(const System& system, const MachineOptions& options, OutputQueue& output)
      : system_(system), options_(options), output_(output) {
    make(first_cut(system.job()));
  }

  ~MachineryWithCuts() override {
    // Releases the other processes, which wait for the next run.
    if (options_.transport && options_.transport->rank() == 0 && !failed_)
      options_.transport->broadcast({});
  }

  void run(const Schedule& schedule, const State& state) override {
    earlier_ = {};
    order(schedule, state);
    while (const std::optional<State> next = objects_->next()) {
      add_objects(earlier_, objects_->profile());
      order(schedule.from(next->step), *next);
    }
    if (!objects_->finished())
      throw InternalError({.what = "the simulation makes no progress",
                           .where = objects_->runtime().describe_waiting(),
                           .hint = "this is a defect of finegrain: please report it with the job"});
  }

  void serve() override {
    for (;;) {
      const auto bytes = options_.transport->broadcast({});
      if (bytes.empty()) return;
      if (bytes.size() == 1) {
        remove_memory();
        continue;
      }
      const RunOrder order = run_order_from_bytes(bytes);
      try {
        run_here(order.schedule, order.state);
      } catch (...) {
        const Runtime* const runtime = objects_ ? &objects_->runtime() : nullptr;
        if (who_knows(runtime, std::current_exception()) != Known::everywhere) throw;
        return;
      }
    }
  }

  void forget_memory() override {
    if (!options_.memory.on()) return;
    if (options_.transport) options_.transport->broadcast({std::byte{1}});
    remove_memory();
  }

  Profile profile() const override {
    Profile all = earlier_;
    add_objects(all, objects_->profile());
    return all;
  }
  /// Since the last cut.
  Trace trace() const override { return objects_ ? objects_->runtime().trace() : Trace(); }

 private:
  /// In process 0: all processes run this.
  void order(const Schedule& schedule, const State& state) {
    failed_ = true;
    if (options_.transport) options_.transport->broadcast(to_bytes(RunOrder{schedule, state}));
    run_here(schedule, state);
    failed_ = false;
  }

  void run_here(const Schedule& schedule, const State& state) {
    if (state.bath.cut != cut_) make(state.bath.cut);
    objects_->run(schedule, state);
  }

  void make(const Cut& cut) {
    objects_.reset();
    objects_ = make_assembly(system_, options_, cut, output_);
    cut_ = cut;
  }

  void remove_memory() const {
    remove_memory_of(options_.memory.folder, objects_->runtime().process());
  }

  const System& system_;
  MachineOptions options_;
  OutputQueue& output_;
  Cut cut_;
  std::unique_ptr<Assembly> objects_;  // of this cut
  Profile earlier_;                    // of the cuts before it, in this run
  bool failed_ = false;                // failed, or a run is in progress
};

}  // namespace

std::unique_ptr<Machinery> make_machinery(const System& system, const MachineOptions& options,
                                          OutputQueue& output) {
  return std::make_unique<MachineryWithCuts>(system, options, output);
}

}  // namespace fg::classical
