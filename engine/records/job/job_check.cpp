// SPDX-License-Identifier: BSD-3-Clause
//
// The conditions that a job must satisfy before the engine starts. Python has checked the same,
// with file and line. This second check is for jobs from other sources and for damaged ones.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>

#include "base/error.hpp"
#include "base/shown.hpp"
#include "records/job/box_numbers.hpp"
#include "records/job/job.hpp"

namespace fg {

namespace {

std::string precise(double value) {
  return shown(value, 10);
}

constexpr int most_types = 1000;  // the kernels' table of pairs has to stay in the cache
constexpr double most_empty_patches = 1 << 16;

/// Forces that are evaluated at an interval, in words.
struct Level {
  std::string_view key, forces, verb;
  int interval;

  std::string multiple() const {
    return "a multiple of " + std::string(key) + " = " + std::to_string(interval);
  }
};

Level pair_level(const JobDynamics& d) {
  return {"pair_interval", "pair forces", "are", d.pair_interval};
}
/// On its steps all forces are evaluated.
Level slowest_level(const JobDynamics& d) {
  if (d.long_range_interval < d.pair_interval) return pair_level(d);
  return {"long_range_interval", "the mesh", "is", d.long_range_interval};
}

class Checker {
 public:
  explicit Checker(const Job& job) : job_(job) {}

  void everything() const {
    frame();
    atoms();
    connectivity();
    lennard_jones_types();
    terms();
    constraints();
    virtual_sites();
    restraints();
    settings();
    cells();
    dynamics();
  }

  void number_of_cells(const std::array<int, 3>& shape) const {
    const char *at = "/midpoint_cells", *hint = "take another number of cells, or of patches";
    const Int3& patches = job_.settings.patch_grid;
    for (int axis = 0; axis < 3; ++axis) {
      const int cells = shape[static_cast<std::size_t>(axis)], count = patches[axis];
      const int least = (count + CellCut::thickest / 2 - 1) / (CellCut::thickest / 2);
      const int most = CellCut::most_in_a_patch * count;
      if (cells >= least && cells <= most) continue;
      refuse(std::string(cells > most ? "too many" : "too few") + " midpoint cells along " +
                 "xyz"[axis],
             at, std::to_string(cells),
             std::to_string(least) + " to " + std::to_string(most) + " where patches are " +
                 std::to_string(count),
             hint);
    }
    const auto [x, y, z] = shape;
    const double all = static_cast<double>(x) * y * z;
    const double most = most_empty_patches + static_cast<double>(job_.all_atoms());
    if (all > most)
      refuse("too many midpoint cells", at, precise(all), precise(most) + " at most", hint);
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& where,
                           const std::string& value, const std::string& limit,
                           const std::string& hint) const {
    throw InputError({.what = what,
                      .where = job_.path + ":" + where,
                      .value = value,
                      .limit = limit,
                      .hint = hint});
  }
  void number(const char* where, const char* name, double value, double low, double high) const {
    if (value >= low && value <= high) return;  // false for NaN
    refuse(std::string("'") + name + "' is out of range", where, precise(value),
           precise(low) + " to " + precise(high), "make the job again from its input");
  }

  /// Limits that do not depend on the values of others.
  template <class Settings>
  void limits(const char* where, const Settings& settings) const {
    if (const auto wrong = beyond_limits(settings, Settings::keys()))
      refuse("'" + wrong->name + "' is out of range", where, wrong->value, wrong->limit,
             "make the job again from its input");
  }

  void reduced(const char* name, double tilt, double edge) const {
    const double most = 0.505 * edge;  // some cells are at the limit, and may be strained a little
    if (std::abs(tilt) <= most) return;
    refuse(std::string("the cell is not reduced: its tilt ") + name + " is too large", "/box",
           precise(tilt), precise(-most) + " to " + precise(most) + " bohr",
           "add or subtract the vectors a or b until the cell is reduced");
  }

