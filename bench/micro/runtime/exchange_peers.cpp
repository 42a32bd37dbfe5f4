// SPDX-License-Identifier: BSD-3-Clause
//
// The transposes of a 32^3 complex transform over pencils, forward and back, without the
// transforms: by exchanges (many-to-many), and by a message for each piece. Runs on 1 to 16 PEs
// of one process, or, if built with an MPI, of as many processes as mpiexec started. The only
// argument is the number of pencils along an axis, 16 by default; 32 is the cut of Kumar et al.
// (2012), table I. Interleaved runs; prints JSON with the median and range of the time of one
// transpose forward and back.
#include <algorithm>
#include <chrono>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "runtime/runtime.hpp"
#ifdef FG_BENCH_MPI
#include "transport/mpi/mpi_transport.hpp"
#endif

namespace fg::bench {
namespace {

using Number = std::complex<double>;
constexpr int mesh = 32;
int side = 16;          // pencils per axis
std::size_t piece = 0;  // numbers
std::int64_t rounds = 0;
constexpr int repeats = 5;

struct Piece : Message {
  std::int32_t from;
};

/// All pencils of one stage: 0, 1 and 2 are z, y and x of the forward transform, 3 and 4 are y and
/// z of the backward transform.
class Pencil : public Chare<Pencil, 3> {
 public:
  Pencil() : lines_(static_cast<std::size_t>(side) * piece, Number(1, 2)) {}

  void begin() { pass_on(0); }
  void fragments_here(std::int64_t round) {
    const auto& from = exchanges[static_cast<std::size_t>(index()[0]) - 1];
    for (int k = 0; k < from.sources(*this); ++k)
      std::memcpy(lines_.data() + static_cast<std::size_t>(k) * piece,
                  from.from<Number>(*this, k, round), piece * sizeof(Number));
    from.release(*this, round);
    pass_on(round);
  }
  void fragment_here(Ref<const Piece> message) {
    std::memcpy(lines_.data() + static_cast<std::size_t>(message->from) * piece,
                message->trailing<Number>(), piece * sizeof(Number));
    if (++come_ < side) return;
    come_ = 0;
    pass_on(round_++);
  }

  // from each stage to the next; empty when messages are used
  std::vector<Exchange<Pencil, Pencil>> exchanges;

 private:
  /// The k-th pencil to which a pencil of a stage sends: its row, then its column, and back.
  std::array<int, 3> partner(int k) const {
    const auto [stage, i, j] = index();
    return stage == 0 || stage == 3 ? std::array{stage + 1, i, k} : std::array{stage + 1, k, j};
  }
  void pass_on(std::int64_t round) {
    const int stage = index()[0];
    if (stage == 4) {
      if (round + 1 < rounds) array()[{0, index()[1], index()[2]}].send<&Pencil::again>(round + 1);
      return;
    }
    if (!exchanges.empty()) {
      const auto& to = exchanges[static_cast<std::size_t>(stage)];
      for (int k = 0; k < side; ++k)
        std::memcpy(to.place<Number>(*this, k, round),
                    lines_.data() + static_cast<std::size_t>(k) * piece, piece * sizeof(Number));
      return to.sent(*this, round);
    }
    const int place = stage == 0 || stage == 3 ? index()[2] : index()[1];
    for (int k = 0; k < side; ++k) {
      auto message = make_message<Piece>(piece * sizeof(Number));
      message->from = place;
      std::memcpy(message->trailing<Number>(), lines_.data() + static_cast<std::size_t>(k) * piece,
                  piece * sizeof(Number));
      array()[partner(k)].send<&Pencil::fragment_here>(std::move(message));
    }
  }

 public:
  void again(std::int64_t round) { pass_on(round); }
  static std::vector<ExchangeCore::Link> links(const Array<Pencil>& all, int stage,
                                               const std::array<int, 3>& index) {
    std::vector<ExchangeCore::Link> links;
    if (index[0] != stage) return links;
    for (int k = 0; k < side; ++k) {
      const std::array<int, 3> to = stage == 0 || stage == 3 ? std::array{stage + 1, index[1], k}
                                                             : std::array{stage + 1, k, index[2]};
      links.push_back({all.ordinal(to), piece * sizeof(Number)});
    }
    return links;
  }

