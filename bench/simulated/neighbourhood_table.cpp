// SPDX-License-Identifier: BSD-3-Clause
//
// Fitch et al. (2005), table I: every node sends the positions of its atoms to all nodes within
// reach, and gets forces on them back from each. Atoms are scattered at random in a cubic box that
// is divided into one box per node. The neighbourhood of a node are the nodes nearer to its box
// than the reach. Prints the mean over nodes and rounds of either phase, as JSON.
//
// Usage: neighbourhood_table X Y Z ATOMS BOX REACH ROUNDS (lengths in angstrom)
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "machine_clock.hpp"
#include "runtime/runtime.hpp"
#include "transport/mpi/mpi_transport.hpp"

namespace fg::bench {
namespace {

using Index = std::array<int, 3>;

struct Setup {
  Index nodes{};
  double box = 0, reach = 0;
  int rounds = 0;
  std::vector<int> atoms;  // of each node
};

/// Three whole numbers or three doubles for each atom.
struct AtomsMessage : Message {
  std::int32_t from;
  std::int32_t atoms;
};

class Node : public Chare<Node, 3> {
 public:
  explicit Node(std::shared_ptr<const Setup> setup) : setup_(std::move(setup)) {}

  /// A phase begins at this time: the first, third and so on are broadcasts.
  void begin(double when) {
    // this message may be on its way from here to other processes
    if (seconds() < when) drive_network();
    hold_until(when);
    begun_ = when;
    if (phase_ % 2 == 0) {
      auto message = make_message<AtomsMessage>(own_atoms() * 3 * sizeof(double));
      message->from = ordinal();
      message->atoms = static_cast<std::int32_t>(own_atoms());
      std::fill_n(message->trailing<double>(), own_atoms() * 3, 1.0);
      neighbours_.multicast<&Node::positions>(message);
    } else {
      for (const auto& positions : heard_) return_forces(*positions);
      heard_.clear();
      sum_.assign(own_atoms() * 3, 0);
    }
    begun_phase_ = true;
    advance();
  }
  void positions(Ref<const AtomsMessage> message) {
    heard_.push_back(std::move(message));
    ++come_;
    advance();
  }
  void forces(Ref<const AtomsMessage> message) {
    kept_.push_back(std::move(message));
    charge(static_cast<double>(own_atoms()) * 3);
    ++come_;
    advance();
  }

  /// Called in one node at the end of a phase.
  void phase_over(Ref<const ReductionMessage<double>> sum) {
    const double mean = sum->values()[0] / array().size();
    means_[static_cast<std::size_t>(sum->step % 2)].push_back(mean);
    wrong_ += sum->values()[1];
    if (sum->step + 1 == 2 * setup_->rounds) return runtime().stop();
    array().broadcast<&Node::begin>(seconds() + notice);
  }

  Section<Node> neighbours_;
  Reduction<double> over_;
  std::array<std::vector<double>, 2> means_;  // of either phase
  double wrong_ = 0;

 private:
  std::size_t own_atoms() const {
    return static_cast<std::size_t>(setup_->atoms[static_cast<std::size_t>(ordinal())]);
  }
  int degree() const { return static_cast<int>(neighbours_.size()); }
  void return_forces(const AtomsMessage& positions) {
    const auto numbers = static_cast<std::size_t>(positions.atoms) * 3;
    auto message = make_message<AtomsMessage>(numbers * sizeof(std::int64_t));
    message->from = ordinal();
    message->atoms = positions.atoms;
    std::fill_n(message->trailing<std::int64_t>(), numbers, 1);
    array().at_ordinal(positions.from).send<&Node::forces>(std::move(message));
  }
  void advance() {
    if (!begun_phase_ || come_ < degree()) return;
    double wrong = 0;
    for (const auto& message : kept_)
      for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += message->trailing<std::int64_t>()[i];
    kept_.clear();
    if (phase_ % 2 == 1)
      for (const std::int64_t component : sum_) wrong += component != degree();
    over_.contribute(*this, phase_, {seconds() - begun_, wrong});
    ++phase_;
    come_ = 0;
    begun_phase_ = false;
  }