  void frame() const {
    frame(job_.box);
    if (job_.copies().several()) frame(job_.cell);
  }

  void frame(const Box& box) const {
    for (int axis = 0; axis < 3; ++axis)
      number("/box", "box edge", box.edge[axis], shortest_edge, longest_edge);
    if (!box.periodic && !box.orthorhombic())
      refuse("a box without periodic images is tilted", "/box",
             precise(box.tilt.xy) + ", " + precise(box.tilt.xz) + ", " + precise(box.tilt.yz),
             "no tilts", "make the job again from its input");
    reduced("xy", box.tilt.xy, box.edge.x);
    reduced("xz", box.tilt.xz, box.edge.x);
    reduced("yz", box.tilt.yz, box.edge.y);
  }

  template <class T>
  void rows(const char* name, const std::vector<T>& column, std::size_t count) const {
    if (column.size() == count) return;
    refuse("the table does not have one row per atom", std::string("/atoms/") + name,
           std::to_string(column.size()), std::to_string(count),
           "make the job again from its input");
  }

  void starts() const {
    const auto all = static_cast<std::size_t>(job_.all_atoms());
    for (const auto* vectors : {&job_.start->position, &job_.start->velocity}) {
      if (vectors->size() != all && !(vectors->empty() && vectors != &job_.start->position))
        refuse("the start of a stage does not have one row per atom", "/start",
               std::to_string(vectors->size()), std::to_string(all),
               "run the stage before again, and then this one");
      for (const Vec3& v : *vectors)
        for (int axis = 0; axis < 3; ++axis) number("/start", "a number", v[axis], -1e7, 1e7);
    }
  }

  void atoms() const {
    const JobAtoms& a = job_.atoms;
    const std::size_t count = a.position.size();
    constexpr int most = std::numeric_limits<int>::max() / 8;
    if (count == 0 || count > std::size_t{most})
      refuse("a system must have atoms", "/atoms", std::to_string(count), "at least 1",
             "check the topology and coordinate files");
    const double all = static_cast<double>(count) * job_.copies().count();
    if (all > most)
      refuse("the copies of the cell have too many atoms", "/ repeat", precise(all),
             std::to_string(most), "repeat the cell less often");
    if (job_.start) starts();
    rows("velocity", a.velocity, count);
    rows("mass", a.mass, count);
    rows("charge", a.charge, count);
    rows("sigma", a.sigma, count);
    rows("epsilon", a.epsilon, count);
    rows("fragment", a.fragment, count);
    rows("residue", a.residue, count);
    rows("name", a.name, count);
    rows("element", a.element, count);
    const JobResidues& r = job_.residues;
    if (job_.copies().several())
      number("/ repeat", "number of the last residue",
             static_cast<double>(job_.residue_numbers_before(job_.copies().count())), 0,
             std::numeric_limits<std::int32_t>::max() / 2.0);
    if (r.chain.size() != r.name.size() || r.number.size() != r.name.size())
      refuse("the tables of residues differ in length", "/residues", "", "",
             "make the job again from its input");
    const std::vector<std::uint8_t> is_site = sites_by_atom();
    for (std::size_t i = 0; i < count; ++i) {
      const auto bad = [&](const char* table, double value, const char* limit, const char* hint) {
        refuse(describe_atom(job_, static_cast<int>(i)) + ": unusable " + table,
               std::string("/atoms/") + table, precise(value), limit, hint);
      };
      const char* again = "check the coordinate and parameter files";
      for (int axis = 0; axis < 3; ++axis) {
        if (!(std::abs(a.position[i][axis]) < 1e7))
          bad("position", a.position[i][axis], "a finite number below 1e7 bohr", again);
        if (!(std::abs(a.velocity[i][axis]) < 1e3))
          bad("velocity", a.velocity[i][axis], "a finite number below 1e3 atomic units", again);
      }
      if (is_site[i] && a.mass[i] != 0)
        bad("mass", a.mass[i], "0, that of a virtual site", "take the mass or the site out");
      if (!is_site[i] && !(a.mass[i] > 0 && a.mass[i] < 1e9))
        bad("mass", a.mass[i], "above 0", "give the atom a mass: fixed atoms are not supported");
      // The mesh adds charges in fixed point with room for 2048 e on a point.
      if (!(std::abs(a.charge[i]) <= 100)) bad("charge", a.charge[i], "at most 100 e", again);
      if (!(a.sigma[i] >= 0 && a.sigma[i] < 1e3)) bad("sigma", a.sigma[i], "0 or more", again);
      if (!(a.epsilon[i] >= 0 && a.epsilon[i] < 1e3))
        bad("epsilon", a.epsilon[i], "0 or more", again);
      if (a.residue[i] < 0 || static_cast<std::size_t>(a.residue[i]) >= r.name.size())
        bad("residue", a.residue[i], "an index into /residues", "make the job again");
    }
  }

