// SPDX-License-Identifier: BSD-3-Clause
#include "fft/mpi/exchange_choice.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "base/aligned_vector.hpp"
#include "base/sha256.hpp"
#include "fft/exchange_memory.hpp"
#include "fft/mpi/agreement.hpp"
#include "fft/mpi/communicator_copy.hpp"
#include "fft/pencil_shapes.hpp"
#include "transport/mpi/mpi_call.hpp"

namespace fg::fft {

namespace {

using Parts = std::array<int, 2>;

constexpr double budget = 0.5;    // seconds for all rounds after the first
constexpr int most_rounds = 5;    // of which the best counts
constexpr double turn = 0.002;    // seconds of one candidate in one round, at least
constexpr double hopeless = 2.5;  // times the best of the first round
constexpr double better = 0.97;   // of the time of the usual way, to leave it

struct Candidate {
  Travel travel;
  Parts parts;
  double seconds = std::numeric_limits<double>::infinity();
};

const char* name_of(Travel travel) {
  return travel == Travel::messages ? "messages" : "collective";
}

std::string by(const Parts& parts) {
  return std::to_string(parts[0]) + " x " + std::to_string(parts[1]);
}

/// The usual way first.
std::vector<Candidate> candidates(const TransformBoxes& boxes) {
  std::vector<Candidate> result;
  for (const Parts& parts : pencil_shapes(boxes))
    for (const Travel travel : {Travel::messages, Travel::collective})
      result.push_back({travel, parts});
  return result;
}

/// The name of a host without its number, since the nodes of a machine are alike.
std::string host_and_mpi() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> host{};
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> library{};
  int length = 0;
  FG_MPI(MPI_Get_processor_name, host.data(), &length);
  FG_MPI(MPI_Get_library_version, library.data(), &length);
  std::string name(host.data());
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::replace_if(name.begin(), name.end(), is_digit, '#');
  std::string version(library.data());
  version.resize(std::min(version.find_first_of(",\n"), version.size()));
  std::replace(version.begin(), version.end(), '\t', ' ');
  const auto both_spaces = [](char a, char b) { return a == ' ' && b == ' '; };
  version.erase(std::unique(version.begin(), version.end(), both_spaces), version.end());
  return name + ", " + version;
}

int hosts_of(MPI_Comm comm) {
  MPI_Comm host = MPI_COMM_NULL;
  FG_MPI(MPI_Comm_split_type, comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  int rank = 0, hosts = 0;
  FG_MPI(MPI_Comm_rank, host, &rank);
  FG_MPI(MPI_Comm_free, &host);
  const int first = rank == 0 ? 1 : 0;
  FG_MPI(MPI_Allreduce, &first, &hosts, 1, MPI_INT, MPI_SUM, comm);
  return hosts;
}

std::string digest_of(const TransformBoxes& boxes) {
  Sha256 digest;
  for (const auto* side : {&boxes.in, &boxes.out})
    for (const GridBox& box : *side)
      for (const int corner :
           {box.low[0], box.low[1], box.low[2], box.high[0], box.high[1], box.high[2]})
        digest.add(static_cast<std::uint64_t>(corner));
  return digest.hex().substr(0, 16);
}

std::string key_of(const TransformBoxes& boxes, int hosts, int digits, int batch) {
  const Grid& grid = boxes.grid;
  return std::string("C++ ") + FG_VERSION + ", " + host_and_mpi() + ", " +
         std::to_string(boxes.in.size()) + " ranks on " + std::to_string(hosts) + " hosts, " +
         std::to_string(grid[0]) + " x " + std::to_string(grid[1]) + " x " +
         std::to_string(grid[2]) + (boxes.kind == Kind::real ? " real" : " complex") +
         (digits == 24 ? " float" : " double") + ", batch " + std::to_string(batch) +
         (boxes.parts ? ", parts " + by(*boxes.parts) : "") + ", boxes " + digest_of(boxes);
}

MpiTransformSettings with(MpiTransformSettings settings, const Candidate& candidate) {
  settings.travel = candidate.travel;
  settings.parts = candidate.parts;
  return settings;
}

/// Transforms of zeros there and back, timed.
template <class Real>
class Trial {
 public:
  Trial(MPI_Comm comm, const MpiTransformSettings& settings)
      : comm_(comm),
        transform_(comm, settings),
        points_(extent_of(settings.points, settings.batch) *
                element_size<Real>(settings.kind == Kind::real)),
        waves_(extent_of(settings.waves, settings.batch) * element_size<Real>(false)) {}

  /// Seconds of one, on the slowest rank.
  double seconds(int times) {
    FG_MPI(MPI_Barrier, comm_);
    const double start = MPI_Wtime();
    for (int k = 0; k < times; ++k) {
      transform_.forward(points_.data(), waves_.data());
      transform_.backward(waves_.data(), points_.data());
    }
    double mine = (MPI_Wtime() - start) / times, longest = 0;
    FG_MPI(MPI_Allreduce, &mine, &longest, 1, MPI_DOUBLE, MPI_MAX, comm_);
    return longest;
  }

 private:
  MPI_Comm comm_;
  MpiTransform<Real> transform_;
  AlignedVector<std::byte> points_, waves_;
};

/// Sets the time of each candidate: the best of some rounds, in which all take turns. All numbers
/// on which the rounds depend are the same on all ranks.
template <class Real>
void measure(MPI_Comm comm, const MpiTransformSettings& settings, std::vector<Candidate>& all) {
  std::vector<std::unique_ptr<Trial<Real>>> trials;
  for (Candidate& candidate : all) {
    trials.push_back(std::make_unique<Trial<Real>>(comm, with(settings, candidate)));
    trials.back()->seconds(1);
    candidate.seconds = trials.back()->seconds(1);
  }
  const auto fastest = [&] {
    return std::min_element(
               all.begin(), all.end(),
               [](const Candidate& a, const Candidate& b) { return a.seconds < b.seconds; })
        ->seconds;
  };
  double round = 0;
  std::vector<int> times;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const bool drop = k > 0 && all[k].seconds > hopeless * fastest();
    times.push_back(drop ? 0 : std::clamp(static_cast<int>(turn / all[k].seconds), 1, 100));
    round += times.back() * all[k].seconds;
  }
  const int rounds = std::clamp(static_cast<int>(budget / round), 1, most_rounds);
  for (int r = 0; r < rounds; ++r)
    for (std::size_t k = 0; k < all.size(); ++k)
      if (times[k] > 0) all[k].seconds = std::min(all[k].seconds, trials[k]->seconds(times[k]));
}

const Candidate& best_of(const std::vector<Candidate>& all) {
  const Candidate* best = all.data();
  for (const Candidate& one : all)
    if (one.seconds < better * all[0].seconds && one.seconds < best->seconds) best = &one;
  return *best;
}

ExchangeChoice record_of(const Candidate& chosen, const std::vector<Candidate>& all) {
  ExchangeChoice record{name_of(chosen.travel), chosen.parts, {}};
  for (const Candidate& one : all)
    record.microseconds.emplace_back(std::string(name_of(one.travel)) + " " + by(one.parts),
                                     one.seconds * 1e6);
  return record;
}

/// The place in `all` of what rank 0 remembers, the same on all ranks; all.size() if nothing.
std::size_t recall(MPI_Comm comm, const std::string& key, const std::vector<Candidate>& all,
                   std::string& trouble) {
  int rank = 0;
  FG_MPI(MPI_Comm_rank, comm, &rank);
  unsigned long long place = all.size();
  if (rank == 0) {
    const Recollection found = recall_exchange(exchange_file(), key);
    trouble = found.trouble;
    for (std::size_t k = 0; k < all.size() && found.choice; ++k)
      if (found.choice->travel == name_of(all[k].travel) && found.choice->parts == all[k].parts)
        place = k;
  }
  FG_MPI(MPI_Bcast, &place, 1, MPI_UNSIGNED_LONG_LONG, 0, comm);
  return static_cast<std::size_t>(place);
}

}  // namespace

