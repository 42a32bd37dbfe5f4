// SPDX-License-Identifier: BSD-3-Clause
#include "job_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "base/error.hpp"

namespace fg::test {

using h5::Handle;

TestFolder::TestFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "finegrain-XXXXXX").string();
  path_ = ::mkdtemp(pattern.data());
}

TestFolder::~TestFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

namespace {

Handle make_group(hid_t file, const char* name) {
  return h5::group(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

template <class T>
void table(const Handle& group, const char* name, const std::vector<T>& values,
           h5::Shape inner = {}) {
  hsize_t per_row = 1;
  for (const hsize_t size : inner) per_row *= size;
  inner.insert(inner.begin(), values.size() / per_row);
  h5::write_array(group.get(), name, values.data(), inner, "job");
}

void write_atoms(hid_t file) {
  const Handle atoms = make_group(file, "atoms");
  const std::vector<double> position{5,  5,  5,  6.8, 5,  5,  4.6, 6.7, 5, 12, 12,
                                     12, 13, 13, 12,  11, 13, 12,  20,  3, 3};
  table(atoms, "position", position, {3});
  std::vector<double> velocity(21);
  for (std::size_t i = 0; i < velocity.size(); ++i) velocity[i] = 1e-4 * static_cast<double>(i);
  table(atoms, "velocity", velocity, {3});
  table<double>(atoms, "mass", {29156.9, 1837.4, 1837.4, 29156.9, 1837.4, 1837.4, 64000});
  table<double>(atoms, "charge", {-0.834, 0.417, 0.417, -0.834, 0.417, 0.417, 0});
  table<double>(atoms, "sigma", {5.95, 1, 1, 5.95, 1, 1, 7});
  table<double>(atoms, "epsilon", {2.4e-4, 0, 0, 2.4e-4, 0, 0, 1e-4});
  table<std::int32_t>(atoms, "fragment", {0, 0, 0, 1, 1, 1, 2});
  table<std::int32_t>(atoms, "residue", {0, 0, 0, 1, 1, 1, 2});
  const std::vector<std::string> names{"O", "H1", "H2", "O", "H1", "H2", "AR"};
  const std::vector<std::string> elements{"O", "H", "H", "O", "H", "H", "Ar"};
  h5::write_texts(atoms.get(), "name", names, "job");
  h5::write_texts(atoms.get(), "element", elements, "job");
  const Handle residues = make_group(file, "residues");
  const std::vector<std::string> kinds{"HOH", "HOH", "AR"}, chains{"A", "A", ""};
  h5::write_texts(residues.get(), "name", kinds, "job");
  h5::write_texts(residues.get(), "chain", chains, "job");
  table<std::int32_t>(residues, "number", {1, 2, 3});
}

void write_terms(hid_t file) {
  const Handle bonds = make_group(file, "bonds");
  table<std::int32_t>(bonds, "atoms", {0, 6}, {2});
  table<double>(bonds, "length", {15});
  table<double>(bonds, "stiffness", {0.01});
  const Handle angles = make_group(file, "angles");
  table<std::int32_t>(angles, "atoms", {0, 3, 6}, {3});
  table<double>(angles, "angle", {1.5});
  table<double>(angles, "stiffness", {0.02});
  const Handle torsions = make_group(file, "torsions");
  table<std::int32_t>(torsions, "atoms", {0, 1, 3, 6}, {4});
  table<std::int32_t>(torsions, "periodicity", {2});
  table<double>(torsions, "phase", {3.14});
  table<double>(torsions, "stiffness", {0.003});
  const Handle impropers = make_group(file, "harmonic_torsions");
  table<std::int32_t>(impropers, "atoms", {6, 4, 2, 0}, {4});
  table<double>(impropers, "angle", {-3});
  table<double>(impropers, "stiffness", {0.01});
  const Handle cmaps = make_group(file, "cmaps");
  table<std::int32_t>(cmaps, "atoms", {0, 1, 3, 4, 6, 6, 5, 3, 2, 0}, {5});
  table<std::int32_t>(cmaps, "map", {1, 0});
  const Handle maps = make_group(file, "cmap_maps");
  table<std::int32_t>(maps, "size", {2, 3});
  table<double>(maps, "energy", {0, 1e-3, 2e-3, 3e-3, 0, 1, 2, 3, 4, 5, 6, 7, 8});
  const Handle exceptions = make_group(file, "exceptions");
  table<std::int32_t>(exceptions, "atoms", {0, 1, 0, 2, 1, 2, 3, 4, 3, 5, 4, 5, 0, 6}, {2});
  table<double>(exceptions, "charge_product", {0, 0, 0, 0, 0, 0, 0.1});
  table<double>(exceptions, "sigma", {0, 0, 0, 0, 0, 0, 5});
  table<double>(exceptions, "epsilon", {0, 0, 0, 0, 0, 0, 1e-4});
  const Handle constraints = make_group(file, "constraints");
  table<std::int32_t>(constraints, "atoms", {0, 1, 0, 2, 1, 2, 3, 4, 3, 5, 4, 5}, {2});
  table<double>(constraints, "distance", {1.81, 1.81, 2.86, 1.81, 1.81, 2.86});
  const Handle waters = make_group(file, "waters");
  table<std::int32_t>(waters, "atoms", {0, 1, 2, 3, 4, 5}, {3});
  table<double>(waters, "r_oh", {1.81, 1.81});
  table<double>(waters, "r_hh", {2.86, 2.86});
}

void write_settings(hid_t file) {
  const Handle group = make_group(file, "settings");
  const hid_t at = group.get();
  const auto real = [&](const char* name, double value) {
    h5::write_number<double>(at, name, value, "job");
  };
  const auto whole = [&](const char* name, std::vector<std::int64_t> values) {
    h5::write_number<std::int64_t>(at, name, std::span<const std::int64_t>(values), "job");
  };
  real("cutoff", 9);
  real("switch_distance", 0);
  h5::write_text(at, "switching", "potential", "job");
  h5::write_text(at, "electrostatics", "pme", "job");
  real("reaction_field_dielectric", 78.3);
  real("ewald_coefficient", 0.2);
  whole("mesh", {16, 18, 20});
  whole("spline_order", {5});
  real("dispersion_coefficient", -0.5);
  h5::write_text(at, "precision", "double", "job");
  real("list_cutoff", 11);
  real("inner_list_cutoff", 10);
  whole("rebuild_interval", {20});
  whole("prune_interval", {5});
  whole("patch_grid", {2, 2, 1});
  whole("pencil_grid", {2, 2});
  whole("periodic", {1});
}

void write_dynamics(hid_t file) {
  const Handle group = make_group(file, "dynamics");
  const hid_t at = group.get();
  const auto real = [&](const char* name, double value) {
    h5::write_number<double>(at, name, value, "job");
  };
  const auto whole = [&](const char* name, std::int64_t value) {
    h5::write_number<std::int64_t>(at, name, value, "job");
  };
  h5::write_text(at, "integrator", "langevin", "job");
  real("timestep", 82.7);
  whole("steps", 100);
  real("temperature", 9.5e-4);
  h5::write_text(at, "velocities", "drawn", "job");
  real("friction", 2.4e-5);
  whole("seed", 42);
  whole("com_interval", 0);
  whole("energy_interval", 10);
  whole("trajectory_interval", 50);
  real("checkpoint_seconds", 600);
  h5::write_text(at, "minimise", "no", "job");
  real("minimise_tolerance", 1e-3);
  whole("minimise_steps", 0);
  real("constraint_tolerance", 1e-10);
}

}  // namespace

void write_job_file(const std::string& path, const std::function<void(hid_t)>& change) {
  const h5::Lock lock;
  const Handle file = h5::file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  const hid_t root = file.get();
  h5::write_text(root, "format", "finegrain-job", path);
  h5::write_number<std::int64_t>(root, "version", 1, path);
  h5::write_text(root, "kind", "classical", path);
  h5::write_text(root, "title", "two waters and an ion", path);
  h5::write_text(root, "input_text", "[system]\nkind = \"classical\"\n", path);
  h5::write_text(root, "finegrain_version", "0.1.0", path);
  const double box[3] = {24, 26, 28};
  h5::write_array(root, "box", box, {3}, path);
  write_atoms(root);
  write_terms(root);
  write_settings(root);
  write_dynamics(root);
  if (change) change(root);
}

Job loaded(const std::function<void(hid_t)>& change) {
  const TestFolder folder;
  write_job_file(folder / "job.h5", change);
  return load_job(folder / "job.h5");
}

std::string refusal(const std::function<void(hid_t)>& change) {
  try {
    loaded(change);
  } catch (const InputError& error) {
    EXPECT_FALSE(error.parts().hint.empty());
    EXPECT_NE(error.parts().where.find("job.h5"), std::string::npos);
    return error.what();
  }
  return "accepted";
}

void add_lennard_jones_types(hid_t file) {
  const Handle types = make_group(file, "lennard_jones_types");
  table<std::int32_t>(types, "of_atom", {0, 1, 1, 0, 1, 1, 2});
  table<double>(types, "sigma", {5.95, 0, 6.2, 0, 0, 0, 6.2, 0, 7});
  table<double>(types, "epsilon", {2.4e-4, 0, 1.5e-4, 0, 0, 0, 1.5e-4, 0, 1e-4});
}

void set_number(hid_t file, const char* object, const char* name, double value) {
  const Handle opened =
      h5::attribute(H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT));
  H5Awrite(opened.get(), H5T_NATIVE_DOUBLE, &value);
}

void set_text(hid_t file, const char* object, const char* name, const std::string& value) {
  const hid_t parent = H5Oopen(file, object, H5P_DEFAULT);
  H5Adelete(parent, name);
  h5::write_text(parent, name, value, "job");
  H5Oclose(parent);
}

void set_value(hid_t file, const char* name, std::size_t index, double value) {
  const Handle data = h5::dataset(H5Dopen2(file, name, H5P_DEFAULT));
  const Handle extent = h5::space(H5Dget_space(data.get()));
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(extent.get())));
  H5Dread(data.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  values.at(index) = value;
  H5Dwrite(data.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

void remove_object(hid_t file, const char* object) {
  H5Ldelete(file, object, H5P_DEFAULT);
}

}  // namespace fg::test
