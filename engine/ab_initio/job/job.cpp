// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/job/job.hpp"

#include <algorithm>
#include <cmath>

#include "ab_initio/job/job_dynamics.hpp"
#include "ab_initio/job/job_values.hpp"
#include "base/error.hpp"
#include "electrons/coulomb/isolated_coulomb.hpp"
#include "electrons/ions/molecule.hpp"
#include "records/hdf5/hdf5.hpp"

namespace fg::ab_initio {

namespace {

/// Reads one job, and says where something is wrong.
class JobReader : JobValues {
 public:
  using JobValues::JobValues;

  Job read() {
    Job job;
    job.title = file_.text("/", "title");
    if (file_.has_attribute("/", "input_text")) {
      job.input_text = file_.text("/", "input_text");
      job.finegrain_version = file_.text("/", "finegrain_version");
    }
    read_cell(job);
    read_ions(job);
    read_electrons(job);
    read_dispersion(job);
    read_method("/nonlocal", job.nonlocal);
    read_method("/local", job.local);
    read_ground_state(job.ground_state);
    read_dynamics(file_, job);
    read_division(job);
    read_species(job);
    check_charge(job);
    check_room(job);
    take("/outputs", job, Job::output_keys());
    return job;
  }

 private:
  /// A number has a limit that depends on other keys.
  template <class Number>
  void require_at_most(Number value, Number most, const std::string& at,
                       const std::string& name) const {
    if (value <= most) return;
    refuse("the attribute '" + name + "' is beyond its limits", at, std::to_string(value),
           "at most " + std::to_string(most));
  }

  void read_cell(Job& job) const {
    const auto rows = vectors("/cell/vectors");
    if (rows.size() != 3)
      refuse("a cell has three vectors", "/cell/vectors", std::to_string(rows.size()), "3");
    std::copy(rows.begin(), rows.end(), job.cell.vectors.begin());
    try {
      electrons::check_lattice(job.cell);
    } catch (const InputError& error) {
      refuse(error.parts().what, "/cell/vectors", error.parts().value, error.parts().limit);
    }
    const std::string boundary = file_.text("/cell", "boundary");
    if (boundary != "periodic" && boundary != "isolated")
      refuse("the attribute 'boundary' has an unknown value", "/cell", boundary,
             "'periodic' or 'isolated'");
    job.isolated = boundary == "isolated";
  }

  void read_ions(Job& job) {
    job.positions = vectors("/ions/position");
    job.species_of = file_.array<std::int32_t>("/ions/species");
    job.masses = file_.array<double>("/ions/mass");
    if (job.positions.empty()) refuse("there are no ions", "/ions", "0", "at least 1 ion");
    require_one_each(job.species_of, "/ions/species", job.positions);
    require_one_each(job.masses, "/ions/mass", job.positions);
    species_ = number<std::int32_t>("/species", "count", 1, 200);
    for (const double mass : job.masses)
      if (!(mass > 0) || !std::isfinite(mass))
        refuse("a mass is not positive", "/ions/mass", std::to_string(mass), "above 0");
    for (const auto species : job.species_of)
      if (species < 0 || species >= species_)
        refuse("there is no such species", "/ions/species", std::to_string(species),
               "0 to " + std::to_string(species_ - 1));
  }

  void read_electrons(Job& job) const {
    ElectronSettings& electrons = job.electrons;
    const std::string at = "/electrons";
    take(at, electrons, ElectronSettings::keys());
    if (file_.has_attribute(at, "effective_cutoff")) {
      take(at, electrons.effective_cutoff.emplace(), effective_cutoff_keys());
      require_at_most(electrons.effective_cutoff->energy, electrons.cutoff, at, "effective_cutoff");
    }
    if (electrons.spins == 2) {
      require_at_most(electrons.bands_up, electrons.bands, at, "bands_up");
      read_moments(job);
    } else if (electrons.empty_down > 0) {
      refuse("empty orbitals of spin down need spin", at, std::to_string(electrons.empty_down),
             "empty_down = 0");
    }
  }

  /// Moments of the ions at the start.
  void read_moments(Job& job) const {
    job.moments = file_.array<double>("/ions/moment");
    require_finite(job.moments, "/ions/moment");
    require_one_each(job.moments, "/ions/moment", job.positions);
  }

  void read_dispersion(Job& job) const {
    const std::string at = "/dispersion";
    if (!file_.has(at)) return;
    Dispersion& dispersion = job.dispersion.emplace();
    dispersion.model = file_.text(at, "model");
    dispersion.energy = number<double>(at, "energy", -1e6, 1e6);
    dispersion.forces = vectors(at + "/forces");
    require_one_each(dispersion.forces, at + "/forces", job.positions);
    const std::vector<Vec3> strain = vectors(at + "/strain");
    if (strain.size() != 3)
      refuse("is not a matrix of 3 x 3", at + "/strain", std::to_string(strain.size()), "3 rows");
    for (std::size_t row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column)
        dispersion.strain[3 * row + static_cast<std::size_t>(column)] = strain[row][column];
    if (file_.has(at + "/companion")) read_companion(job, dispersion, at + "/companion");
  }

