// SPDX-License-Identifier: BSD-3-Clause
//
// Exchanges of places where a link has a price for each byte: that of a heavy link is high. The sum
// of prices on the way is kept for each pair of places, so that the exchanges which gain most are
// found without a look at ways. It is a table like that of exchange_table.hpp, for fewer ranks and
// nodes (adapted_places.cpp).
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "topology/machines/machine.hpp"
#include "topology/ranks/slot_places.hpp"

namespace fg::topology {

class WayPrices {
 public:
  WayPrices(std::span<const Traffic> traffic, const Machine& machine,
            std::span<const int> node_of_slot);

  void start(std::span<const int> slot_of_rank, std::span<const double> price_of_link);

  struct Partner {
    float gain;
    int rank;
  };
  /// At most so many ranks with which an exchange gains, those that gain most first. Valid until
  /// the next call.
  std::span<const Partner> partners(int rank, std::size_t most);
  void exchange(int one, int other) {
    std::swap(place_of_rank_[as_index(one)], place_of_rank_[as_index(other)]);
  }

 private:
  struct Message {
    int rank;
    float bytes;
  };
  /// The messages of each rank, with the rank at their other end.
  struct Messages {
    Messages(std::span<const Traffic> traffic, std::size_t ranks, int Traffic::*rank,
             int Traffic::*other);
    std::span<const Message> of(int rank) const {
      const std::size_t begin = first[as_index(rank)];
      return std::span(all).subspan(begin, first[as_index(rank) + 1] - begin);
    }

    std::vector<std::size_t> first;
    std::vector<Message> all;
  };

  static std::size_t as_index(int number) noexcept { return static_cast<std::size_t>(number); }
  std::size_t places() const noexcept { return slots_.nodes.size(); }
  /// A row of `from_` or `to_`.
  const float* row(const std::vector<float>& prices, int place) const noexcept {
    return prices.data() + as_index(place) * places();
  }
  float cost(int rank, int place) const noexcept;
  void count_costs(int rank);

  const Machine& machine_;
  SlotPlaces slots_;
  Messages sent_, received_;
  std::vector<int> routers_, router_of_place_;  // each router once; an index of it
  std::vector<float> of_routers_;               // [router][router] the prices of a way added up
  std::vector<float> from_, to_;                // [place][place] the same from it, and to it
  std::vector<int> place_of_rank_;
  std::vector<float> costs_;   // [place] of the messages of the rank in question, if it were there
  std::vector<float> shared_;  // [rank] bytes with the rank in question
  std::vector<Partner> partners_;
};

}  // namespace fg::topology