 private:
  std::vector<Number> lines_;
  int come_ = 0;
  std::int64_t round_ = 0;
};

double microseconds(Transport* transport, int pes, bool many_to_many) {
  const int processes = transport ? transport->processes() : 1;
  Runtime runtime({.pes = pes / processes, .transport = transport, .pin = false});
  const std::array<int, 3> shape{5, side, side};
  const auto pencils = runtime.create_array<Pencil>(shape, [&](const auto& index) {
    const std::array<int, 2> place{index[1], index[2]};
    return maps::block(place, {side, side}, pes);
  });
  std::vector<Exchange<Pencil, Pencil>> exchanges;
  if (many_to_many)
    for (int stage = 0; stage < 4; ++stage)
      exchanges.push_back(Exchange<Pencil, Pencil>::make<&Pencil::fragments_here>(
          pencils, pencils,
          [&](const auto& index) { return Pencil::links(pencils, stage, index); }));
  for (int i = 0; i < pencils.size(); ++i)
    if (pencils.here_at(i)) pencils.object_at(i).exchanges = exchanges;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      if (pencils.here({0, i, j})) pencils[{0, i, j}].send<&Pencil::begin>();
  const auto begin = std::chrono::steady_clock::now();
  runtime.run_until_quiescent();
  const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
  return taken.count() / rounds;
}

}  // namespace
}  // namespace fg::bench

int main(int argc, char** argv) {
  if (argc > 1) fg::bench::side = std::atoi(argv[1]);
  if (argc > 2 || fg::bench::side < 1 || fg::bench::mesh % fg::bench::side != 0) {
    std::fprintf(stderr, "usage: %s [1, 2, 4, 8, 16 or 32 pencils along an axis]\n", argv[0]);
    return 2;
  }
  const int numbers = fg::bench::mesh / fg::bench::side;
  fg::bench::piece = static_cast<std::size_t>(numbers * numbers * numbers);
  fg::bench::rounds = 40 * numbers * numbers;  // 160 with 16 pencils along an axis
  using fg::bench::microseconds;
  std::unique_ptr<fg::Transport> made;
#ifdef FG_BENCH_MPI
  made = fg::make_mpi_transport();
#endif
  fg::Transport* const transport = made.get();
  const int processes = transport ? transport->processes() : 1;
  const bool prints = !transport || transport->rank() == 0;
  if (prints)
    std::printf(
        "{\n  \"mesh\": 32, \"pencils\": %d, \"processes\": %d, \"transport\": \"%s\",\n"
        "  \"forth_and_back_us\": [",
        fg::bench::side * fg::bench::side, processes,
        transport ? transport->description().c_str() : "none");
  const char* separator = "\n";
  for (const int pes : {1, 2, 4, 16}) {
    if (pes % processes != 0) continue;
    std::vector<double> messages, exchanges;
    for (int repeat = 0; repeat < fg::bench::repeats; ++repeat) {
      messages.push_back(microseconds(transport, pes, false));
      exchanges.push_back(microseconds(transport, pes, true));
    }
    if (!prints) continue;
    for (auto* values : {&messages, &exchanges}) std::sort(values->begin(), values->end());
    std::printf(
        "%s    {\"pes\": %d, \"messages\": %.1f, \"messages_range\": [%.1f, %.1f], "
        "\"exchanges\": %.1f, \"exchanges_range\": [%.1f, %.1f], \"ratio\": %.2f}",
        separator, pes, messages[2], messages.front(), messages.back(), exchanges[2],
        exchanges.front(), exchanges.back(), messages[2] / exchanges[2]);
    separator = ",\n";
  }
  if (prints) std::printf("\n  ]\n}\n");
}