  void read_companion(const Job& job, Dispersion& dispersion, const std::string& at) const {
    dispersion.companion = file_.strings(at + "/command");
    if (dispersion.companion.empty() || dispersion.companion.front().empty())
      refuse("names no program", at + "/command", "", "a command line");
    dispersion.elements = file_.array<std::int32_t>(at + "/elements");
    require_one_each(dispersion.elements, at + "/elements", job.positions);
  }

  void read_method(const std::string& at, IonSettings& settings) const {
    take(at, settings, IonSettings::keys());
    for (const auto points : settings.grid)
      if (points < settings.order)
        refuse("the grid of splines is beyond its limits", at, std::to_string(points),
               std::to_string(settings.order) + " to " + std::to_string(most_points) + " points");
  }

  void read_ground_state(GroundStateSettings& settings) const {
    take("/ground_state", settings, GroundStateSettings::keys());
    take("/ground_state", settings, GroundStateSettings::goal_keys());
    if (settings.start == StartKind::orbitals && !file_.has("/start/orbitals"))
      refuse("the job has no orbitals to start from", "/start", "", "/start/orbitals");
  }

  void read_division(Job& job) const {
    const std::string at = "/division";
    DivisionSettings& division = job.division;
    const ElectronSettings& electrons = job.electrons;
    take(at, division, DivisionSettings::keys());
    if (division.density_parts % division.wave_parts != 0)
      refuse("density_parts must be a multiple of wave_parts", at,
             std::to_string(division.density_parts),
             "multiples of " + std::to_string(division.wave_parts));
    if (division.density_parts > electrons.grid[2])
      refuse("there are more parts of the density than planes of the grid", at,
             std::to_string(division.density_parts), std::to_string(electrons.grid[2]));
    const int blocks = (electrons.bands + division.state_grain - 1) / division.state_grain;
    require_at_most(division.pair_groups, blocks, at, "pair_groups");
    require_at_most(division.tile_grain, electrons.bands, at, "tile_grain");
    require_at_most(division.plane_pieces, electrons.grid[1], at, "plane_pieces");
  }

  Table table(const std::string& object, double reach, double spacing) const {
    Table values = file_.array<double>(object);
    check_table(values, values.size(), object, reach, spacing);
    return values;
  }
  void check_table(std::span<const double> values, std::size_t points, const std::string& object,
                   double reach, double spacing) const {
    require_finite(values, object);
    if (static_cast<double>(points) < reach / spacing + 5)
      refuse("a table ends before the largest |G|", object,
             std::to_string(static_cast<double>(points) * spacing) + " 1/bohr",
             std::to_string(reach) + " 1/bohr and five points more");
  }

  std::size_t rows_of(const std::string& object) const {
    const h5::Handle data = file_.open(object);
    const h5::Handle extent = h5::space(H5Dget_space(data.get()));
    std::array<hsize_t, 2> shape{};
    if (H5Sget_simple_extent_ndims(extent.get()) == 2)
      H5Sget_simple_extent_dims(extent.get(), shape.data(), nullptr);
    return shape[0];
  }

  /// Rows of tables, with their l.
  template <class Row>
  std::vector<Row> rows(const std::string& group, const char* l_name, const char* name,
                        double reach, double spacing) const {
    if (!file_.has(group + "/" + l_name)) return {};
    const auto l = file_.array<std::int32_t>(group + "/" + l_name);
    const std::string object = group + "/" + name;
    const auto flat = file_.array<double>(object, {0});
    if (const std::size_t rows = rows_of(object); l.empty() || rows != l.size())
      refuse("has another number of rows than " + std::string(l_name), object, std::to_string(rows),
             std::to_string(l.size()));
    const std::size_t points = flat.size() / l.size();
    check_table(flat, points, object, reach, spacing);
    std::vector<Row> result(l.size());
    for (std::size_t i = 0; i < l.size(); ++i) {
      if (l[i] < 0 || l[i] > 3)
        refuse("the angular momentum is beyond its limits", object, std::to_string(l[i]), "0 to 3");
      result[i].l = l[i];
      result[i].values.assign(flat.begin() + static_cast<std::ptrdiff_t>(i * points),
                              flat.begin() + static_cast<std::ptrdiff_t>((i + 1) * points));
    }
    return result;
  }

