// SPDX-License-Identifier: BSD-3-Clause
//
// The complex three-dimensional transform of a cubic grid, by the library's array of transforms:
// Kumar et al. (2012), table I, and Eleftheriou et al. (2005), table 1 and figures 2 to 5. Prints
// the time from the common start until the last part is done, as JSON. The points are a plane wave,
// so what should come out is known.
//
// Usage: transform_table GRID slabs|pencils|bricks SHAPE messages|exchanges forward|both COST
// ROUNDS
//   SHAPE  parts along each divided axis: 8, 8x4 or 8x8x4; bricks are as many as processes
//   COST   what an operation of the transforms costs, in operations of the simulated machine
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "fft/chares/transform_array.hpp"
#include "machine_clock.hpp"
#include "runtime/runtime.hpp"
#include "transport/mpi/mpi_transport.hpp"

namespace fg::bench {
namespace {

using Number = std::complex<double>;
using fft::FieldMessage;
using fft::Route;

struct Setup {
  int grid = 0, rounds = 0;
  std::string kind, by;
  std::vector<int> shape;
  Route route = Route::forward;
  double cost = 1;
  fft::TransformArray<double> transforms;
  Reduction<double> over;

  int parts() const {
    int product = 1;
    for (const int n : shape) product *= n;
    return product;
  }
};

constexpr std::array<int, 3> wave{1, 2, 3};

/// The client of one part.
class Part : public Chare<Part, 1> {
 public:
  explicit Part(std::shared_ptr<const Setup> setup) : setup_(std::move(setup)) {}

  void begin(double when) {
    auto points = setup_->transforms.field(ordinal(), round_++, setup_->route);
    auto* to = points->trailing<Number>();
    for_each_point(setup_->transforms.points_of(ordinal()).layout.box,
                   [&](const auto& r) { *to++ = point(r); });
    // this message may be on its way from here to other processes
    if (seconds() < when) drive_network();
    hold_until(when);
    begun_ = when;
    setup_->transforms.start(std::move(points));
  }
  void ready(Ref<const FieldMessage> result) {
    const double end = seconds(), all = std::pow(setup_->grid, 3);
    const bool forward = setup_->route == Route::forward;
    const auto& transforms = setup_->transforms;
    const auto storage = forward ? transforms.waves_of(ordinal()) : transforms.points_of(ordinal());
    const auto* is = result->trailing<Number>();
    double error = 0;
    for_each_point(storage.layout.box, [&](const auto& at) {
      const Number should = forward ? Number(at == wave ? 1 : 0) : point(at);
      error = std::max(error, std::abs(*is++ / all - should));
    });
    setup_->over.contribute(*this, result->number, {end, error});
  }
  /// Called in part 0.
  void round_over(Ref<const ReductionMessage<double>> end) {
    times.push_back(end->values()[0] - begun_);
    error = std::max(error, end->values()[1]);
    if (static_cast<int>(times.size()) == setup_->rounds) return runtime().stop();
    array().broadcast<&Part::begin>(seconds() + notice);
  }

  std::vector<double> times;
  double error = 0;

 private:
  Number point(const std::array<int, 3>& r) const {
    int phase = 0;
    for (std::size_t a = 0; a < 3; ++a) phase += r[a] * wave[a];
    return std::polar(1.0, 2 * std::numbers::pi * (phase % setup_->grid) / setup_->grid);
  }
  template <class Visit>
  static void for_each_point(const fft::GridBox& box, Visit&& visit) {
    for (int x = box.low[0]; x < box.high[0]; ++x)
      for (int y = box.low[1]; y < box.high[1]; ++y)
        for (int z = box.low[2]; z < box.high[2]; ++z) visit(std::array{x, y, z});
  }

