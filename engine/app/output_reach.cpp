// SPDX-License-Identifier: BSD-3-Clause
#include "app/output_reach.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <vector>

#include "app/files.hpp"
#include "app/hdf5.hpp"
#include "base/error.hpp"
#include "base/units.hpp"

namespace fg::app {

namespace {

struct Row {
  std::int64_t step;
  double total;  // [hartree]
};

/// A row that was cut short is none.
std::optional<Row> row_of(const std::string& line) {
  char* end = nullptr;
  const std::int64_t step = std::strtoll(line.c_str(), &end, 10);
  if (end == line.c_str()) return std::nullopt;  // the heading
  std::size_t field = 0;
  for (int column = 0; column < 4; ++column) {  // step, time, potential, kinetic
    field = line.find(',', field);
    if (field == std::string::npos) return std::nullopt;
    ++field;
  }
  return Row{step, std::strtod(line.c_str() + field, nullptr) / units::hartree_in_kj_per_mol};
}

std::vector<Row> rows_of(const std::string& folder) {
  const std::vector<std::byte> bytes = read_whole_file(folder + "/energies.csv");
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::vector<Row> rows;
  std::size_t start = 0;
  for (std::size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1)
    if (const auto row = row_of(text.substr(start, end - start))) rows.push_back(*row);
  return rows;
}

/// The first step without an entry, when there is one every so many steps up to the last.
std::int64_t after(std::int64_t last, std::int64_t interval) noexcept {
  return last < 0 ? 0 : (last / interval + 1) * interval;
}

std::int64_t last_of(const std::vector<std::int64_t>& steps) noexcept {
  return steps.empty() ? -1 : steps.back();
}

}  // namespace

std::int64_t output_reach(const std::string& folder, const Job& job) {
  std::int64_t reach = std::numeric_limits<std::int64_t>::max();
  try {
    const auto& dynamics = job.dynamics;
    const h5::Reader trajectory(folder + "/trajectory.h5");
    if (dynamics.energy_interval > 0) {
      const auto rows = rows_of(folder);
      const auto in_trajectory =
          last_of(trajectory.array<std::int64_t>("/observables/potential_energy/step"));
      const auto last = std::min(rows.empty() ? -1 : rows.back().step, in_trajectory);
      reach = std::min(reach, after(last, dynamics.energy_interval));
    }
    if (dynamics.trajectory_interval > 0)
      reach = std::min(
          reach, after(last_of(trajectory.array<std::int64_t>("/particles/all/position/step")),
                       dynamics.trajectory_interval));
  } catch (const InputError&) {
    return 0;
  }
  return reach;
}

void add_rows(DriftSums& drift, const std::string& folder, const Job& job, std::int64_t from,
              std::int64_t to) {
  if (job.dynamics.energy_interval <= 0) return;
  for (const Row& row : rows_of(folder))
    if (row.step >= from && row.step < to)
      drift.add(static_cast<double>(row.step) * job.dynamics.timestep, row.total);
}

}  // namespace fg::app