  void connectivity() const {
    for (const std::int32_t atom : job_.connectivity)
      if (atom < 0 || atom >= job_.atoms.size())
        refuse("no such atom", "/connectivity", std::to_string(atom),
               "0 to " + std::to_string(job_.atoms.size() - 1),
               "make the job again from its input");
  }

  void lennard_jones_types() const {
    const LennardJonesTypes& t = job_.lennard_jones_types;
    if (t.count == 0) return;
    const std::string at = "/lennard_jones_types";
    const char* again = "make the job again from its input";
    if (t.of_atom.size() != job_.atoms.position.size())
      refuse("the table does not have one row per atom", at + "/of_atom",
             std::to_string(t.of_atom.size()), std::to_string(job_.atoms.position.size()), again);
    const std::size_t pairs = static_cast<std::size_t>(t.count) * t.count;
    if (t.count > most_types || t.sigma.size() != pairs || t.epsilon.size() != pairs)
      refuse("the table does not hold all pairs of types", at,
             std::to_string(t.sigma.size()) + " and " + std::to_string(t.epsilon.size()),
             "a square, of at most " + std::to_string(most_types) + " types", again);
    for (std::size_t i = 0; i < t.of_atom.size(); ++i)
      if (t.of_atom[i] < 0 || t.of_atom[i] >= t.count)
        refuse(describe_atom(job_, static_cast<int>(i)) + ": its type does not exist",
               at + "/of_atom", std::to_string(t.of_atom[i]), "0 to " + std::to_string(t.count - 1),
               again);
    for (int a = 0; a < t.count; ++a)
      for (int b = 0; b < t.count; ++b) {
        const std::size_t here = static_cast<std::size_t>(a) * t.count + b;
        const std::size_t there = static_cast<std::size_t>(b) * t.count + a;
        const std::string pair = " of types " + std::to_string(a) + " and " + std::to_string(b);
        number((at + "/sigma").c_str(), ("sigma" + pair).c_str(), t.sigma[here], 0, 1e3);
        number((at + "/epsilon").c_str(), ("epsilon" + pair).c_str(), t.epsilon[here], 0, 1e3);
        if (t.sigma[here] != t.sigma[there] || t.epsilon[here] != t.epsilon[there])
          refuse("the table is not symmetric:" + pair, at, precise(t.sigma[here]),
                 precise(t.sigma[there]), again);
      }
  }

  /// One entry for each atom: whether it is a virtual site.
  std::vector<std::uint8_t> sites_by_atom() const {
    std::vector<std::uint8_t> is_site(job_.atoms.mass.size(), 0);
    for (const VirtualSite& site : job_.topology.virtual_sites)
      if (site.site >= 0 && site.site < job_.atoms.size())
        is_site[static_cast<std::size_t>(site.site)] = 1;
    return is_site;
  }