  std::shared_ptr<const Setup> setup_;
  std::int64_t round_ = 0;
  double begun_ = 0;
};

/// The processes as a rectangle as close to a square as possible.
std::array<int, 2> rectangle(int processes) {
  int low = 1;
  for (int i = 1; i * i <= processes; ++i)
    if (processes % i == 0) low = i;
  return {low, processes / low};
}

std::shared_ptr<Setup> read(int argc, char** argv) {
  if (argc != 8) return nullptr;
  auto setup = std::make_shared<Setup>();
  setup->grid = std::atoi(argv[1]);
  setup->kind = argv[2];
  std::istringstream shape(argv[3]);
  for (std::string word; std::getline(shape, word, 'x');)
    setup->shape.push_back(std::atoi(word.c_str()));
  setup->by = argv[4];
  setup->route = argv[5] == std::string("both") ? Route::there_and_back : Route::forward;
  setup->cost = std::atof(argv[6]);
  setup->rounds = std::atoi(argv[7]);
  return setup;
}

/// Part to process: bricks are where they are on the torus, whose hosts SimGrid numbers with the
/// first dimension fastest; pencils are rectangles of them for each process.
std::function<int(int)> places(const Setup& setup, int processes) {
  const std::vector<int> shape = setup.shape;
  if (setup.kind == "slabs") return [=](int part) { return part; };
  if (setup.kind == "pencils") {
    const auto grid = rectangle(processes);
    return [=](int part) {
      const int i = part / shape[1], j = part % shape[1];
      return i * grid[0] / shape[0] * grid[1] + j * grid[1] / shape[1];
    };
  }
  return [=](int part) {
    const int x = part / shape[2] / shape[1], y = part / shape[2] % shape[1], z = part % shape[2];
    return x + shape[0] * (y + shape[1] * z);
  };
}

fft::TransformBoxes boxes_of(const Setup& setup) {
  const fft::Grid grid{setup.grid, setup.grid, setup.grid};
  const std::vector<int>& n = setup.shape;
  if (setup.kind == "slabs")
    return {grid, {}, fft::slabs(grid, 0, n[0]), fft::slabs(grid, 1, n[0])};
  if (setup.kind == "pencils") {
    const std::array parts{n[0], n[1]};
    return {grid, {}, fft::pencils(grid, 2, parts), fft::pencils(grid, 0, parts), parts};
  }
  const std::array mesh{n[0], n[1], n[2]};
  return {grid, {}, fft::bricks(grid, mesh), fft::bricks(grid, mesh), {}, mesh};
}

void connect(Runtime& runtime, Setup& setup, const Array<Part>& parts) {
  setup.over =
      Reduction<double>(parts, 2, deliver_to<&Part::round_over>(parts.at_ordinal(0)), Combine::max);
  fft::TransformSettings<double> settings{
      .plan = std::make_shared<const fft::TransformPlan>(boxes_of(setup)),
      .pe = places(setup, runtime.processes())};
  if (setup.by == "exchanges") settings.sending = fft::Sending::exchanges;
  settings.on_waves = [](const FieldMessage&, Number*) {};
  settings.charge = [cost = setup.cost](double operations) { charge(cost * operations); };
  setup.transforms =
      fft::TransformArray<double>(runtime, settings, fft::reply_to<&Part::ready>(parts));
}

/// What a part sends in one forward transform.
void print(const Setup& setup, const Part& first, int processes) {
  const fft::TransformPlan& plan = setup.transforms.plan();
  std::size_t messages = 0, bytes = 0;
  for (std::size_t s = 0; s + 1 < plan.stages().size(); ++s)
    for (const fft::Piece& piece :
         redistribute(plan.stages()[s].after, plan.stages()[s + 1].before, 0).sends) {
      ++messages;
      bytes += piece.box.volume() * sizeof(Number);
    }
  const Spread time = spread_of(first.times);
  std::printf(
      "{\"mesh\": %d, \"nodes\": %d, \"decomposition\": \"%s\", \"parts\": %d, \"by\": \"%s\", "
      "\"us\": %.2f, \"range\": [%.2f, %.2f], \"exchanges\": %zu, \"part_sends\": %zu, "
      "\"part_sends_bytes\": %zu, \"error\": %.2e}\n",
      setup.grid, processes, setup.kind.c_str(), setup.parts(), setup.by.c_str(), 1e6 * time.mean,
      1e6 * time.least, 1e6 * time.greatest, plan.stages().size() - 1, messages, bytes,
      first.error);
}

int table(int argc, char** argv) {
  const auto transport = make_mpi_transport();
  const int processes = transport->processes();
  const auto setup = read(argc, argv);
  const std::size_t axes = !setup                     ? 0
                           : setup->kind == "slabs"   ? 1
                           : setup->kind == "pencils" ? 2
                                                      : 3;
  const bool fits = setup && setup->shape.size() == axes &&
                    (axes == 2   ? setup->parts() % processes == 0
                     : axes == 1 ? setup->parts() <= processes
                                 : setup->parts() == processes);
  if (!fits) {
    std::fprintf(stderr, "transform_table: seven arguments, and parts that fit the processes\n");
    return 1;
  }
  Runtime runtime({.transport = transport.get(), .deadlock_is_error = false});
  const auto parts = runtime.create_array<Part>(
      {setup->parts()},
      [place = places(*setup, processes)](const auto& at) { return place(at[0]); },
      [=](const auto&) { return std::make_unique<Part>(setup); });
  connect(runtime, *setup, parts);
  if (runtime.process() == 0) parts.broadcast<&Part::begin>(seconds() + notice);
  runtime.run();
  if (!parts.here_at(0)) return 0;
  const Part& first = parts.object_at(0);
  print(*setup, first, processes);
  return first.error < 1e-12 ? 0 : 1;
}

}  // namespace
}  // namespace fg::bench

int main(int argc, char** argv) {
  return fg::bench::table(argc, argv);
}