template <class Real>
ChosenExchange choose_exchange(MPI_Comm comm, const MpiTransformSettings& settings) {
  constexpr int digits = std::numeric_limits<Real>::digits;
  const MPI_Comm own = copy_of(comm)->comm;  // which the communicator owns, too
  TransformBoxes boxes = agreed_boxes(own, settings, digits);
  // Other shapes of pencils may need other exchanges, each of which would round numbers.
  if (settings.wire == Wire::as_float && digits > 24) boxes.parts = TransformPlan(boxes).parts();
  std::vector<Candidate> all = candidates(boxes);
  if (boxes.in.size() == 1)
    return {with(settings, all[0]), {all[0].travel, all[0].parts, false, {}}};
  Exchanging how;
  std::string key = key_of(boxes, hosts_of(own), digits, settings.batch);
  if (settings.wire == Wire::as_float) key += ", float on the wire";
  const std::size_t remembered = recall(own, key, all, how.note);
  how.measured_now = remembered == all.size();
  if (how.measured_now) measure<Real>(comm, settings, all);
  const Candidate& chosen = how.measured_now ? best_of(all) : all[remembered];
  how.travel = chosen.travel;
  how.parts = chosen.parts;
  int rank = 0;
  FG_MPI(MPI_Comm_rank, own, &rank);
  if (how.measured_now && rank == 0)
    how.note = remember_exchange(exchange_file(), key, record_of(chosen, all));
  return {with(settings, chosen), std::move(how)};
}

template ChosenExchange choose_exchange<float>(MPI_Comm, const MpiTransformSettings&);
template ChosenExchange choose_exchange<double>(MPI_Comm, const MpiTransformSettings&);

}  // namespace fg::fft