  template <class Term>
  void named_atoms(const char* where, const std::vector<Term>& terms) const {
    const int count = job_.atoms.size();
    for (std::size_t i = 0; i < terms.size(); ++i) {
      auto sorted = terms[i].atoms;
      std::sort(sorted.begin(), sorted.end());
      const bool twice = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
      if (sorted.front() >= 0 && sorted.back() < count && !twice) continue;
      refuse("row " + std::to_string(i) + " names " +
                 (twice ? "an atom twice" : "an atom that does not exist"),
             where, std::to_string(twice ? sorted.front() : sorted.back()),
             "0 to " + std::to_string(count - 1), "make the job again from its input");
    }
  }
  template <class Term>
  void finite(const char* where, const std::vector<Term>& terms,
              std::initializer_list<double Term::*> columns, double low) const {
    for (const Term& term : terms)
      for (const auto column : columns) number(where, "term parameter", term.*column, low, 1e7);
  }

  void terms() const {
    BondedTerms::for_each_kind([&]<class Term>() {
      const std::string table(Term::table);
      const auto& terms = job_.terms.of<Term>();
      named_atoms(table.c_str(), terms);
      for_each_column<Term>([&](const auto& column) {
        const std::string name(column.name);
        for (const Term& term : terms)
          number(table.c_str(), name.c_str(), term.*column.member, column.least, column.most);
      });
      if (const auto wrong = job_.terms.shared<Term>().complaint(terms))
        refuse(wrong->what, std::string(Term::Shared::table), wrong->value, wrong->limit,
               "make the job again from its input");
    });
    const auto& exceptions = job_.terms.of<ExceptionPair>();
    std::vector<std::array<std::int32_t, 2>> pairs;
    pairs.reserve(exceptions.size());
    for (const ExceptionPair& e : exceptions)
      pairs.push_back({std::min(e.atoms[0], e.atoms[1]), std::max(e.atoms[0], e.atoms[1])});
    std::sort(pairs.begin(), pairs.end());
    const auto again = std::adjacent_find(pairs.begin(), pairs.end());
    if (again != pairs.end())
      refuse("a pair of atoms has two exceptions", "/exceptions",
             std::to_string((*again)[0]) + " " + std::to_string((*again)[1]), "one",
             "make the job again from its input");
  }

  void constraints() const {
    const Topology& t = job_.topology;
    named_atoms("/constraints", t.constraints);
    named_atoms("/waters", t.waters);
    finite("/constraints", t.constraints, {&Constraint::distance}, 1e-3);
    finite("/waters", t.waters, {&Water::r_oh, &Water::r_hh}, 1e-3);
    const auto one_fragment = [&](const char* where, const auto& atoms) {
      for (const std::int32_t atom : atoms)
        if (job_.atoms.fragment[static_cast<std::size_t>(atom)] !=
            job_.atoms.fragment[static_cast<std::size_t>(atoms[0])])
          refuse("a constraint crosses two fragments", where, describe_atom(job_, atom),
                 "atoms of one fragment", "make the job again from its input");
    };
    for (const Constraint& c : t.constraints) one_fragment("/constraints", c.atoms);
    for (const Water& w : t.waters) {
      one_fragment("/waters", w.atoms);
      if (w.r_hh >= 2 * w.r_oh)
        refuse("the distances of a rigid water do not form a triangle", "/waters", precise(w.r_hh),
               "below " + precise(2 * w.r_oh), "check the distances of the water model");
    }
  }

