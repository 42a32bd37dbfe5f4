// SPDX-License-Identifier: BSD-3-Clause
#include "particles/fragment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"

namespace fg {

namespace {

std::string name(std::int32_t atom) {
  return "atom " + std::to_string(atom + 1);
}
std::string names(std::int32_t a, std::int32_t b) {
  return "atoms " + std::to_string(a + 1) + " and " + std::to_string(b + 1);
}

/// A constraint of a fragment during classification, by input index, a < b.
struct OpenConstraint {
  std::int32_t a, b;
  double distance;
};

/// Removes repetitions; two different distances for one pair are an error.
void merge_repeated(std::vector<OpenConstraint>& list) {
  std::sort(list.begin(), list.end(), [](const OpenConstraint& p, const OpenConstraint& q) {
    return std::pair(p.a, p.b) < std::pair(q.a, q.b);
  });
  std::size_t kept = 0;
  for (const OpenConstraint& c : list) {
    if (kept > 0 && list[kept - 1].a == c.a && list[kept - 1].b == c.b) {
      // Files give distances with at least six digits; a larger difference is a contradiction.
      if (std::abs(list[kept - 1].distance - c.distance) > 1e-6 * c.distance)
        throw InputError({.what = names(c.a, c.b) + " have two constraints of different length",
                          .value = std::to_string(c.distance) + " bohr",
                          .limit = std::to_string(list[kept - 1].distance) + " bohr",
                          .hint = "keep one of them"});
      continue;
    }
    list[kept++] = c;
  }
  list.resize(kept);
}

/// The centre of a star, or -1.
std::int32_t star_centre(const std::vector<OpenConstraint>& list, std::size_t atoms) {
  if (list.size() + 1 != atoms || list.empty() || list.size() > max_star_leaves) return -1;
  for (const std::int32_t candidate : {list[0].a, list[0].b})
    if (std::all_of(list.begin(), list.end(),
                    [&](const OpenConstraint& c) { return c.a == candidate || c.b == candidate; }))
      return candidate;
  return -1;
}

/// How far atoms that no constraint holds may get apart, in units of their distance at the start.
constexpr double stretch = 1.5;

/// The longest path from the first atom along ties. For an atom that no chain of ties reaches, it
/// is `stretch` times the starting distance.
double reach_of(std::span<const std::int32_t> atoms, std::span<const FragmentConstraint> ties,
                std::span<const Vec3> positions) {
  const std::size_t n = atoms.size();
  std::vector<double> length(n, -1.0);
  length[0] = 0;
  for (std::size_t round = 0; round < n; ++round)
    for (const FragmentConstraint& c : ties)
      for (const auto& [from, to] : {std::pair(c.a, c.b), std::pair(c.b, c.a)})
        if (length[from] >= 0 && (length[to] < 0 || length[from] + c.distance < length[to]))
          length[to] = length[from] + c.distance;
  double reach = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double here =
        length[i] >= 0 ? length[i] : stretch * norm(positions[atoms[i]] - positions[atoms[0]]);
    reach = std::max(reach, here);
  }
  return reach;
}

/// The atom from which the longest path along ties is shortest; the first of equals. It
/// decides which patch holds the fragment, so that patches need not be wider than necessary.
std::int32_t middle_of(const std::vector<std::int32_t>& atoms,
                       const std::vector<OpenConstraint>& list) {
  const std::size_t n = atoms.size();
  const auto place = [&](std::int32_t atom) {
    return static_cast<std::size_t>(std::find(atoms.begin(), atoms.end(), atom) - atoms.begin());
  };
  std::vector<double> length(n * n, std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < n; ++i) length[i * n + i] = 0;
  for (const OpenConstraint& c : list) {
    const std::size_t a = place(c.a), b = place(c.b);
    length[a * n + b] = length[b * n + a] = std::min(length[a * n + b], c.distance);
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        length[i * n + j] = std::min(length[i * n + j], length[i * n + k] + length[k * n + j]);
  std::size_t best = 0;
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = length.begin() + static_cast<std::ptrdiff_t>(i * n);
    const double longest = *std::max_element(row, row + static_cast<std::ptrdiff_t>(n));
    // Equal but for rounding is equal.
    if (longest < shortest * (1 - 1e-9)) shortest = longest, best = i;
  }
  return atoms[best];
}

struct OpenFragment {
  std::vector<std::int32_t> atoms;  // without virtual sites
  std::vector<OpenConstraint> constraints;
  std::vector<OpenConstraint> parents;  // pairs that virtual sites keep near each other
  std::vector<std::int32_t> sites;      // indices into the topology's
  std::int32_t water = -1;              // index into the topology's waters
};

WaterGeometry geometry_of(const Water& water, std::span<const double> masses) {
  return {water.r_oh, water.r_hh, masses[water.atoms[0]], masses[water.atoms[1]]};
}

/// Distances from files differ in their last digits between waters that are meant to be equal.
bool alike(const WaterGeometry& a, const WaterGeometry& b) {
  const auto close = [](double p, double q) { return std::abs(p - q) <= 1e-8 * q; };
  return close(a.r_oh, b.r_oh) && close(a.r_hh, b.r_hh) && close(a.mass_o, b.mass_o) &&
         close(a.mass_h, b.mass_h);
}

/// The geometry that most waters have; the first one if several are equally frequent.
WaterGeometry common_geometry(const std::vector<Water>& waters, std::span<const double> masses) {
  std::vector<std::pair<WaterGeometry, int>> seen;
  for (const Water& water : waters) {
    const WaterGeometry here = geometry_of(water, masses);
    auto it = std::find_if(seen.begin(), seen.end(),
                           [&](const auto& other) { return alike(here, other.first); });
    if (it == seen.end()) it = seen.insert(it, {here, 0});
    ++it->second;
  }
  const auto most = std::max_element(
      seen.begin(), seen.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == seen.end() ? WaterGeometry{} : most->first;
}

bool settles(const Water& water, const OpenFragment& fragment, std::span<const double> masses,
             const WaterGeometry& common) {
  return fragment.atoms.size() == 3 && alike(geometry_of(water, masses), common) &&
         masses[water.atoms[1]] == masses[water.atoms[2]];
}

/// What keeps the atoms of a fragment near each other.
std::vector<OpenConstraint> ties_of(const OpenFragment& fragment) {
  auto ties = fragment.constraints;
  ties.insert(ties.end(), fragment.parents.begin(), fragment.parents.end());
  return ties;
}

/// One entry for each atom: whether it is a virtual site.
std::vector<std::uint8_t> mark_sites(const std::vector<VirtualSite>& sites, std::int32_t atoms) {
  std::vector<std::uint8_t> is_site(atoms, 0);
  for (const VirtualSite& site : sites) {
    FG_CHECK(site.site >= 0 && site.site < atoms && site.parent_count() > 0);
    if (is_site[site.site]++)
      throw InputError({.what = name(site.site) + " is a virtual site twice", .hint = "keep one"});
  }
  for (const VirtualSite& site : sites)
    for (int k = 0; k < site.parent_count(); ++k)
      if (is_site[site.parents[k]])
        throw InputError({.what = "the virtual site " + name(site.site) +
                                  " depends on another one, " + name(site.parents[k]),
                          .hint = "give it parents that are atoms"});
  return is_site;
}

}  // namespace

FragmentTable::FragmentTable(const Topology& topology,
                             std::span<const std::int32_t> fragment_of_atom,
                             std::span<const double> masses, std::span<const Vec3> positions,
                             const Copies& copies) {
  const auto atoms = static_cast<std::int32_t>(fragment_of_atom.size());
  FG_CHECK(masses.size() == fragment_of_atom.size());
  FG_CHECK(positions.size() == fragment_of_atom.size());

  of_atom_.resize(atoms);
  const auto& sites = topology.virtual_sites;
  const std::vector<std::uint8_t> is_site = mark_sites(sites, atoms);
  std::unordered_map<std::int32_t, std::int32_t> number;  // from the input's number to ours
  std::vector<OpenFragment> open;
  for (std::int32_t atom = 0; atom < atoms; ++atom) {
    const auto next = static_cast<std::int32_t>(open.size());
    const auto [found, is_new] = number.try_emplace(fragment_of_atom[atom], next);
    if (is_new) open.emplace_back();
    of_atom_[atom] = found->second;
    if (!is_site[atom]) open[found->second].atoms.push_back(atom);
  }

  const auto check_atom = [&](std::int32_t atom) {
    if (atom < 0 || atom >= atoms)
      throw InputError(
          {.what = "a constraint names " + name(atom), .limit = std::to_string(atoms) + " atoms"});
  };
  const auto add = [&](std::int32_t a, std::int32_t b, double distance) {
    check_atom(a);
    check_atom(b);
    if (a == b || !(distance > 0))
      throw InputError({.what = "the constraint between " + names(a, b) + " has no length",
                        .value = std::to_string(distance) + " bohr"});
    if (is_site[a] || is_site[b])
      throw InputError({.what = "the constraint between " + names(a, b) + " holds a virtual site",
                        .hint = "take it out: the place of a site follows from its parents"});
    if (of_atom_[a] != of_atom_[b])
      throw InputError({.what = names(a, b) + " are constrained but belong to two fragments",
                        .hint = "give both atoms the same number in /atoms/fragment"});
    open[of_atom_[a]].constraints.push_back({std::min(a, b), std::max(a, b), distance});
  };
  for (const Constraint& c : topology.constraints) add(c.atoms[0], c.atoms[1], c.distance);
  for (std::size_t w = 0; w < topology.waters.size(); ++w) {
    const Water& water = topology.waters[w];
    const auto& [o, h1, h2] = water.atoms;
    add(o, h1, water.r_oh);
    add(o, h2, water.r_oh);
    add(h1, h2, water.r_hh);
    open[of_atom_[o]].water = static_cast<std::int32_t>(w);
  }

  for (std::size_t i = 0; i < sites.size(); ++i) {
    const VirtualSite& site = sites[i];
    OpenFragment& fragment = open[of_atom_[site.site]];
    fragment.sites.push_back(static_cast<std::int32_t>(i));
    const std::int32_t first = site.parents[0];
    for (int k = 0; k < site.parent_count(); ++k) {
      const std::int32_t parent = site.parents[k];
      if (of_atom_[parent] != of_atom_[site.site])
        throw InputError({.what = "the virtual site " + name(site.site) + " and its parent " +
                                  name(parent) + " belong to two fragments",
                          .hint = "give both the same number in /atoms/fragment"});
      if (k > 0)
        fragment.parents.push_back({std::min(first, parent), std::max(first, parent),
                                    stretch * norm(positions[parent] - positions[first])});
    }
  }

  water_ = common_geometry(topology.waters, masses);

  first_atom_.push_back(0);
  first_constraint_.push_back(0);
  first_site_.push_back(0);
  std::vector<std::int32_t> place(atoms, 0);
  for (OpenFragment& fragment : open) {
    merge_repeated(fragment.constraints);
    FragmentKind kind = fragment.constraints.empty() ? FragmentKind::free : FragmentKind::general;
    if (fragment.water >= 0 && settles(topology.waters[fragment.water], fragment, masses, water_)) {
      kind = FragmentKind::water;
      const auto& order = topology.waters[fragment.water].atoms;
      fragment.atoms.assign(order.begin(), order.end());
    } else if (kind == FragmentKind::general || !fragment.sites.empty()) {
      auto first = star_centre(fragment.constraints, fragment.atoms.size());
      if (first >= 0)
        kind = FragmentKind::star;
      else
        first = middle_of(fragment.atoms, ties_of(fragment));
      std::stable_partition(fragment.atoms.begin(), fragment.atoms.end(),
                            [&](std::int32_t atom) { return atom == first; });
    }
    kind_.push_back(kind);
    for (const std::int32_t i : fragment.sites) fragment.atoms.push_back(sites[i].site);
    for (std::size_t i = 0; i < fragment.atoms.size(); ++i)
      place[fragment.atoms[i]] = static_cast<std::int32_t>(i);
    const auto inside = [&](const OpenConstraint& c) {
      return FragmentConstraint{std::min(place[c.a], place[c.b]), std::max(place[c.a], place[c.b]),
                                c.distance};
    };
    for (const OpenConstraint& c : fragment.constraints) constraints_.push_back(inside(c));
    std::sort(constraints_.begin() + first_constraint_.back(), constraints_.end(),
              [](const FragmentConstraint& p, const FragmentConstraint& q) {
                return std::pair(p.a, p.b) < std::pair(q.a, q.b);
              });
    atoms_.insert(atoms_.end(), fragment.atoms.begin(), fragment.atoms.end());
    first_atom_.push_back(static_cast<std::int32_t>(atoms_.size()));
    first_constraint_.push_back(static_cast<std::int32_t>(constraints_.size()));
    sites_.insert(sites_.end(), fragment.sites.begin(), fragment.sites.end());
    first_site_.push_back(static_cast<std::int32_t>(sites_.size()));
    const int last = size_of_copy() - 1;
    std::vector<FragmentConstraint> ties(constraints(last).begin(), constraints(last).end());
    for (const OpenConstraint& pair : fragment.parents) ties.push_back(inside(pair));
    for (const std::int32_t i : fragment.sites) {
      const Vec3& at = positions[sites[i].site];
      for (int k = 0; k < sites[i].parent_count(); ++k) {
        const std::int32_t parent = sites[i].parents[k];
        ties.push_back(
            {place[parent], place[sites[i].site], stretch * norm(at - positions[parent])});
      }
    }
    reach_ = std::max(reach_, reach_of(own_atoms(last), ties, positions));
  }
  copies_ = copies;
}

}  // namespace fg
