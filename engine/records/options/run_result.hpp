// SPDX-License-Identifier: BSD-3-Clause
//
// What a run reports on its way and at its end, and what one evaluation gives. The function
// figures() lists the values of each. The JSON lines, the Python module, run.log, the printed
// summary and the manual's page of figures follow from it. Units: those of the field, as listed.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace fg {

/// The value of a quantity that was not measured.
constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

/// One value of a report.
template <class Report, class Value>
struct Figure {
  std::string_view name;  // in JSON and in Python
  Value Report::*member;
  std::string_view unit;
  std::string_view help;
  /// The words in run.log and in the summary at the end of a run; empty: it is not there. A double
  /// is left out where it was not measured.
  std::string_view label;
};
template <class Report, class Value>
constexpr Figure<Report, Value> figure(std::string_view name, Value Report::*member,
                                       std::string_view unit, std::string_view help,
                                       std::string_view label = "") {
  return {name, member, unit, help, label};
}

template <class T>
concept Reported = requires { T::figures(); };

/// Calls visit(figure) for each value of a report.
template <Reported Report, class Visit>
constexpr void for_each_figure(const Visit& visit) {
  std::apply([&](const auto&... figures) { (visit(figures), ...); }, Report::figures());
}

/// Calls visit(name, value) for each value of a report; an empty optional one is left out.
template <Reported Report, class Visit>
void for_each_value(const Report& report, const Visit& visit) {
  for_each_figure<Report>([&](const auto& figure) {
    const auto& value = report.*figure.member;
    if constexpr (requires { value.has_value(); }) {
      if (value) visit(figure.name, *value);
    } else {
      visit(figure.name, value);
    }
  });
}

struct Progress {
  std::int64_t step = 0, steps = 0;
  double seconds = 0;
  double temperature_kelvin = not_measured;
  double energy_drift = not_measured;
  double potential = not_measured, kinetic = not_measured;
  double pressure = not_measured, volume = not_measured, density = not_measured;
  std::int64_t evaluations = 0;
  double largest_force = 0;
  double total_energy = not_measured, residual = not_measured;
  double fictitious_kinetic = not_measured, conserved_energy = not_measured;
  std::string trouble;

  static constexpr auto figures() {
    using P = Progress;
    return std::tuple{
        figure("step", &P::step, "", "the present step"),
        figure("steps", &P::steps, "", "the last step of the job"),
        figure("seconds", &P::seconds, "s", "since the first step"),
        figure("temperature", &P::temperature_kelvin, "K", "of the latest energy step"),
        figure("energy_drift", &P::energy_drift, "kJ/mol/ps/atom",
               "slope of the conserved energy over all rows so far"),
        figure("potential", &P::potential, "kJ/mol", "energy of the latest energy step"),
        figure("kinetic", &P::kinetic, "kJ/mol", "energy of the latest energy step"),
        figure("pressure", &P::pressure, "bar", "of the latest energy step, in a periodic box"),
        figure("volume", &P::volume, "nm3", "of the latest energy step, in a periodic box"),
        figure("density", &P::density, "kg/m3", "of the latest energy step, in a periodic box"),
        figure("evaluations", &P::evaluations, "", "while minimising, so far; 0 otherwise"),
        figure("largest_force", &P::largest_force, "kJ/mol/nm",
               "on an atom, while minimising; 0 otherwise"),
        figure("total_energy", &P::total_energy, "hartree",
               "of the electrons and ions, in an ab initio run"),
        figure("residual", &P::residual, "hartree",
               "the largest of a coefficient, in an ab initio run"),
        figure("fictitious_kinetic", &P::fictitious_kinetic, "hartree",
               "of the orbitals, in Car-Parrinello dynamics"),
        figure("conserved_energy", &P::conserved_energy, "hartree",
               "of the latest step, in an ab initio dynamics"),
        figure("trouble", &P::trouble, "",
               "what is wrong at present, in an ab initio dynamics; empty: nothing is known")};
  }
};

/// Called on the way; the run stops, resumable, after it has returned false.
using OnProgress = std::function<bool(const Progress&)>;

struct PhaseTime {
  std::string name;
  double seconds = 0;
  std::int64_t calls = 0;
  double share = 0;

  static constexpr auto figures() {
    using P = PhaseTime;
    return std::tuple{figure("name", &P::name, "", "what was done"),
                      figure("seconds", &P::seconds, "s", "summed over PEs"),
                      figure("calls", &P::calls, "", "how often"),
                      figure("share", &P::share, "", "of the time of all PEs")};
  }
};

struct RunResult {
  std::int64_t steps = 0;
  bool finished = false;
  int pes = 0, ranks = 1, atoms = 0;
  double seconds = 0, seconds_per_step = not_measured, ns_per_day = not_measured;
  double energy_drift = not_measured;
  double temperature_kelvin = not_measured;
  double potential = not_measured, kinetic = not_measured;
  double pressure = not_measured, volume = not_measured, density = not_measured;
  double total_energy = not_measured, residual = not_measured;
  double fictitious_kinetic = not_measured, conserved_energy = not_measured;
  std::optional<std::int64_t> iterations;
  std::optional<bool> converged;
  std::string state_digest;
  std::string went_on_from;
  std::string stopped_by;
  std::string simd_target;
  std::string bits;
  std::int64_t messages = 0;
  double overhead_share = 0;
  double idle_share = 0;
  double load_imbalance = not_measured;
  std::vector<PhaseTime> phases, parts;
  std::vector<std::string> warnings;