  /// Fragments check the rest: sites that are parents, and parents in other fragments.
  void virtual_sites() const {
    const char* at = "/virtual_sites";
    const int count = job_.atoms.size();
    for (const VirtualSite& site : job_.topology.virtual_sites) {
      std::vector<std::int32_t> named{site.site};
      named.insert(named.end(), site.parents.begin(), site.parents.begin() + site.parent_count());
      const int parents = site.parent_count();
      std::sort(named.begin(), named.end());
      if (named.front() < 0 || named.back() >= count ||
          std::adjacent_find(named.begin(), named.end()) != named.end())
        refuse("a virtual site names an atom twice, or one that does not exist", at,
               std::to_string(site.site), "0 to " + std::to_string(count - 1),
               "make the job again from its input");
      const bool bare = site.kind == SiteKind::average;
      const bool plane = site.kind == SiteKind::out_of_plane;
      const int fewest = bare ? 1 : 2;
      if (parents < fewest || (plane && parents != 3))
        refuse("a virtual site with another number of parents than its kind has", at,
               describe_atom(job_, site.site), plane ? "3" : std::to_string(fewest) + " to 4",
               "make the job again from its input");
      const auto sum = [&](const std::array<double, max_site_parents>& weights) {
        for (const double weight : weights) number(at, "weight", weight, -1e3, 1e3);
        return std::accumulate(weights.begin(), weights.begin() + parents, 0.0);
      };
      // Files give weights with at least six digits.
      number(at, "sum of weights", sum(site.weights), 1 - 1e-5, 1 + 1e-5);
      number(at, "sum of x_weights", sum(site.x_weights), -1e-5, 1e-5);
      number(at, "sum of y_weights", sum(site.y_weights), -1e-5, 1e-5);
      for (int axis = 0; axis < 3; ++axis)
        number(at, "offset", site.offset[axis], bare ? 0 : -1e3, bare ? 0 : 1e3);
    }
  }

  void restraints() const {
    const char* at = "/restraints";
    std::vector<std::uint8_t> unusable = sites_by_atom();
    for (const PositionRestraint& restraint : job_.restraints) {
      if (restraint.atom < 0 || restraint.atom >= job_.atoms.size())
        refuse("a restraint names an atom that does not exist", at, std::to_string(restraint.atom),
               "0 to " + std::to_string(job_.atoms.size() - 1), "make the job again");
      auto& taken = unusable[static_cast<std::size_t>(restraint.atom)];
      if (taken)
        refuse("a restraint on a virtual site, or a second one on an atom", at,
               describe_atom(job_, restraint.atom), "one for each atom that has a mass",
               "restrain the parents of a site; join two restraints on an atom into one");
      taken = 1;
      for (int axis = 0; axis < 3; ++axis) {
        number(at, "force constant", restraint.stiffness[axis], 0, 1e3);
        number(at, "reference", restraint.reference[axis], -1e7, 1e7);
        number(at, "anchor", restraint.anchor[axis], -1e7, 1e7);
      }
    }
  }

  void settings() const {
    const JobSettings& s = job_.settings;
    const char* at = "/settings";
    const Vec3 widths = job_.box.widths();
    const double shortest = std::min({widths.x, widths.y, widths.z});
    limits(at, s);
    if (job_.box.periodic && s.cutoff > 0.5 * shortest)
      refuse("the cutoff is longer than half the smallest width of the box", at, precise(s.cutoff),
             precise(0.5 * shortest) + " bohr", "shorten the cutoff or take a larger box");
    if (s.switch_distance != 0) number(at, "switch_distance", s.switch_distance, 0, s.cutoff);
    number(at, "inner_list_cutoff", s.inner_list_cutoff, s.cutoff, 1e7);
    number(at, "list_cutoff", s.list_cutoff, s.inner_list_cutoff, 1e7);
    for (int axis = 0; axis < 3; ++axis) {
      if (job_.box.periodic && s.patch_grid[axis] > 1)
        number(at, "patch width (box over patch_grid)", widths[axis] / s.patch_grid[axis],
               s.list_cutoff / s.reach[axis], 1e7);
    }
    // A patch takes kilobytes, even without atoms.
    const auto& [nx, ny, nz] = s.patch_grid;
    number(at, "number of patches", static_cast<double>(nx) * ny * nz, 1,
           most_empty_patches + static_cast<double>(job_.all_atoms()));
    if (s.electrostatics != Electrostatics::pme) return;
    if (!job_.box.periodic)
      refuse("particle-mesh Ewald needs a periodic box", at, "periodic = 0", "periodic = 1",
             "take electrostatics = \"plain\" for a system in vacuum");
    number(at, "ewald_coefficient times cutoff", s.ewald_coefficient * s.cutoff, 0, 6.01);
    if (s.spline_order != 4 && s.spline_order != 5 && s.spline_order != 6 && s.spline_order != 8)
      refuse("unknown spline order", at, std::to_string(s.spline_order), "4, 5, 6 or 8",
             "set [forces] spline_order to one of these");
    for (int axis = 0; axis < 3; ++axis) number(at, "mesh", s.mesh[axis], s.spline_order, 8192);
  }

