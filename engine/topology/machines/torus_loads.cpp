// SPDX-License-Identifier: BSD-3-Clause
//
// Loads of the links of a torus. A message changes the load of a line where a stretch of its way
// begins and where it ends; sums along the line then give the loads of its links. Bytes and
// messages are whole numbers or halves, so that these sums are exact.
#include "topology/machines/torus_ways.hpp"

namespace fg::topology {

double Torus::load_links(std::span<const Traffic> traffic, std::span<const int> node_of_rank,
                         std::span<double> bytes, std::span<double> messages) const {
  struct Load {
    double bytes = 0, messages = 0;
  };
  std::vector<Load> changes(places_);  // from the link before
  std::vector<LinkShare> around;
  double hop_bytes = 0;
  for (const Traffic& one : traffic) {
    const int from = router(node_of_rank[as_index(one.from)]);
    const int to = router(node_of_rank[as_index(one.to)]);
    const double size = static_cast<double>(one.bytes), number = static_cast<double>(one.messages);
    if (any_gone_ && is_blocked(from, to)) {
      around.clear();
      router_route(from, to, around);
      for (const LinkShare& way : around) {
        bytes[as_index(way.link)] += way.share * size;
        messages[as_index(way.link)] += way.share * number;
        hop_bytes += way.share * size;
      }
      continue;
    }
    for_each_stretch(from, to, Ties::both, [&](const Stretch& stretch) {
      const double more = stretch.share * size, more_messages = stretch.share * number;
      hop_bytes += stretch.number * more;
      const auto change = [&](int position, double sign) {
        Load& load = changes[stretch.first + as_index(position) * stretch.step];
        load.bytes += sign * more;
        load.messages += sign * more_messages;
      };
      const int end = stretch.begin + stretch.number;
      change(stretch.begin, 1);
      if (end > stretch.length) change(0, 1);
      change(end > stretch.length ? end - stretch.length : end, -1);
    });
  }
  for_each_line([&](std::size_t place, std::size_t step, int length) {
    Load load;
    for (int i = 0; i < length; ++i, place += step) {
      load.bytes += changes[place].bytes;
      load.messages += changes[place].messages;
      if (link_at_[place] < 0) continue;
      bytes[as_index(link_at_[place])] += load.bytes;
      messages[as_index(link_at_[place])] += load.messages;
    }
  });
  return hop_bytes;
}

std::vector<double> Torus::sums_on_lines(std::span<const double> value_of_link) const {
  std::vector<double> before(places_);
  for_each_line([&](std::size_t place, std::size_t step, int length) {
    double sum = 0;
    for (int i = 0; i < length; ++i, place += step) {
      if (link_at_[place] >= 0) sum += value_of_link[as_index(link_at_[place])];
      before[place + step] = sum;
    }
  });
  return before;
}

std::vector<double> Torus::sums_over_ways(std::span<const Traffic> traffic,
                                          std::span<const int> node_of_rank,
                                          std::span<const double> value_of_link) const {
  const std::vector<double> before = sums_on_lines(value_of_link);
  std::vector<double> sums(node_of_rank.size());
  std::vector<LinkShare> around;
  for (const Traffic& one : traffic) {
    const int from = router(node_of_rank[as_index(one.from)]);
    const int to = router(node_of_rank[as_index(one.to)]);
    double value = 0;
    if (any_gone_ && is_blocked(from, to)) {
      around.clear();
      router_route(from, to, around);
      for (const LinkShare& way : around) value += way.share * value_of_link[as_index(way.link)];
    } else {
      for_each_stretch(from, to, Ties::both, [&](const Stretch& stretch) {
        value += stretch.share * sum_over(stretch, std::span<const double>(before));
      });
    }
    sums[as_index(one.from)] += value * static_cast<double>(one.bytes);
    sums[as_index(one.to)] += value * static_cast<double>(one.bytes);
  }
  return sums;
}

/// The ways from one router to all share their first parts: what is known of the routers at the end
/// of the first axes serves for those along the next one.
void Torus::sums_to_all(int from, std::span<const double> before, std::span<double> sums,
                        std::vector<int>& reached) const {
  reached.assign(1, from);
  sums[as_index(from)] = 0;
  for (int number = 0; number < axes(); ++number) {
    const Axis& axis = axes_[as_index(number)];
    const int at = position(from, number);
    for (std::size_t i = 0, known = reached.size(); i < known; ++i) {
      const int here = reached[i];
      for (int to = 0; to < axis.length; ++to) {
        if (to == at) continue;
        double sum = sums[as_index(here)];
        for_each_stretch_on(number, here, to - at, Ties::both, [&](const Stretch& stretch) {
          sum += stretch.share * sum_over(stretch, before);
        });
        const int there = here + (to - at) * axis.stride;
        sums[as_index(there)] = sum;
        reached.push_back(there);
      }
    }
  }
}

void Torus::sums_of_ways(std::span<const int> among, std::span<const double> value_of_link,
                         std::span<float> sums) const {
  const std::vector<double> before = sums_on_lines(value_of_link);
  std::vector<double> to_all(as_index(routers()));
  std::vector<int> reached;
  std::size_t pair = 0;
  for (const int from : among) {
    sums_to_all(from, before, to_all, reached);
    for (const int to : among) {
      double value = to_all[as_index(to)];
      if (any_gone_ && is_blocked(from, to)) {
        value = 0;
        detours_->for_each_link(from, to,
                                [&](int link) { value += value_of_link[as_index(link)]; });
      }
      sums[pair++] = static_cast<float>(value);
    }
  }
}

}  // namespace fg::topology
