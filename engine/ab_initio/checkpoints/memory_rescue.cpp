// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/checkpoints/memory_rescue.hpp"

#include <optional>
#include <vector>

#include "ab_initio/checkpoints/kept_orbitals.hpp"
#include "ab_initio/checkpoints/kept_tables.hpp"
#include "ab_initio/checkpoints/memory_record.hpp"
#include "ab_initio/checkpoints/orbital_file.hpp"
#include "ab_initio/results/dynamics_columns.hpp"
#include "base/error.hpp"
#include "records/checkpoints/output_reach.hpp"

namespace fg::ab_initio {

namespace {

class RescueOfOrbitals final : public MemoryRescue {
 public:
  RescueOfOrbitals(const RunOptions& options, const Job& job) : options_(options), job_(job) {}

  std::string job_digest() const override { return ab_initio::job_digest(job_); }
  std::int64_t amount(std::span<const std::byte>) const override { return 1; }

  RescueNeeds look() override {
    const SearchState search = load_search(options_.resume, job_);
    const auto disk = load_dynamics(options_.resume, job_);
    reach_ = output_reach(options_.out, DynamicsRow(job_).plan(), 0);
    basis_.emplace(job_);
    // The row of a step is written before its state is kept.
    return {.step = disk ? disk->step : -1,
            .name = disk ? "step " + std::to_string(disk->step)
                         : "iteration " + std::to_string(search.iteration()) +
                               " of the search for the ground state",
            .usable = reach_.step - 1,
            .missing = reach_.missing,
            .whole = 1 + std::int64_t{basis_->blocks()} * basis_->parts(),
            .unit = "records"};
  }

  void begin(std::int64_t step) override { step_ = step; }

  /// The record of process 0 is the first one.
  void take(std::int64_t number, std::span<const std::byte> record) override {
    if (number == record_of_state) return open(kept_step(record));
    const auto ordinal = static_cast<int>(number - record_of_orbitals(0));
    const int block = ordinal / basis_->parts(), part = ordinal % basis_->parts();
    FG_CHECK(file_ && block < basis_->blocks());
    const std::size_t numbers =
        2 * static_cast<std::size_t>(basis_->block(block).size()) * basis_->waves(part).size();
    for (const KeptTable& table : tables_) {
      const std::size_t size = numbers * table.bytes_of_number;
      FG_CHECK(size <= record.size());
      file_->write(table, block, part, record.first(size));
      record = record.subspan(size);
    }
    FG_CHECK(record.empty());
  }

  void finish() override {
    secure_outputs(options_.out, reach_);
    file_->finish();
  }

 private:
  void open(const KeptStep& kept) {
    FG_CHECK(kept.dynamics.step == step_);
    const std::optional<DynamicsState> dynamics = kept.dynamics;
    tables_ = tables_of_dynamics(job_.dynamics, dynamics->past);
    file_.emplace(options_.resume,
                  OrbitalFacts{.job = job_,
                               .basis = *basis_,
                               .positions = dynamics->positions,
                               .cell = dynamics->cell,
                               .energies = kept.energies,
                               .search = kept.search,
                               .dynamics = dynamics},
                  tables_);
  }

  const RunOptions& options_;
  const Job& job_;
  std::int64_t step_ = -1;
  OutputReach reach_;
  std::optional<Basis> basis_;
  std::vector<KeptTable> tables_;
  std::optional<OrbitalFile> file_;
};

}  // namespace

std::unique_ptr<MemoryRescue> make_memory_rescue(const RunOptions& options, const Job& job) {
  return std::make_unique<RescueOfOrbitals>(options, job);
}

}  // namespace fg::ab_initio