  void cells() const {
    if (!job_.cells) return;
    const CellCut& cut = *job_.cells;
    const char* at = "/midpoint_cells";
    if (job_.settings.pairs != PairAssignment::midpoint)
      refuse("a job with pairs by half shells has no midpoint cells", at, "pairs = 'half-shell'",
             "pairs = 'midpoint'", "make the job again from its input");
    number_of_cells(cut.shape);
    if (cut.planes.size() != CellCut::planes_of(cut.shape))
      refuse("these are not the planes of so many cells", at + std::string("/planes"),
             std::to_string(cut.planes.size()), std::to_string(CellCut::planes_of(cut.shape)),
             "make the job again from its input");
    const auto [nx, ny, nz] = cut.shape;
    for (int x = 0; x < nx; ++x) {
      cell(0, nx, x, cut.along(0, x, 0, 0));
      for (int y = 0; y < ny; ++y) {
        cell(1, ny, y, cut.along(1, x, y, 0));
        for (int z = 0; z < nz; ++z) cell(2, nz, z, cut.along(2, x, y, z));
      }
    }
  }

  /// The cell of number `i` of `count` along an axis.
  void cell(int axis, int count, int i, const CellSpan& span) const {
    const char* at = "/midpoint_cells/planes";
    const int patches = job_.settings.patch_grid[axis];
    number(at, "thickness of a cell", static_cast<double>(span.high - span.low),
           CellCut::thinnest(patches),
           static_cast<double>(CellCut::thickest) * CellCut::edge / patches);
    if ((i == 0 && span.low != 0) || (i == count - 1 && span.high != CellCut::edge))
      refuse("cells do not fill the box", at,
             std::to_string(span.low) + " to " + std::to_string(span.high),
             "0 to " + std::to_string(CellCut::edge) + " with all cells along an axis",
             "make the job again from its input");
  }

  void dynamics() const {
    const JobDynamics& d = job_.dynamics;
    const char* at = "/dynamics";
    limits(at, d);
    if (d.steps > 0 && d.timestep == 0)
      refuse("a run needs a time step", at, "0", "above 0", "set [dynamics] timestep");
    if (d.ramp_steps > 0 && d.integrator != IntegratorKind::langevin)
      refuse("a ramp of the temperature needs a heat bath", at, "integrator = 'verlet'",
             "'langevin'", "set ensemble = \"nvt\", or give one temperature");
    if (d.thermostat_time > 0 || d.barostat != BarostatKind::none)
      number(at, "temperature of a bath", d.temperature, 1e-12, 1e3);
    if (d.barostat != BarostatKind::none) barostat();
    impulses();
    if (d.com_interval > 0 && job_.settings.rebuild_interval < 3)
      refuse("the motion of the centre of mass cannot be removed with lists rebuilt so often", at,
             "rebuild_interval = " + std::to_string(job_.settings.rebuild_interval), "at least 3",
             "rebuild less often, or set remove_com_motion = 0");
  }