  void read_species(Job& job) const {
    job.table_spacing = number<double>("/species", "spacing", 1e-6, 1);
    const double wave = job.largest_wave();
    for (int i = 0; i < species_; ++i) {
      const std::string at = "/species/" + std::to_string(i);
      Species species;
      take(at, species, Species::keys());
      species.local = table(at + "/local", 2 * wave, job.table_spacing);
      if (file_.has(at + "/core")) species.core = table(at + "/core", 2 * wave, job.table_spacing);
      if (file_.has(at + "/density"))
        species.density = table(at + "/density", 2 * wave, job.table_spacing);
      species.projectors =
          rows<Projector>(at, "projector_l", "projectors", wave, job.table_spacing);
      species.orbitals = rows<AtomicOrbital>(at, "orbital_l", "orbitals", wave, job.table_spacing);
      read_coupling(species, at);
      read_occupations(species, at);
      job.species.push_back(std::move(species));
    }
  }

  void read_coupling(Species& species, const std::string& at) const {
    const std::size_t n = species.projectors.size();
    if (n == 0) return;
    species.coupling = file_.array<double>(at + "/coupling", {n});
    require_finite(species.coupling, at + "/coupling");
    if (species.coupling.size() != n * n)
      refuse("the coupling has another size than the projectors", at + "/coupling",
             std::to_string(species.coupling.size()), std::to_string(n * n));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k)
        if (species.coupling[i * n + k] != 0 && species.projectors[i].l != species.projectors[k].l)
          refuse("projectors of different angular momenta are coupled", at + "/coupling",
                 std::to_string(species.coupling[i * n + k]), "0");
  }

  void read_occupations(Species& species, const std::string& at) const {
    if (species.orbitals.empty()) return;
    const auto occupation = file_.array<double>(at + "/orbital_occupation");
    if (occupation.size() != species.orbitals.size())
      refuse("has another number of rows than orbital_l", at + "/orbital_occupation",
             std::to_string(occupation.size()), std::to_string(species.orbitals.size()));
    require_finite(occupation, at + "/orbital_occupation");
    for (std::size_t i = 0; i < occupation.size(); ++i)
      species.orbitals[i].occupation = occupation[i];
  }

  void check_charge(const Job& job) const {
    double charge = 0;
    for (std::size_t i = 0; i < job.positions.size(); ++i) charge += job.species_of_ion(i).charge;
    if (std::abs(charge - job.electrons_count()) > 1e-9)
      refuse("the electrons do not neutralise the ions", "/electrons",
             std::to_string(job.electrons.bands) + (job.electrons.spins == 1
                                                        ? " orbitals of two electrons"
                                                        : " orbitals of one electron"),
             std::to_string(charge) + " electrons");
  }

  void check_room(const Job& job) const {
    if (!job.isolated) return;
    try {
      electrons::check_room_for_isolated(job.cell, job.positions);
      electrons::IsolatedCoulomb(job.cell, 2 * job.largest_wave());
    } catch (const InputError& error) {
      ErrorParts parts = error.parts();
      parts.where = file_.path() + ":/cell";
      throw InputError(parts);
    }
  }

  std::int32_t species_ = 0;
};

}  // namespace

std::vector<double> Job::charges() const {
  std::vector<double> charges;
  charges.reserve(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) charges.push_back(species_of_ion(i).charge);
  return charges;
}

std::vector<double> Job::kinetic_squares(std::span<const double> squares) const {
  if (electrons.effective_cutoff) return electrons.effective_cutoff->squares(squares);
  return {squares.begin(), squares.end()};
}

std::vector<double> Job::kinetic_slopes(std::span<const double> squares) const {
  if (electrons.effective_cutoff) return electrons.effective_cutoff->slopes(squares);
  return {};
}

double Job::largest_wave() const noexcept {
  return std::sqrt(2 * electrons.cutoff);
}

Job read_job(const JobFile& file) {
  return JobReader(file.contents()).read();
}

std::vector<KeyGroup> job_keys() {
  std::vector<KeyGroup> groups;
  const auto describe = [&](std::string_view object, const auto& standard, const auto&... keys) {
    KeyGroup& group = groups.emplace_back(KeyGroup{std::string(object), {}});
    (describe_keys(group.keys, standard, keys), ...);
  };
  describe("/species/0", Species(), Species::keys());
  describe("/electrons", ElectronSettings(), ElectronSettings::keys());
  describe_keys(groups.back().keys, electrons::EffectiveCutoff(), effective_cutoff_keys());
  describe("/nonlocal", IonSettings(), IonSettings::keys());
  describe("/local", IonSettings(), IonSettings::keys());
  describe("/ground_state", GroundStateSettings(), GroundStateSettings::keys(),
           GroundStateSettings::goal_keys());
  groups.push_back({"/dynamics", dynamics_keys()});
  describe("/division", DivisionSettings(), DivisionSettings::keys());
  describe("/outputs", Job(), Job::output_keys());
  return groups;
}

}  // namespace fg::ab_initio