  std::shared_ptr<const Setup> setup_;
  std::vector<Ref<const AtomsMessage>> heard_, kept_;
  std::vector<std::int64_t> sum_;
  std::int64_t phase_ = 0;
  int come_ = 0;
  bool begun_phase_ = false;
  double begun_ = 0;
};

std::shared_ptr<const Setup> scatter(int argc, char** argv) {
  if (argc != 8) return nullptr;
  auto setup = std::make_shared<Setup>();
  for (std::size_t d = 0; d < 3; ++d) setup->nodes[d] = std::atoi(argv[1 + d]);
  const int atoms = std::atoi(argv[4]);
  setup->box = std::atof(argv[5]);
  setup->reach = std::atof(argv[6]);
  setup->rounds = std::atoi(argv[7]);
  const auto all = static_cast<std::size_t>(maps::volume(setup->nodes));
  setup->atoms.assign(all, 0);
  std::mt19937_64 random(1);
  for (int i = 0; i < atoms; ++i) ++setup->atoms[random() % all];
  return setup;
}

/// Nodes with a point nearer to this one's box than the reach, over the periodic boundaries.
std::vector<Index> neighbourhood(const Setup& setup, const Index& index) {
  std::vector<Index> found;
  const auto gap = [&](int from, int to, std::size_t d) {
    const int n = setup.nodes[d];
    const int along = std::min((to - from + n) % n, (from - to + n) % n);
    return std::max(along - 1, 0) * setup.box / n;
  };
  for (int x = 0; x < setup.nodes[0]; ++x)
    for (int y = 0; y < setup.nodes[1]; ++y)
      for (int z = 0; z < setup.nodes[2]; ++z) {
        const Index other{x, y, z};
        double square = 0;
        for (std::size_t d = 0; d < 3; ++d)
          square += gap(index[d], other[d], d) * gap(index[d], other[d], d);
        if (other != index && square < setup.reach * setup.reach) found.push_back(other);
      }
  return found;
}

int table(int argc, char** argv) {
  const auto transport = make_mpi_transport();
  const auto setup = scatter(argc, argv);
  if (!setup || maps::volume(setup->nodes) != transport->processes()) {
    std::fprintf(stderr, "neighbourhood_table: a process for each node, and seven arguments\n");
    return 1;
  }
  Runtime runtime({.transport = transport.get(), .deadlock_is_error = false});
  const Index shape = setup->nodes;
  // SimGrid numbers the hosts of a torus with the first dimension fastest.
  const auto nodes = runtime.create_array<Node>(
      shape, [=](const Index& at) { return at[0] + shape[0] * (at[1] + shape[1] * at[2]); },
      [=](const Index&) { return std::make_unique<Node>(setup); });
  const Reduction<double> over(nodes, 2, deliver_to<&Node::phase_over>(nodes.at_ordinal(0)));
  for (int i = 0; i < nodes.size(); ++i) {
    if (!nodes.here_at(i)) continue;
    nodes.object_at(i).neighbours_ = Section<Node>(nodes, neighbourhood(*setup, nodes.index(i)));
    nodes.object_at(i).over_ = over;
  }
  if (runtime.process() == 0) nodes.broadcast<&Node::begin>(seconds() + notice);
  runtime.run();
  if (!nodes.here_at(0)) return 0;
  const Node& first = nodes.object_at(0);
  const Spread broadcast = spread_of(first.means_[0]), reduce = spread_of(first.means_[1]);
  std::printf(
      "{\"nodes\": [%d, %d, %d], \"neighbours\": %zu, \"wrong\": %.0f, "
      "\"broadcast_ms\": %.4f, \"broadcast_range\": [%.4f, %.4f], "
      "\"reduce_ms\": %.4f, \"reduce_range\": [%.4f, %.4f]}\n",
      shape[0], shape[1], shape[2], first.neighbours_.size(), first.wrong_, 1e3 * broadcast.mean,
      1e3 * broadcast.least, 1e3 * broadcast.greatest, 1e3 * reduce.mean, 1e3 * reduce.least,
      1e3 * reduce.greatest);
  return first.wrong_ > 0 ? 1 : 0;
}

}  // namespace
}  // namespace fg::bench

int main(int argc, char** argv) {
  return fg::bench::table(argc, argv);
}
