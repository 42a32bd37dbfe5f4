// SPDX-License-Identifier: BSD-3-Clause
//
// Exchanges of places that take bytes off the heaviest links. Exchanges that lower bytes times hops
// (exchange_table.hpp) do not see how these bytes lie on the links, so a few links may carry much
// more than the others. Here the sum over all links of the eighth power of their bytes becomes
// less, which is nearly the power of the heaviest. Messages may then take more links in all.
//
// With whom a rank may change places well is told by the price of a byte on each link, for few
// ranks (way_prices.hpp). Of many ranks those that are near are tried, by their largest messages.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "topology/machines/link_loads.hpp"
#include "topology/machines/machine.hpp"
#include "topology/ranks/way_prices.hpp"

namespace fg::topology {

class LinkRelief {
 public:
  /// `traffic` is between ranks; it is not copied. `few` ranks and nodes get a table of prices.
  LinkRelief(std::span<const Traffic> traffic, const Machine& machine,
             std::span<const int> node_of_slot, bool few);

  /// Returns whether the heaviest link carries less now; if not, all ranks stay. The bytes times
  /// hops grow by at most this share of themselves. The number of links that are looked at is
  /// bounded: on a large machine some stay heavy that more work would relieve.
  bool relieve(std::span<int> slot_of_rank, double share);

 private:
  /// Entries of `traffic_` that name a rank as the sender, or as the receiver.
  class Entries {
   public:
    Entries(std::span<const Traffic> traffic, int Traffic::*rank, std::size_t ranks);
    /// At most so many, those with most bytes first. A rank's are sorted when they are first asked
    /// for: most ranks are never.
    std::span<const std::uint32_t> of(int rank, std::size_t most);

   private:
    void sort(std::span<std::uint32_t> entries);

    std::span<const Traffic> traffic_;
    std::vector<std::size_t> first_;
    std::vector<std::uint32_t> entry_;
    std::vector<char> is_sorted_;
    std::vector<std::pair<std::int64_t, std::uint32_t>> sorted_;  // minus the bytes, and the entry
  };

  void start(std::span<const int> slot_of_rank);
  /// One exchange for each rank with messages on hot links. Returns whether there was any.
  bool round(std::span<int> slot_of_rank);
  void set_prices(std::span<const int> slot_of_rank);
  /// Ranks with messages on links that carry nearly as much as the heaviest, most such bytes first.
  std::vector<int> ranks_on_hot_links();
  std::vector<int> ranks_near(int rank);
  /// At most so many that may be worth an exchange, the best first.
  std::vector<int> promising_partners(int rank);
  struct Outcome {
    double gain;       // by how much the sum of powers falls
    double hop_bytes;  // by how much they grow
  };
  /// What an exchange would do, with so many entries of each rank each way. Fills `change_`.
  Outcome outcome_of(int one, int other, std::size_t entries);
  /// With whom an exchange gains; then `change_` is what it does. -1 if there is none.
  int best_partner(int rank);
  void change(int from, int to, double bytes);
  void forget_change();
  int heaviest_link() const;
  bool has_one_rank_a_node() const;

  std::span<const Traffic> traffic_;
  const Machine& machine_;
  std::span<const int> node_of_slot_;
  Entries sent_, received_;
  std::optional<WayPrices> prices_;  // of few ranks

  std::vector<int> node_of_rank_;
  std::vector<double> bytes_;   // of each link
  std::vector<double> change_;  // of each link, by the exchange in question
  std::vector<char> is_changed_;
  std::vector<int> changed_;
  std::vector<LinkShare> way_;
  double scale_ = 1;
  double hop_bytes_ = 0, hop_bytes_limit_ = 0;
  std::int64_t links_left_ = 0;  // to be looked at
};

}  // namespace fg::topology
