// SPDX-License-Identifier: BSD-3-Clause
//
// Kumar et al. (2012), table I: the complex three-dimensional transform of a cubic mesh, forward
// and back, over pencils, by a message for each fragment and by exchanges (many-to-many). The mesh
// is cut into side x side pencils on any number of processes. Prints the time from the common start
// until the last process is done, as JSON.
//
// Usage: transform_table MESH SIDE messages|exchanges ROUNDS
#include <array>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "base/aligned_vector.hpp"
#include "fft/line_transform.hpp"
#include "machine_clock.hpp"
#include "runtime/runtime.hpp"
#include "transport/mpi/mpi_transport.hpp"

namespace fg::bench {
namespace {

using Number = std::complex<double>;
using fft::Direction;
using fft::LineTransform;

struct Setup {
  int mesh = 0, side = 0, rounds = 0;
  bool exchanges = false;

  /// Lines of a pencil in either direction, and points of a line for each pencil of the next stage.
  int part() const { return mesh / side; }
  std::size_t fragment() const {
    return static_cast<std::size_t>(part()) * static_cast<std::size_t>(part()) *
           static_cast<std::size_t>(part());
  }
  double operations() const {  // for a pencil's transforms along one axis
    return 5.0 * mesh * std::log2(mesh) * part() * part();
  }
};

struct Fragment : Message {
  std::int32_t place;
};

/// All pencils of a stage: z, y and x forward are 0, 1 and 2, y and z back are 3 and 4.
class Pencil : public Chare<Pencil, 3> {
 public:
  Pencil(std::shared_ptr<const Setup> setup, const std::array<int, 3>& index)
      : setup_(std::move(setup)) {
    if (index[0] <= 2) plan(Direction::forward);
    if (index[0] >= 2) plan(Direction::backward);
    lines_.resize(static_cast<std::size_t>(setup_->side) * setup_->fragment());
    work_.resize(lines_.size());
  }

  void begin(double when) {
    for (std::size_t i = 0; i < lines_.size(); ++i) lines_[i] = start(index(), i);
    // this message may be on its way from here to other processes
    if (seconds() < when) drive_network();
    hold_until(when);
    begun_ = when;
    transform_and_pass_on();
  }
  void exchanged(std::int64_t round) {
    const auto& from = exchanges[static_cast<std::size_t>(index()[0]) - 1];
    for (int k = 0; k < from.sources(*this); ++k) take(k, from.from<Number>(*this, k, round));
    from.release(*this, round);
    transform_and_pass_on();
  }
  void fragment(Ref<const Fragment> message) {
    take(message->place, message->trailing<Number>());
    if (++come_ < setup_->side) return;
    come_ = 0;
    transform_and_pass_on();
  }

  /// In one pencil: called at the end of a round.
  void round_over(Ref<const ReductionMessage<double>> latest) {
    times_.push_back(latest->values()[0] - begun_);
    error_ = std::max(error_, latest->values()[1]);
    if (latest->step + 1 == setup_->rounds) return runtime().stop();
    first_stage_.multicast<&Pencil::begin>(seconds() + notice);
  }

  static std::array<int, 3> partner(const std::array<int, 3>& index, int k) {
    const auto [stage, i, j] = index;
    return stage == 0 || stage == 3 ? std::array{stage + 1, i, k} : std::array{stage + 1, k, j};
  }

  // from each stage to the next; empty when messages are used
  std::vector<Exchange<Pencil, Pencil>> exchanges;
  Reduction<double> over_;
  Section<Pencil> first_stage_;
  std::vector<double> times_;
  double error_ = 0;

 private:
  static Number start(const std::array<int, 3>& index, std::size_t i) {
    const auto number = static_cast<double>((index[1] * 131 + index[2] * 17) % 257) / 257;
    return {number, static_cast<double>(i % 101) / 101};
  }
  void plan(Direction direction) {
    const int lines = setup_->part() * setup_->part();
    const fft::LineLayout layout{1, setup_->mesh, lines * setup_->mesh};
    plans_.emplace_back(fft::LineBatch{setup_->mesh, lines, 1, layout, layout}, direction);
  }

  void transform_and_pass_on() {
    for (const auto& plan : plans_) {
      plan.execute(lines_.data(), work_.data());
      lines_.swap(work_);
      charge(setup_->operations());
    }
    if (index()[0] == 4) return finish();
    for (int k = 0; k < setup_->side; ++k) {
      if (!exchanges.empty()) {
        const auto& to = exchanges[static_cast<std::size_t>(index()[0])];
        put(k, to.place<Number>(*this, k, round_));
        to.sent(*this, k, round_);
      } else {
        auto message = make_message<Fragment>(setup_->fragment() * sizeof(Number));
        message->place = index()[0] == 0 || index()[0] == 3 ? index()[2] : index()[1];
        put(k, message->trailing<Number>());
        array()[partner(index(), k)].send<&Pencil::fragment>(std::move(message));
      }
    }
    ++round_;
  }
  /// Writes the points of all lines that go to the k-th pencil of the next stage.
  void put(int k, Number* to) const {
    const int part = setup_->part();
    for (int line = 0; line < part * part; ++line)
      for (int r = 0; r < part; ++r) *to++ = lines_[at(line, k * part + r)];
  }
  /// In a fragment, the index of a line and the index of a point along the line change roles.
  void take(int place, const Number* from) {
    const int part = setup_->part(), stage = index()[0];
    for (int p = 0; p < part; ++p)
      for (int q = 0; q < part; ++q)
        for (int r = 0; r < part; ++r, ++from) {
          if (stage == 1 || stage == 4)
            lines_[at(p * part + r, place * part + q)] = *from;
          else
            lines_[at(r * part + q, place * part + p)] = *from;
        }
  }
  std::size_t at(int line, int point) const {
    return static_cast<std::size_t>(line * setup_->mesh + point);
  }

