// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/job/job_words.hpp"

#include <cstdio>
#include <utility>

#include "ab_initio/job/job.hpp"
#include "ab_initio/job/job_dynamics.hpp"
#include "records/log/run_log.hpp"

namespace fg::ab_initio {

namespace {

/// For example "exact, about 0.8 s an iteration; splines of order 8 would take 2.1 s".
std::string in_words(const IonSettings& settings, const char* each) {
  const bool exact = settings.method == IonMethod::exact;
  const auto splines = words("splines of order ", settings.order, " on ", settings.grid[0], " x ",
                             settings.grid[1], " x ", settings.grid[2], " points");
  const auto seconds = [](double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2g s", value);
    return std::string(text);
  };
  return exact ? words("exact, about ", seconds(settings.exact_seconds), each, "; ", splines,
                       " would take ", seconds(settings.spline_seconds))
               : words(splines, ", about ", seconds(settings.spline_seconds), each,
                       "; exact would take ", seconds(settings.exact_seconds));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> describe(const Job& job) {
  const ElectronSettings& electrons = job.electrons;
  const GroundStateSettings& ground = job.ground_state;
  std::vector<std::pair<std::string, std::string>> all{
      {"cutoff", quantity(2 * electrons.cutoff, "Ry")},
      {"grid", words(electrons.grid[0], " x ", electrons.grid[1], " x ", electrons.grid[2])},
      {"functional", electrons.functional},
      {"nonlocal", in_words(job.nonlocal, " an iteration")},
      {"local", in_words(job.local, "")},
      {"boundary", job.isolated ? "isolated" : "periodic"},
      {"gradient counts where",
       electrons.gradient_density_threshold < 0
           ? std::string("everywhere")
           : words("density > ", electrons.gradient_density_threshold, " 1/bohr3 and its square > ",
                   electrons.gradient_sigma_threshold)},
      {"negative density", electrons.mirrors_negative_density ? "mirrored" : "none"},
      {"dispersion", job.dispersion ? job.dispersion->model : "none"},
      {"orbitals", electrons.spins == 1
                       ? words(electrons.bands, ", two electrons each")
                       : words(electrons.bands_up, " of spin up and ",
                               electrons.bands - electrons.bands_up, " of spin down")},
      {"minimiser", std::string(word_of(minimiser_names, ground.minimiser))},
      {"tolerance", quantity(ground.tolerance, "hartree")},
      {"energy tolerance", quantity(ground.energy_tolerance, "hartree")},
      {"iterations", words("at most ", ground.iterations)},
      {"start", words(word_of(start_names, ground.start), ", seed ", ground.seed)},
      {"net force", electrons.removes_net_force ? "removed, in equal parts from all ions" : "kept"},
      {"objects",
       words("blocks of ", job.division.state_grain, " orbitals, ", job.division.wave_parts,
             " parts of waves, ", job.division.density_parts, " parts of the density in ",
             job.division.plane_pieces, " pieces, ", job.division.pair_groups,
             " groups of pairs in ", job.division.pair_chunks, " chunks of waves, tiles of ",
             job.division.tile_grain > 0 ? job.division.tile_grain : electrons.bands,
             " orbitals")}};
  if (const auto& effective = electrons.effective_cutoff)
    all.emplace_back("effective cutoff",
                     words(quantity(2 * effective->energy, "Ry"), ", a step of ",
                           quantity(2 * effective->height, "Ry"), " over a width of ",
                           quantity(2 * effective->width, "Ry")));
  if (electrons.empty() > 0)
    all.emplace_back("empty orbitals", electrons.spins == 1
                                           ? words(electrons.empty_up)
                                           : words(electrons.empty_up, " of spin up and ",
                                                   electrons.empty_down, " of spin down"));
  for (auto& line : describe_dynamics(job)) all.push_back(std::move(line));
  for (const Species& species : job.species)
    all.emplace_back(species.symbol, words(species.file, ", SHA-256 ", species.sha256));
  return all;
}

}  // namespace fg::ab_initio
