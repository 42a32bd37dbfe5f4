// SPDX-License-Identifier: BSD-3-Clause
#include "records/log/run_log.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <thread>

#include "base/units.hpp"
#include "base/visible.hpp"
#include "records/files/files.hpp"
#include "records/job/job_motion.hpp"

namespace fg {

namespace {

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts);
  return text;
}

/// The value after "name : value" or "name= value" in one of the system's text files.
std::string system_value(const char* path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, name.size(), name) != 0) continue;
    const std::size_t mark = line.find_first_of(":=");
    if (mark == std::string::npos) continue;
    std::size_t start = line.find_first_not_of(" \t\"", mark + 1);
    std::size_t end = line.find_last_not_of(" \t\"");
    if (start != std::string::npos && end >= start) return line.substr(start, end - start + 1);
  }
  return {};
}

std::string yes(bool value) {
  return value ? "on" : "off";
}

std::string every(int interval) {
  return interval == 0 ? "off" : "every " + std::to_string(interval) + " steps";
}

std::string three(const Int3& v) {
  return std::to_string(v.x) + " x " + std::to_string(v.y) + " x " + std::to_string(v.z);
}

}  // namespace

std::string quantity(double value, std::string_view unit) {
  char text[48];
  std::snprintf(text, sizeof text, "%.7g ", value);
  return text + std::string(unit);
}

RunLog::RunLog(std::string path, bool append_to_old) : path_(std::move(path)) {
  file_ = open_for_append(path_, !append_to_old);
  append((append_to_old ? "\nresumed " : "finegrain, started ") + now() + "\n");
}

RunLog::~RunLog() {
  if (file_ >= 0) ::close(file_);
}

void RunLog::append(std::string_view words) {
  const std::string text = visible(words);
  write_all(file_, std::as_bytes(std::span<const char>(text.data(), text.size())), path_);
}

void RunLog::heading(std::string_view title) {
  append(std::string(1, '\n').append(title) + "\n");
}

void RunLog::line(std::string_view text) {
  append(std::string(text) + "\n");
}

void RunLog::entry(std::string_view name, std::string_view value) {
  std::string text = "  " + std::string(name) + " ";
  if (text.size() < 34) text.append(34 - text.size(), '.');
  append(text + " " + std::string(value) + "\n");
}

void RunLog::warning(std::string_view text) {
  warnings_.emplace_back(text);
  append("warning: " + std::string(text) + "\n");
}

void RunLog::table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - row[i].size(), ' ');
      line += "  " + (i == 0 ? row[i] + pad : pad + row[i]);
    }
    text += line + "\n";
  }
  append(text);
}

std::vector<std::pair<std::string, std::string>> describe_machine() {
  utsname system{};
  ::uname(&system);
  std::string processor = system_value("/proc/cpuinfo", "model name");
  if (processor.empty()) processor = system.machine;
  std::string distribution = system_value("/etc/os-release", "PRETTY_NAME");
  return {{"host", system.nodename},
          {"processor", processor},
          {"processors online", std::to_string(std::thread::hardware_concurrency())},
          {"memory", system_value("/proc/meminfo", "MemTotal")},
          {"system", distribution + ", " + system.sysname + " " + system.release},
          {"compiler", __VERSION__}};
}