  void finish() {
    const double end = seconds(), scale = std::pow(setup_->mesh, 3);
    double error = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      error = std::max(error, std::abs(lines_[i] / scale - start({0, index()[1], index()[2]}, i)));
    over_.contribute(*this, rounds_done_++, {end, error});
  }

  std::shared_ptr<const Setup> setup_;
  std::vector<LineTransform<double>> plans_;
  AlignedVector<Number> lines_, work_;
  int come_ = 0;
  std::int64_t round_ = 0, rounds_done_ = 0;
  double begun_ = 0;
};

std::vector<ExchangeCore::Link> links(const Setup& setup, const Array<Pencil>& all, int stage,
                                      const std::array<int, 3>& index) {
  std::vector<ExchangeCore::Link> links;
  for (int k = 0; index[0] == stage && k < setup.side; ++k)
    links.push_back({all.ordinal(Pencil::partner(index, k)), setup.fragment() * sizeof(Number)});
  return links;
}

/// The processes as a rectangle as close to a square as possible.
std::array<int, 2> rectangle(int processes) {
  int low = 1;
  for (int i = 1; i * i <= processes; ++i)
    if (processes % i == 0) low = i;
  return {low, processes / low};
}

int table(int argc, char** argv) {
  const auto transport = make_mpi_transport();
  auto setup = std::make_shared<Setup>();
  if (argc == 5) {
    setup->mesh = std::atoi(argv[1]);
    setup->side = std::atoi(argv[2]);
    setup->exchanges = std::string_view(argv[3]) == "exchanges";
    setup->rounds = std::atoi(argv[4]);
  }
  const std::array<int, 2> grid = rectangle(transport->processes());
  if (setup->side < grid[1] || setup->mesh % setup->side != 0 || setup->side % grid[1] != 0 ||
      setup->side % grid[0] != 0) {
    std::fprintf(stderr, "transform_table: the processes do not divide the pencils\n");
    return 1;
  }
  Runtime runtime({.transport = transport.get(), .deadlock_is_error = false});
  const int side = setup->side;
  const auto pencils = runtime.create_array<Pencil>(
      {5, side, side},
      [=](const std::array<int, 3>& at) {
        return at[1] * grid[0] / side * grid[1] + at[2] * grid[1] / side;
      },
      [=](const std::array<int, 3>& index) { return std::make_unique<Pencil>(setup, index); });
  std::vector<Exchange<Pencil, Pencil>> exchanges;
  for (int stage = 0; setup->exchanges && stage < 4; ++stage)
    exchanges.push_back(Exchange<Pencil, Pencil>::make<&Pencil::exchanged>(
        pencils, pencils, [&](const auto& index) { return links(*setup, pencils, stage, index); }));
  std::vector<std::array<int, 3>> first, last;
  for (int i = 0; i < side * side; ++i) {
    first.push_back({0, i / side, i % side});
    last.push_back({4, i / side, i % side});
  }
  const Section<Pencil> first_stage(pencils, first), last_stage(pencils, last);
  const Reduction<double> over(last_stage, 2, deliver_to<&Pencil::round_over>(pencils[{0, 0, 0}]),
                               Combine::max);
  for (int i = 0; i < pencils.size(); ++i) {
    if (!pencils.here_at(i)) continue;
    Pencil& pencil = pencils.object_at(i);
    pencil.exchanges = exchanges;
    pencil.over_ = over;
    pencil.first_stage_ = first_stage;
  }
  if (runtime.process() == 0) first_stage.multicast<&Pencil::begin>(seconds() + notice);
  runtime.run();
  if (!pencils.here({0, 0, 0})) return 0;
  const Pencil& one = pencils.object({0, 0, 0});
  const Spread time = spread_of(one.times_);
  std::printf(
      "{\"mesh\": %d, \"nodes\": %d, \"pencils\": %d, \"by\": \"%s\", \"us\": %.2f, "
      "\"range\": [%.2f, %.2f], \"error\": %.2e}\n",
      setup->mesh, runtime.processes(), side * side, argv[3], 1e6 * time.mean, 1e6 * time.least,
      1e6 * time.greatest, one.error_);
  return one.error_ < 1e-12 ? 0 : 1;
}

}  // namespace
}  // namespace fg::bench

int main(int argc, char** argv) {
  return fg::bench::table(argc, argv);
}
