// SPDX-License-Identifier: BSD-3-Clause
#include "traffic_columns.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "base/error.hpp"

namespace nb = nanobind;
namespace topology = fg::topology;

namespace {

/// The length of all columns, whose ranks exist.
std::size_t checked_size(const TrafficColumns& columns, int ranks) {
  const auto& [from, to, bytes, messages] = columns;
  const std::size_t size = from.size();
  if (to.size() != size || bytes.size() != size || messages.size() != size)
    throw nb::value_error("columns of traffic are equally long");
  for (const Column<std::int32_t>* const column : {&from, &to})
    for (std::size_t i = 0; i < size; ++i)
      if (const std::int32_t rank = column->data()[i]; rank < 0 || rank >= ranks)
        throw fg::InputError({.what = "traffic of a rank that does not exist",
                              .value = std::to_string(rank),
                              .limit = "0 to " + std::to_string(ranks - 1)});
  return size;
}

/// What one sender sends to each receiver.
class FromSender {
 public:
  explicit FromSender(int ranks) : place_(static_cast<std::size_t>(ranks), -1) {}

  void add(int to, double bytes, double messages) {
    int& place = place_[static_cast<std::size_t>(to)];
    if (place < 0) {
      place = static_cast<int>(sums_.size());
      sums_.push_back({.to = to, .bytes = 0, .messages = 0});
    }
    sums_[static_cast<std::size_t>(place)].bytes += bytes;
    sums_[static_cast<std::size_t>(place)].messages += messages;
  }

  /// Calls visit(receiver, bytes, messages) in the order of receivers, and forgets them.
  template <class Visit>
  void take(const Visit& visit) {
    std::ranges::sort(sums_, {}, &Sum::to);
    for (const Sum& sum : sums_) {
      place_[static_cast<std::size_t>(sum.to)] = -1;
      visit(sum.to, sum.bytes, sum.messages);
    }
    sums_.clear();
  }

 private:
  struct Sum {
    int to;
    double bytes, messages;
  };

  std::vector<int> place_;  // of a receiver in `sums_`
  std::vector<Sum> sums_;
};

}  // namespace

std::vector<topology::Traffic> traffic_of(const TrafficColumns& columns, int ranks) {
  const std::size_t size = checked_size(columns, ranks);
  const auto& [from, to, bytes, messages] = columns;
  std::vector<topology::Traffic> traffic;
  traffic.reserve(size);
  for (std::size_t i = 0; i < size; ++i)
    traffic.push_back({.from = from.data()[i],
                       .to = to.data()[i],
                       .bytes = std::llrint(bytes.data()[i]),
                       .messages = std::llrint(messages.data()[i])});
  return traffic;
}

nb::tuple sum_traffic(int ranks, const std::vector<TrafficColumns>& parts) {
  if (ranks < 0) throw nb::value_error("ranks are counted");
  std::vector<std::size_t> first{0};  // entry of each part, where all are in one row
  std::vector<std::size_t> next(static_cast<std::size_t>(ranks) + 1);  // entry of each sender
  for (const TrafficColumns& part : parts) {
    first.push_back(first.back() + checked_size(part, ranks));
    for (std::size_t i = 0; i < std::get<0>(part).size(); ++i)
      ++next[static_cast<std::size_t>(std::get<0>(part).data()[i]) + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> entries(first.back());  // by sender, else in their order
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (std::size_t i = 0; i < std::get<0>(parts[p]).size(); ++i)
      entries[next[static_cast<std::size_t>(std::get<0>(parts[p]).data()[i])]++] =
          static_cast<std::uint32_t>(first[p] + i);

  std::vector<std::int32_t> senders, receivers;
  std::vector<double> bytes, messages;
  for (auto* column : {&senders, &receivers}) column->reserve(entries.size());
  for (auto* column : {&bytes, &messages}) column->reserve(entries.size());
  FromSender sums(ranks);
  std::size_t at = 0;
  for (int from = 0; from < ranks; ++from) {
    for (; at < next[static_cast<std::size_t>(from)]; ++at) {
      const auto part =
          static_cast<std::size_t>(std::ranges::upper_bound(first, entries[at]) - first.begin()) -
          1;
      const std::size_t i = entries[at] - first[part];
      if (const int to = std::get<1>(parts[part]).data()[i]; to != from)
        sums.add(to, std::get<2>(parts[part]).data()[i], std::get<3>(parts[part]).data()[i]);
    }
    sums.take([&](int to, double size, double number) {
      senders.push_back(from);
      receivers.push_back(to);
      bytes.push_back(size);
      messages.push_back(number);
    });
  }
  const std::size_t pairs = senders.size();
  return nb::make_tuple(as_array(std::move(senders), pairs), as_array(std::move(receivers), pairs),
                        as_array(std::move(bytes), pairs), as_array(std::move(messages), pairs));
}
