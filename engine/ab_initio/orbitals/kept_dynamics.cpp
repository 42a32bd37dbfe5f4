// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/orbitals/kept_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "ab_initio/orders/orders.hpp"
#include "electrons/orbitals/geometry_extrapolation.hpp"

namespace fg::ab_initio {

namespace {

const std::string group_name = "/dynamics";

void write_vectors(hid_t at, const char* name, std::span<const Vec3> values,
                   const std::string& path) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  h5::write_array(at, name, reinterpret_cast<const double*>(values.data()), {values.size(), 3},
                  path);
}

void write_chain(hid_t at, const std::string& name, const NoseHooverState& chain,
                 const std::string& path) {
  if (chain.positions.empty()) return;
  h5::write_array(at, (name + "_position").c_str(), chain.positions.data(),
                  {chain.positions.size()}, path);
  h5::write_array(at, (name + "_velocity").c_str(), chain.velocities.data(),
                  {chain.velocities.size()}, path);
}

class StateReader {
 public:
  StateReader(const h5::Reader& file, const Job& job) : file_(file), job_(job) {}

  DynamicsState read() const {
    DynamicsState state;
    state.step = file_.number<std::int64_t>(group_name, "step");
    if (state.step < 0 || state.step > job_.dynamics.steps)
      file_.fail("step " + std::to_string(state.step) + " is beyond the last one, " +
                     std::to_string(job_.dynamics.steps),
                 group_name);
    state.time = number("time");
    state.seconds = number("seconds");
    state.conserved_at_start = number("conserved_at_start");
    state.positions = vectors("position");
    if (!job_.dynamics.ions_rest) state.velocities = vectors("velocity");
    state.ion_bath = {.chain = chain("ion_chain"), .heat = number("ion_heat")};
    state.cell = job_.cell;
    if (moves_cell(job_.dynamics)) {
      state.cell.vectors = cell_vectors("cell");
      state.cell_motion = {.velocities = cell_vectors("cell_velocity"),
                           .heat = number("cell_heat")};
    }
    state.electron_bath = chain("electron_chain");
    state.fictitious_kinetic = number("fictitious_kinetic");
    state.velocity_scale = number("velocity_scale");
    state.was_reset = file_.number<std::int32_t>(group_name, "was_reset") == 1;
    state.past = file_.number<std::int32_t>(group_name, "past");
    if (state.past < 0 || state.past > most_past)
      file_.fail("the attribute 'past' is beyond its limits", group_name);
    return state;
  }

 private:
  double number(const char* name) const {
    const auto value = file_.number<double>(group_name, name);
    if (!std::isfinite(value))
      file_.fail("the attribute '" + std::string(name) + "' is not a number", group_name);
    return value;
  }

  std::vector<double> numbers(const std::string& name, const h5::Shape& inner) const {
    const std::string object = group_name + "/" + name;
    auto values = file_.array<double>(object, inner);
    if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); }))
      file_.fail("has a value that is not a number", object);
    return values;
  }

  std::vector<Vec3> vectors(const std::string& name) const {
    const std::vector<double> flat = numbers(name, {3});
    if (flat.size() != 3 * job_.positions.size())
      file_.fail("has " + std::to_string(flat.size() / 3) + " ions, the job has " +
                     std::to_string(job_.positions.size()),
                 group_name + "/" + name);
    std::vector<Vec3> values;
    values.reserve(job_.positions.size());
    for (std::size_t i = 0; i < flat.size(); i += 3)
      values.push_back({flat[i], flat[i + 1], flat[i + 2]});
    return values;
  }

  CellVectors cell_vectors(const std::string& name) const {
    const std::vector<double> flat = numbers(name, {3});
    if (flat.size() != 9)
      file_.fail("has another size than three vectors", group_name + "/" + name);
    return {Vec3{flat[0], flat[1], flat[2]}, Vec3{flat[3], flat[4], flat[5]},
            Vec3{flat[6], flat[7], flat[8]}};
  }

  NoseHooverState chain(const std::string& name) const {
    if (!file_.has(group_name + "/" + name + "_position")) return {};
    return {.positions = numbers(name + "_position", {}),
            .velocities = numbers(name + "_velocity", {})};
  }

  const h5::Reader& file_;
  const Job& job_;
};

}  // namespace

int past_orbitals(const Job& job) noexcept {
  return job.dynamics.kind == DynamicsKind::none ? static_cast<int>(electrons::most_past_geometries)
                                                 : job.dynamics.predictor_order + 2;
}

namespace kept {
std::string past(int age) {
  return "dynamics/past_orbitals_" + std::to_string(age);
}
}  // namespace kept

void write_dynamics_state(hid_t root, const DynamicsState& state, const std::string& path) {
  const h5::Handle made =
      h5::group(H5Gcreate2(root, group_name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  h5::check_write(static_cast<bool>(made), path);
  const hid_t at = made.get();
  h5::write_number<std::int64_t>(at, "step", state.step, path);
  h5::write_number(at, "time", state.time, path);
  h5::write_number(at, "seconds", state.seconds, path);
  h5::write_number(at, "conserved_at_start", state.conserved_at_start, path);
  write_vectors(at, "position", state.positions, path);
  if (!state.velocities.empty()) write_vectors(at, "velocity", state.velocities, path);
  write_vectors(at, "cell", state.cell.vectors, path);
  write_vectors(at, "cell_velocity", state.cell_motion.velocities, path);
  h5::write_number(at, "cell_heat", state.cell_motion.heat, path);
  h5::write_number(at, "ion_heat", state.ion_bath.heat, path);
  write_chain(at, "ion_chain", state.ion_bath.chain, path);
  write_chain(at, "electron_chain", state.electron_bath, path);
  h5::write_number(at, "fictitious_kinetic", state.fictitious_kinetic, path);
  h5::write_number(at, "velocity_scale", state.velocity_scale, path);
  h5::write_number<std::int32_t>(at, "was_reset", state.was_reset ? 1 : 0, path);
  h5::write_number<std::int32_t>(at, "past", state.past, path);
}

std::optional<DynamicsState> read_dynamics_state(const h5::Reader& file, const Job& job) {
  if (!file.has(group_name)) return std::nullopt;
  return StateReader(file, job).read();
}

}  // namespace fg::ab_initio