  static constexpr auto figures() {
    using R = RunResult;
    return std::tuple{
        figure("steps", &R::steps, "", "the last completed step"),
        figure("finished", &R::finished, "", "false: it was stopped early, and can be resumed"),
        figure("pes", &R::pes, "", "worker threads of each process"),
        figure("ranks", &R::ranks, "", "processes"),
        figure("atoms", &R::atoms, "", "virtual sites are among them"),
        figure("seconds", &R::seconds, "s", "this part of the run took for its steps"),
        figure("seconds_per_step", &R::seconds_per_step, "s", "wall time of a step",
               "seconds per step"),
        figure("ns_per_day", &R::ns_per_day, "ns/day", "simulated time per day", "speed"),
        figure("energy_drift", &R::energy_drift, "kJ/mol/ps/atom",
               "slope of the conserved energy; not with fewer than two rows",
               "conserved energy drift"),
        figure("temperature", &R::temperature_kelvin, "K", "of the last energy step"),
        figure("potential", &R::potential, "kJ/mol", "energy of the last energy step"),
        figure("kinetic", &R::kinetic, "kJ/mol", "energy of the last energy step"),
        figure("pressure", &R::pressure, "bar", "of the last energy step, in a periodic box",
               "pressure at the end"),
        figure("volume", &R::volume, "nm3", "of the last energy step, in a periodic box"),
        figure("density", &R::density, "kg/m3", "of the last energy step, in a periodic box",
               "density at the end"),
        figure("total_energy", &R::total_energy, "hartree",
               "of the electrons and ions, in an ab initio run", "total energy"),
        figure("residual", &R::residual, "hartree",
               "the largest of a coefficient, in an ab initio run", "residual"),
        figure("fictitious_kinetic", &R::fictitious_kinetic, "hartree",
               "of the orbitals at the end of Car-Parrinello dynamics",
               "fictitious kinetic energy"),
        figure("conserved_energy", &R::conserved_energy, "hartree",
               "at the end of an ab initio dynamics", "conserved energy"),
        figure("iterations", &R::iterations, "", "of the orbitals, in an ab initio run"),
        figure("converged", &R::converged, "", "whether the orbitals are, in an ab initio run"),
        figure("state_digest", &R::state_digest, "",
               "SHA-256 of the final positions, velocities and box, or of orbitals, energies and "
               "forces",
               "state digest"),
        figure("went_on_from", &R::went_on_from, "",
               "such as \"step 200, kept in memory\"; empty: from the job"),
        figure("stopped_by", &R::stopped_by, "",
               "\"hours\" if that limit ended the run, else empty"),
        figure("simd_target", &R::simd_target, "", "instructions that the kernels used"),
        figure(
            "bits", &R::bits, "",
            "\"fast\", of this SIMD target, or \"portable\", of all; empty for an ab initio run"),
        figure("messages", &R::messages, "", "that the PEs have handled"),
        figure("overhead_share", &R::overhead_share, "", "scheduling and messaging over busy time"),
        figure("idle_share", &R::idle_share, "", "idle time over all time of the PEs"),
        figure("load_imbalance", &R::load_imbalance, "",
               "busy time of the busiest PE over the average", "busiest PE over the average"),
        figure("phases", &R::phases, "", "time of each phase"),
        figure("parts", &R::parts, "",
               "time of named parts of phases, as far as they are measured"),
        figure("warnings", &R::warnings, "", "as in run.log")};
  }
};

struct EnergyResult {
  std::vector<std::pair<std::string, double>> terms;
  std::array<double, 6> virial{};
  std::array<double, 3> dipole = {not_measured, not_measured, not_measured};
  std::array<double, 3> net_force = {not_measured, not_measured, not_measured};
  std::optional<std::int64_t> iterations;
  /// [atoms * 3] kJ/mol/nm, in the input's order. They are no figure: they go by file or as an
  /// array.
  std::vector<double> forces;

  static constexpr auto figures() {
    using E = EnergyResult;
    return std::tuple{
        figure("energies", &E::terms, "kJ/mol", "by term, the total last"),
        figure("virial", &E::virial, "kJ/mol", "xx, yy, zz, xy, xz, yz of the sum of r f"),
        figure("dipole", &E::dipole, "e bohr",
               "from negative to positive charge, in an ab initio run with vacuum round the ions"),
        figure(
            "net_force", &E::net_force, "hartree/bohr",
            "sum of the forces of an ab initio run, before it is removed if the input asks for it"),
        figure("iterations", &E::iterations, "", "of the orbitals, in an ab initio run")};
  }
};

}  // namespace fg
