// SPDX-License-Identifier: BSD-3-Clause
#include "records/checkpoints/output_reach.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/units.hpp"
#include "records/files/files.hpp"
#include "records/hdf5/growing_table.hpp"
#include "records/hdf5/hdf5.hpp"
#include "records/hdf5/journaled_driver.hpp"
#include "records/trajectory/energy_rows.hpp"

namespace fg {

namespace {

constexpr hsize_t atoms_to_look_at = 64;  // at either end of a frame

/// The expected content of one table: an entry for each multiple of the interval.
struct Wanted {
  std::string_view file;   // "trajectory.h5"
  std::string_view entry;  // "frame"
  std::int64_t begin, interval;

  std::int64_t step(std::size_t index) const noexcept {
    return next_multiple(begin, interval) + static_cast<std::int64_t>(index) * interval;
  }
};

/// Lowers the reach to the first missing entry.
void lower(OutputReach& reach, const Wanted& wanted, std::size_t entries, std::string why) {
  const std::int64_t step = wanted.step(entries);
  if (step >= reach.step) return;
  reach.step = step;
  reach.missing = std::string(wanted.file) + " " + std::move(why) + " the " +
                  std::string(wanted.entry) + " of step " + std::to_string(step);
  if (entries > 0)
    reach.missing += " (it is whole up to step " + std::to_string(wanted.step(entries - 1)) + ")";
}

/// The number of entries, from the first on, that are as expected, with their times [ps].
std::size_t fitting(const std::vector<std::int64_t>& steps, const std::vector<double>& times,
                    const Wanted& wanted, double timestep) {
  const std::size_t count = std::min(steps.size(), times.size());
  for (std::size_t i = 0; i < count; ++i) {
    const double time = static_cast<double>(steps[i]) * timestep;
    // energies.csv holds times with at least six decimals.
    if (steps[i] != wanted.step(i) || std::abs(times[i] - time) > 1e-6 + 1e-9 * time) return i;
  }
  return count;
}

double in_ps(const OutputPlan& plan) noexcept {
  return plan.timestep * units::time_in_ps;
}

class Trajectory {
 public:
  Trajectory(const std::string& path, bool with_journal)
      : storage_(path, FileUse::read, with_journal),
        reader_(path,
                h5::file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, h5::access_to(storage_).get()))) {}

  void check_frames(OutputReach& reach, const Wanted& wanted, const OutputPlan& plan) const {
    const std::string all = "/particles/all/";
    const std::size_t steps =
        fitting(reader_.array<std::int64_t>(all + "position/step"),
                reader_.array<double>(all + "position/time"), wanted, in_ps(plan));
    lower(reach, wanted, steps, "lacks");
    const h5::Handle position = reader_.open(all + "position/value");
    const h5::Handle image = reader_.open(all + "image/value");
    const h5::Handle velocity =
        plan.velocities ? reader_.open(all + "velocity/value") : h5::Handle();
    const h5::Handle force = plan.forces ? reader_.open(all + "force/value") : h5::Handle();
    const h5::Shape shape = h5::extent_of(position);
    if (shape.size() != 3) reader_.fail("not a table of vectors", all + "position/value");
    for (std::size_t frame = 0; frame < steps; ++frame) {
      if (!h5::is_stored(position, frame) || !h5::is_stored(image, frame) ||
          (velocity && !h5::is_stored(velocity, frame)) || (force && !h5::is_stored(force, frame)))
        return lower(reach, wanted, frame, "was never given");
      if (shape[1] > 1 && !h5::is_not_zero(position, frame, atoms_to_look_at))
        return lower(reach, wanted, frame, "has nothing but zeros for");
    }
  }

  void check_rows(OutputReach& reach, const Wanted& wanted, const OutputPlan& plan,
                  const std::vector<StoredRow>& rows) const {
    const std::string group = "/parameters/energies/" + plan.observable;
    const std::size_t steps = fitting(reader_.array<std::int64_t>(group + "/step"),
                                      reader_.array<double>(group + "/time"), wanted, in_ps(plan));
    lower(reach, wanted, steps, "lacks");
    const auto total = reader_.array<double>(group + "/value");
    for (std::size_t i = 0; i < std::min(steps, rows.size()); ++i)
      if (i >= total.size() || total[i] != rows[i].values.at(plan.column))
        return lower(reach, wanted, i, "and energies.csv do not agree in");
  }

