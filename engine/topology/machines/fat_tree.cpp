// SPDX-License-Identifier: BSD-3-Clause
#include "topology/machines/fat_tree.hpp"

#include <numeric>
#include <utility>

namespace fg::topology {

namespace {

/// Branches and switches of a branch, for each level.
std::vector<std::pair<long long, long long>> sizes_of(const FatTreeDescription& description) {
  std::vector<std::pair<long long, long long>> sizes(description.down.size(), {1, 1});
  for (std::size_t level = sizes.size(); level-- > 1;)
    sizes[level - 1].first = sizes[level].first * description.down[level];
  for (std::size_t level = 1; level < sizes.size(); ++level)
    sizes[level].second = sizes[level - 1].second * description.up[level - 1];
  return sizes;
}

}  // namespace

long long switches_of(const FatTreeDescription& description) {
  long long sum = 0;
  for (const auto& [branches, width] : sizes_of(description)) sum += branches * width;
  return sum;
}

FatTree::FatTree(MachineParts parts, const FatTreeDescription& description)
    : Machine(std::move(parts)) {
  int switches = 0;
  const auto sizes = sizes_of(description);
  for (std::size_t level = 0; level < sizes.size(); ++level) {
    const int branches = static_cast<int>(sizes[level].first);
    const int width = static_cast<int>(sizes[level].second);
    const bool top = level + 1 == sizes.size();
    levels_.push_back({.branches = branches,
                       .width = width,
                       .branches_above = top ? 1 : description.down[level + 1],
                       .first_switch = switches,
                       .first_link = 0,
                       .links = top ? 0 : width * description.up[level]});
    switches += branches * width;
  }
  for (std::size_t level = 0; level + 1 < levels_.size(); ++level) {
    Level& here = levels_[level];
    const Level& above = levels_[level + 1];
    Speed speed = description.speeds.empty()       ? Speed{}
                  : description.speeds.size() == 1 ? description.speeds.front()
                                                   : description.speeds[level];
    if (!description.cables.empty()) speed.bandwidth *= description.cables[level];
    here.first_link = links();
    for (int branch = 0; branch < here.branches; ++branch)
      for (int inside = 0; inside < here.width; ++inside)
        for (int up = 0; up < description.up[level]; ++up) {
          const int from = here.first_switch + branch * here.width + inside;
          const int to = above.first_switch + branch / here.branches_above * above.width + inside +
                         up * here.width;
          add_link({from, to, speed});
          add_link({to, from, speed});
        }
  }
}

int FatTree::router_hops(int from, int to) const {
  int hops = 0;
  for (std::size_t level = 0; from != to; ++level, hops += 2) {
    from /= levels_[level].branches_above;
    to /= levels_[level].branches_above;
  }
  return hops;
}

void FatTree::router_route(int from, int to, std::vector<LinkShare>& out) const {
  for (std::size_t level = 0; from != to; ++level) {
    const Level& at = levels_[level];
    const double share = 1.0 / at.links;
    const int up = at.first_link + 2 * from * at.links;
    const int down = at.first_link + 2 * to * at.links + 1;
    for (int i = 0; i < at.links; ++i) out.push_back({up + 2 * i, share});
    for (int i = 0; i < at.links; ++i) out.push_back({down + 2 * i, share});
    from /= at.branches_above;
    to /= at.branches_above;
  }
}

std::vector<HopAxis> FatTree::hop_axes() const {
  // Two routers in different branches of a level go up from it, and down to it.
  std::vector<HopAxis> all;
  std::vector<int> branch(as_index(routers()));
  std::iota(branch.begin(), branch.end(), 0);
  for (const Level& level : levels_) {
    if (level.branches == 1) break;
    all.push_back({.position_of_router = branch, .positions = level.branches, .apart = 2});
    for (int& one : branch) one /= level.branches_above;
  }
  return all;
}

void FatTree::router_way(int from, int to, unsigned choice, std::vector<int>& out) const {
  const std::size_t before = out.size();
  std::size_t ups = 0;
  int inside = 0;
  for (std::size_t level = 0; from != to; ++level, ++ups) {
    const Level& at = levels_[level];
    const int ways = at.links / at.width;  // up from a switch
    const int up = static_cast<int>(choice % static_cast<unsigned>(ways));
    choice /= static_cast<unsigned>(ways);
    const int link = at.first_link + 2 * (inside * ways + up);
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(before + ups), link + 2 * from * at.links);
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(before + ups + 1),
               link + 2 * to * at.links + 1);
    inside += up * at.width;
    from /= at.branches_above;
    to /= at.branches_above;
  }
}

std::string FatTree::router_name(int router) const {
  std::size_t level = levels_.size() - 1;
  while (levels_[level].first_switch > router) --level;
  const std::string number = std::to_string(router - levels_[level].first_switch);
  if (level == 0) return "leaf switch " + number;
  return "switch " + number + " of level " + std::to_string(level + 1);
}

}  // namespace fg::topology
