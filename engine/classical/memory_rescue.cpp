// SPDX-License-Identifier: BSD-3-Clause
#include "classical/memory_rescue.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "records/checkpoints/checkpoint.hpp"
#include "records/checkpoints/output_reach.hpp"
#include "records/job/job_motion.hpp"

namespace fg::classical {

namespace {

std::size_t atoms_of(std::span<const std::byte> record) {
  FG_CHECK(record.size() >= sizeof(KeptBath));
  return (record.size() - sizeof(KeptBath)) / sizeof(AtomRecord);
}

class RescueOfAtoms final : public MemoryRescue {
 public:
  RescueOfAtoms(const RunOptions& options, const Job& job) : options_(options), job_(job) {}

  std::string job_digest() const override { return fg::job_digest(job_); }

  std::int64_t amount(std::span<const std::byte> record) const override {
    return static_cast<std::int64_t>(atoms_of(record));
  }

  RescueNeeds look() override {
    disk_ = load_checkpoint(options_.resume);
    const int atoms = job_.all_atoms();
    check_belongs(disk_, options_.resume, job_digest(), atoms);
    check_division(disk_, options_.resume, job_.settings.patch_grid);
    reach_ = output_reach(options_.out, job_, disk_.outputs.begin);
    return {.step = disk_.step,
            .name = "step " + std::to_string(disk_.step),
            .usable = reach_.step,
            .missing = reach_.missing,
            .whole = atoms,
            .unit = "atoms"};
  }

  void begin(std::int64_t step) override {
    saved_ = disk_;
    saved_.step = step;
    saved_.stage = make_integrator(integrator_settings(job_.dynamics))->between_steps();
    heat_ = 0;
    there_.assign(static_cast<std::size_t>(job_.all_atoms()), false);
  }

  void take(std::int64_t, std::span<const std::byte> record) override {
    std::vector<AtomRecord> atoms(atoms_of(record));
    KeptBath bath;
    std::memcpy(static_cast<void*>(&bath), record.data(), sizeof bath);
    if (!atoms.empty())
      std::memcpy(static_cast<void*>(atoms.data()), record.data() + sizeof bath,
                  atoms.size() * sizeof(AtomRecord));
    saved_.bath = bath.state;
    heat_ += bath.heat;
    for (const auto& atom : atoms) {
      const auto id = static_cast<std::size_t>(atom.id);
      there_.at(id) = true;
      saved_.positions.at(id) = atom.position;
      saved_.velocities.at(id) = atom.velocity;
      saved_.images.at(id) = atom.image;
    }
  }

  void finish() override {
    saved_.bath.heat += heat_;
    FG_CHECK(std::find(there_.begin(), there_.end(), false) == there_.end());
    add_rows(saved_.drift, options_.out, job_, disk_.step, saved_.step);
    const auto& dynamics = job_.dynamics;
    auto& outputs = saved_.outputs;
    outputs.rows = multiples_between(outputs.begin, saved_.step, dynamics.energy_interval);
    outputs.frames = multiples_between(outputs.begin, saved_.step, dynamics.trajectory_interval);
    secure_outputs(options_.out, reach_);
    save_checkpoint(options_.resume, saved_);
  }

 private:
  const RunOptions& options_;
  const Job& job_;
  Checkpoint disk_, saved_;
  OutputReach reach_;
  std::int64_t heat_ = 0;
  std::vector<bool> there_;  // by atom
};

}  // namespace

std::unique_ptr<MemoryRescue> make_memory_rescue(const RunOptions& options, const Job& job) {
  return std::make_unique<RescueOfAtoms>(options, job);
}

}  // namespace fg::classical