 private:
  h5::Lock lock_;
  JournaledFile storage_;
  h5::Reader reader_;
};

OutputReach reach_of(const std::string& folder, const OutputPlan& plan, std::int64_t begin,
                     bool with_journal) {
  const Wanted in_table{"energies.csv", "row", begin, plan.energy_interval};
  const Wanted rows{"trajectory.h5", "energies", begin, plan.energy_interval};
  const Wanted frames{"trajectory.h5", "frame", begin, plan.trajectory_interval};
  OutputReach reach{.step = std::numeric_limits<std::int64_t>::max(), .with_journal = with_journal};
  const auto table = stored_rows(folder + "/energies.csv");
  if (in_table.interval > 0) {
    std::vector<std::int64_t> steps;
    std::vector<double> times;
    for (const StoredRow& row : table) {
      steps.push_back(row.step);
      times.push_back(row.time);
    }
    lower(reach, in_table, fitting(steps, times, in_table, in_ps(plan)), "lacks");
  }
  if (rows.interval <= 0 && frames.interval <= 0) return reach;
  const std::string path = folder + "/trajectory.h5";
  const Wanted& first = frames.interval > 0 ? frames : rows;
  if (!file_exists(path)) {
    lower(reach, first, 0, "is missing, and with it");
    return reach;
  }
  try {
    const Trajectory trajectory(path, with_journal);
    if (rows.interval > 0) trajectory.check_rows(reach, rows, plan, table);
    if (frames.interval > 0) trajectory.check_frames(reach, frames, plan);
  } catch (const Error&) {
    lower(reach, first, 0, "cannot be read, so it lacks");
  }
  return reach;
}

}  // namespace

std::int64_t next_multiple(std::int64_t step, std::int64_t interval) noexcept {
  return interval > 0 ? (step + interval - 1) / interval * interval
                      : std::numeric_limits<std::int64_t>::max();
}

std::int64_t multiples_between(std::int64_t from, std::int64_t to, std::int64_t interval) noexcept {
  if (interval <= 0 || to <= from) return 0;
  return (next_multiple(to, interval) - next_multiple(from, interval)) / interval;
}

OutputReach output_reach(const std::string& folder, const OutputPlan& plan, std::int64_t begin) {
  OutputReach reach = reach_of(folder, plan, begin, true);
  if (!file_exists(journal_of(folder + "/trajectory.h5"))) return reach;
  // After a power cut the journal may refer to data that never reached the disk.
  OutputReach alone = reach_of(folder, plan, begin, false);
  return alone.step > reach.step ? alone : reach;
}

OutputReach output_reach(const std::string& folder, const Job& job, std::int64_t begin) {
  return output_reach(folder, output_plan(job), begin);
}

void secure_outputs(const std::string& folder, const OutputReach& reach) {
  for (const char* name : {"/energies.csv", "/trajectory.h5"})
    if (file_exists(folder + name)) sync_file(folder + name);
  const std::string path = folder + "/trajectory.h5";
  if (file_exists(path)) JournaledFile(path, FileUse::change, reach.with_journal).settle();
}

void add_rows(DriftSums& drift, const std::string& folder, const OutputPlan& plan,
              std::int64_t from, std::int64_t to) {
  if (plan.energy_interval <= 0) return;
  for (const StoredRow& row : stored_rows(folder + "/energies.csv"))
    if (row.step >= from && row.step < to)
      drift.add(static_cast<double>(row.step) * plan.timestep,
                row.values.at(plan.conserved) / plan.hartree);
}

void add_rows(DriftSums& drift, const std::string& folder, const Job& job, std::int64_t from,
              std::int64_t to) {
  add_rows(drift, folder, output_plan(job), from, to);
}

}  // namespace fg