std::vector<std::pair<std::string, std::string>> describe_job(const Job& job) {
  using std::to_string;
  const JobSettings& s = job.settings;
  const JobDynamics& d = job.dynamics;
  const auto length = [](double bohr) { return quantity(bohr * units::bohr_in_nm, "nm"); };
  const auto steps_or_off = [](int interval) { return every(interval); };
  const Topology& t = job.topology;
  std::vector<std::pair<std::string, std::string>> rows;
  const auto add = [&](std::string name, std::string value) {
    rows.emplace_back(std::move(name), std::move(value));
  };
  add("title", job.title);
  const std::size_t copies = static_cast<std::size_t>(job.copies().count());
  add("atoms", to_string(job.all_atoms()));
  if (copies > 1)
    add("copies", three(job.repeat) + " of a cell with " + to_string(job.atoms.size()) + " atoms");
  const auto lengths = [&](double x, double y, double z) {
    return length(x) + ", " + length(y) + ", " + length(z);
  };
  const auto& [edge, periodic, tilt] = job.box;
  add("box", periodic ? lengths(edge.x, edge.y, edge.z) : "none (vacuum)");
  if (!job.box.orthorhombic())
    add("tilt of the box (xy, xz, yz)", lengths(tilt.xy, tilt.xz, tilt.yz));
  BondedTerms::for_each_kind([&]<class Term>() {
    const auto& terms = job.terms.of<Term>();
    const auto counting =
        std::count_if(terms.begin(), terms.end(), [](const Term& term) { return term.counts(); });
    if (terms.empty()) return;
    add(std::string(Term::names_of_many),
        to_string(terms.size() * copies) +
            (counting < std::ssize(terms)
                 ? " pairs left out of the pair sum, " +
                       to_string(counting * static_cast<std::ptrdiff_t>(copies)) +
                       " of them computed by themselves"
                 : ""));
  });
  add("constraints", to_string(t.constraints.size() * copies) + ", of which in " +
                         to_string(t.waters.size() * copies) + " rigid waters");
  if (!t.virtual_sites.empty()) add("virtual sites", to_string(t.virtual_sites.size() * copies));
  if (!job.restraints.empty())
    add("restrained atoms",
        to_string(job.restraints.size() * copies) + ", harmonic, at their references");
  add("constraint tolerance", quantity(d.constraint_tolerance, "relative"));
  add("Lennard-Jones",
      job.lennard_jones_types.count > 0
          ? "12-6, parameters of each pair of " + to_string(job.lennard_jones_types.count) +
                " types"
          : "12-6, Lorentz-Berthelot mixing (arithmetic sigma, geometric epsilon)");
  if (d.pair_interval > 1)
    add("pair forces", every(d.pair_interval) + ", as impulses (Verlet-I, r-RESPA)");
  add("cutoff", job.box.periodic ? length(s.cutoff) : "none: every pair");
  add("switch",
      s.switch_distance <= 0 ? "off: the energy is cut, not shifted"
      : s.switching == Switching::force
          ? "from " + length(s.switch_distance) + ", on the force; the energy is shifted"
          : "from " + length(s.switch_distance) + ", on the energy: 1 - 10 x^3 + 15 x^4 - 6 x^5");
  add("dispersion correction",
      s.dispersion_coefficient != 0 ? "on: energy = coefficient / volume" : "off");
  switch (s.electrostatics) {
    case Electrostatics::pme:
      add("electrostatics", s.influence == InfluenceFunction::optimal
                                ? "particle-mesh Ewald, tin-foil boundary, with the influence "
                                  "function of least force error (P3M)"
                                : "smooth particle-mesh Ewald, tin-foil boundary");
      add("Ewald coefficient", quantity(s.ewald_coefficient / units::bohr_in_nm, "nm-1"));
      add("mesh", three(s.mesh) + ", B-splines of order " + to_string(s.spline_order));
      if (d.long_range_interval > 1)
        add("forces of the mesh",
            every(d.long_range_interval) + ", as impulses (Verlet-I, r-RESPA)");
      break;
    case Electrostatics::reaction_field:
      add("electrostatics",
          "reaction field, dielectric " + quantity(s.reaction_field_dielectric, "outside"));
      break;
    case Electrostatics::plain:
      add("electrostatics", "plain Coulomb");
      break;
  }
  add("precision", s.precision == Precision::double_precision
                       ? "double"
                       : "mixed: forces single, sums fixed point, motion double");
  add("bits", s.bits == Bits::portable ? "portable: the same on every SIMD target"
                                       : "fast: those of the SIMD target");
  add("pair list", length(s.list_cutoff) + " rebuilt " + every(s.rebuild_interval) + ", " +
                       length(s.inner_list_cutoff) + " pruned " + every(s.prune_interval));
  const std::string partners =
      s.reach == JobSettings{}.reach ? "" : ", with pairs up to " + three(s.reach) + " away";
  std::string computes = ", each with pair computes: " + to_string(s.pair_computes);
  if (s.pairs == PairAssignment::midpoint) computes += ", by the midpoints of pairs";
  if (job.cells) {
    const auto [x, y, z] = job.cells->shape;
    computes = ", pairs by their midpoints in cells cut by work: " + three({x, y, z});
  }
  add("patches", three(s.patch_grid) + partners + computes);
  add("pencils", to_string(s.pencil_grid[0]) + " x " + to_string(s.pencil_grid[1]));
  add("integrator", make_integrator(integrator_settings(d))->description());
  if (d.thermostat_time > 0)
    add("thermostat", "stochastic velocity rescaling (Bussi), time constant " +
                          quantity(d.thermostat_time * units::time_in_ps, "ps") + ", every " +
                          to_string(s.rebuild_interval) + " steps");
  if (const auto barostat = make_barostat(barostat_settings(job)))
    add("barostat", barostat->description());
  if (d.barostat_interval > 0) add("barostat", monte_carlo_barostat(job, 0).description());
  add("time step", quantity(d.timestep * units::time_in_fs, "fs"));
  add("steps", to_string(d.steps));
  add("temperature",
      quantity(d.temperature * units::hartree_in_kelvin, "K") +
          (d.ramp_steps > 0
               ? " to " + quantity(d.final_temperature * units::hartree_in_kelvin, "K") + " over " +
                     to_string(d.ramp_steps) + " steps, linear"
               : ""));
  add("seed", to_string(d.seed));
  add("centre of mass at rest", steps_or_off(d.com_interval));
  add("energies written", steps_or_off(d.energy_interval));
  add("frames written", steps_or_off(d.trajectory_interval));
  add("checkpoint", d.checkpoint_seconds > 0
                        ? "every " + quantity(d.checkpoint_seconds, "s") + " and when stopped"
                        : "when stopped");
  if (d.minimise != Minimisation::none)
    add("minimisation",
        std::string(d.minimise == Minimisation::l_bfgs ? "L-BFGS" : "steepest descent") +
            ", at most " + to_string(d.minimise_steps) + " steps, to " +
            quantity(d.minimise_tolerance * units::force_in_kj_per_mol_nm, "kJ/mol/nm"));
  add("periodic", yes(job.box.periodic));
  return rows;
}

}  // namespace fg