  /// What a step has to have of some forces, it has only where these are evaluated.
  void impulses() const {
    const JobDynamics& d = job_.dynamics;
    const auto& s = job_.settings;
    const int n = d.long_range_interval;
    const bool mesh = s.electrostatics == Electrostatics::pme;
    if (n > 1 && !mesh)
      refuse("without particle-mesh Ewald there is no mesh that is evaluated less often",
             "/dynamics", "long_range_interval = " + std::to_string(n), "long_range_interval = 1",
             "take electrostatics = \"pme\", or leave long_range_interval out");
    const auto divides = [&](const char* where, const std::string& name, std::int64_t interval,
                             const Level& level) {
      const int every = level.interval;
      if (interval % every != 0)
        refuse(std::string(level.forces) + " " + std::string(level.verb) +
                   " not evaluated on these steps",
               where, name + " = " + std::to_string(interval), level.multiple(),
               "take " + name + " = " + std::to_string((interval / every + 1) * every));
    };
    const Level pairs = pair_level(d), all = slowest_level(d);
    if (mesh && n % d.pair_interval != 0)
      refuse("the mesh would be evaluated on steps without pair forces", "/dynamics",
             "long_range_interval = " + std::to_string(n), pairs.multiple(),
             "take long_range_interval = " + std::to_string(d.pair_interval) +
                 ", or pair_interval = 1");
    divides("/settings", "prune_interval", s.prune_interval, pairs);
    divides("/settings", "rebuild_interval", s.rebuild_interval, all);
    divides("/dynamics", "energy_interval", d.energy_interval, all);
    divides("/dynamics", "trajectory_interval", d.trajectory_interval, all);
    check_steps(d, job_.path + ":/dynamics");
  }

  void barostat() const {
    const JobDynamics& d = job_.dynamics;
    const char* at = "/dynamics";
    if (!job_.box.periodic)
      refuse("a barostat needs a periodic box", at, "a barostat without a box", "a box",
             "take constant volume for a system in vacuum");
    if (d.barostat == BarostatKind::monte_carlo) return monte_carlo();
    if (d.barostat != BarostatKind::langevin_piston) return;
    const double interval = job_.settings.rebuild_interval * d.timestep;
    // A user may write the limit, with another rounding.
    number(at, "piston_period", d.piston_period, 10 * interval * (1 - 1e-12), 1e12);
    if (d.coupling != BoxCoupling::isotropic)
      refuse("a piston scales all edges alike", at, "another coupling", "coupling = isotropic",
             "take stochastic rescaling for edges that change by themselves");
  }

  void monte_carlo() const {
    const JobDynamics& d = job_.dynamics;
    const char* at = "/dynamics";
    const int rebuild = job_.settings.rebuild_interval;
    number(at, "barostat_interval", static_cast<double>(d.barostat_interval), rebuild, 1e9);
    if (d.barostat_interval % rebuild != 0)
      refuse("the volume is tried at steps on which lists are rebuilt", at,
             "barostat_interval = " + std::to_string(d.barostat_interval),
             "a multiple of rebuild_interval = " + std::to_string(rebuild),
             "take another barostat_interval, or a rebuild_interval that divides it");
    if (d.ramp_steps > 0)
      refuse("a Monte Carlo barostat needs one temperature", at, "a ramp", "ramp_steps = 0",
             "give one temperature, or take stochastic rescaling");
    if (d.coupling != BoxCoupling::isotropic)
      refuse("a Monte Carlo barostat scales all edges alike", at, "another coupling",
             "coupling = isotropic",
             "take stochastic rescaling for edges that change by themselves");
  }

  const Job& job_;
};

}  // namespace

void check_steps(const JobDynamics& dynamics, const std::string& where) {
  const Level all = slowest_level(dynamics);
  const int n = all.interval;
  const std::int64_t beyond = dynamics.steps % n;
  if (beyond == 0) return;
  throw InputError(
      {.what = "the run would end between two evaluations of " + std::string(all.forces),
       .where = where,
       .value = std::to_string(dynamics.steps) + " steps",
       .limit = all.multiple(),
       .hint = "take " + std::to_string(dynamics.steps - beyond) + " or " +
               std::to_string(dynamics.steps - beyond + n) + " steps"});
}

void check_number_of_cells(const Job& job, const std::array<int, 3>& shape) {
  Checker(job).number_of_cells(shape);
}

void check_job(const Job& job) {
  Checker(job).everything();
}

}  // namespace fg
