// SPDX-License-Identifier: BSD-3-Clause
#include "app/engine_command.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/files.hpp"
#include "app/installation.hpp"
#include "app/json_lines.hpp"
#include "app/ranks.hpp"
#include "app/simulation.hpp"
#include "base/error.hpp"
#include "transport/transport.hpp"

namespace fg::app {
namespace {

constexpr int exit_resumable = 75;

volatile std::sig_atomic_t stop_asked = 0;

constexpr const char* usage =
    "usage: finegrain-engine JOB.h5 --out DIR [options]\n"
    "       finegrain-engine JOB.h5 --energy [--pes N] [--forces FILE]\n"
    "       finegrain-engine --version\n"
    "\n"
    "  --out DIR        folder of the results\n"
    "  --overwrite      replace the results of an earlier run there\n"
    "  --pes N          worker threads (1)\n"
    "  --comm-threads K threads of each process that drive the network; 0: the workers do (0)\n"
    "  --map NAME       which thread each object lives on (block)\n"
    "  --balance NAME   move objects by what was measured: refine, greedy, bisection, random "
    "(none)\n"
    "  --balance-steps N  steps between two rounds of it (1000)\n"
    "  --resume FILE    go on from this checkpoint\n"
    "  --memory-checkpoint-steps N  steps between two checkpoints in memory, each in two "
    "processes;\n"
    "                   0: none (0)\n"
    "  --ignore-memory  go on from the checkpoint on disk even if that in memory is newer\n"
    "  --steps N        total number of steps instead of the job's\n"
    "  --stop-after N   stop at the first rebuild from step N on, with a checkpoint\n"
    "  --no-pin         do not bind worker threads to cores\n"
    "  --no-profile     do not measure the time per phase\n"
    "  --trace          keep what ran when, for `finegrain trace DIR`\n"
    "  --quiet          no progress lines\n"
    "  --energy         evaluate once and print the energies by term\n"
    "  --forces FILE    put the forces there: kJ/mol/nm, 64-bit floats, x y z of each atom\n"
    "  --ranks N        refuse to run in another number of processes\n"
    "  --report json    say everything in JSON, a line each, on standard output\n"
    "  --stop-at-eof    stop, with a checkpoint, when standard input ends\n";

struct Arguments {
  RunOptions run;
  std::string forces;
  std::int64_t ranks = -1;
  bool json = false;
  bool stop_at_eof = false;
  bool energy = false;
  bool quiet = false;
  bool overwrite = false;
  bool help = false;
  bool version = false;
};

std::int64_t parse_integer(std::string_view name, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw InputError({.what = "not a whole number",
                      .where = "command line",
                      .value = fmt::format("{} {}", name, text)});
  return value;
}

/// Whether it is JSON.
bool parse_report(std::string_view name) {
  if (name != "json" && name != "text")
    throw InputError({.what = "there is no such form of report",
                      .where = "command line",
                      .value = fmt::format("--report {}", name),
                      .limit = "json, text"});
  return name == "json";
}

Arguments parse(const std::vector<std::string_view>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const auto next = [&]() -> std::string_view {
      if (i + 1 == words.size())
        throw InputError({.what = "an option without its value",
                          .where = "command line",
                          .value = std::string(word)});
      return words[++i];
    };
    if (word == "--help" || word == "-h") {
      arguments.help = true;
    } else if (word == "--version") {
      arguments.version = true;
    } else if (word == "--out") {
      arguments.run.out = next();
    } else if (word == "--pes") {
      arguments.run.pes = static_cast<int>(parse_integer(word, next()));
    } else if (word == "--comm-threads") {
      arguments.run.communication_threads = static_cast<int>(parse_integer(word, next()));
    } else if (word == "--map") {
      arguments.run.map = next();
    } else if (word == "--balance") {
      arguments.run.balance = next();
    } else if (word == "--balance-steps") {
      arguments.run.balance_interval = parse_integer(word, next());
    } else if (word == "--resume") {
      arguments.run.resume = next();
    } else if (word == "--memory-checkpoint-steps") {
      arguments.run.memory_every = parse_integer(word, next());
    } else if (word == "--ignore-memory") {
      arguments.run.ignore_memory = true;
    } else if (word == "--stop-after") {
      arguments.run.stop_after_step = parse_integer(word, next());
    } else if (word == "--steps") {
      arguments.run.steps = parse_integer(word, next());
    } else if (word == "--no-pin") {
      arguments.run.pin = false;
    } else if (word == "--no-profile") {
      arguments.run.profile = false;
    } else if (word == "--trace") {
      arguments.run.trace = true;
    } else if (word == "--overwrite") {
      arguments.overwrite = true;
    } else if (word == "--quiet") {
      arguments.quiet = true;
    } else if (word == "--energy") {
      arguments.energy = true;
    } else if (word == "--forces") {
      arguments.forces = next();
    } else if (word == "--ranks") {
      arguments.ranks = parse_integer(word, next());
    } else if (word == "--report") {
      arguments.json = parse_report(next());
    } else if (word == "--stop-at-eof") {
      arguments.stop_at_eof = true;
    } else if (!word.starts_with("-") && arguments.run.job.empty()) {
      arguments.run.job = word;
    } else {
      throw InputError({.what = "unknown argument",
                        .where = "command line",
                        .value = std::string(word),
                        .hint = "finegrain-engine --help lists the options"});
    }
  }
  if (arguments.help || arguments.version) return arguments;
  if (arguments.run.job.empty())
    throw InputError(
        {.what = "no job file",
         .where = "command line",
         .hint = "give the path of a job; `finegrain run` leaves one in the folder of the run"});
  if (!arguments.energy && arguments.run.out.empty())
    throw InputError(
        {.what = "no folder for the results", .where = "command line", .hint = "add --out DIR"});
  if (arguments.run.pes < 1)
    throw InputError({.what = "too few worker threads",
                      .where = "command line",
                      .value = fmt::format("--pes {}", arguments.run.pes),
                      .limit = "1"});
  if (arguments.run.communication_threads < 0 || arguments.run.communication_threads > 64)
    throw InputError(
        {.what = "the number of communication threads is out of range",
         .where = "command line",
         .value = fmt::format("--comm-threads {}", arguments.run.communication_threads),
         .limit = "0 to 64"});
  return arguments;
}

int processes_of(const Transport* transport) {
  return transport ? transport->processes() : 1;
}

/// Processes that mpiexec started and that do not find each other would all run the same job.
void check_ranks(const Arguments& arguments) {
  const int ranks = processes_of(arguments.run.transport);
  if (arguments.ranks >= 0 && arguments.ranks != ranks)
    throw ResourceError(
        {.what = "the run has another number of processes than it was to have",
         .value = std::to_string(ranks),
         .limit = std::to_string(arguments.ranks),
         .hint = "start the executable of an MPI with the mpiexec of the same MPI"});
}

int print_energies(const Arguments& arguments) {
  const RunOptions& options = arguments.run;
  if (!is_first(options.transport)) {
    serve_energy(options);
    return 0;
  }
  const EnergyResult result = energy(options);
  if (!arguments.forces.empty())
    replace_file(arguments.forces, std::as_bytes(std::span(result.forces)));
  if (arguments.json) {
    print_line(result_line(result, arguments.forces));
    return 0;
  }
  for (const auto& [name, value] : result.terms)
    fmt::print("{:<24} {:>20.8f} kJ/mol\n", name, value);
  return 0;
}

/// Whether standard input has come to its end; takes away what it holds until then.
bool input_has_ended() {
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  std::array<char, 256> ignored{};
  while (::poll(&input, 1, 0) > 0) {
    const auto count = ::read(STDIN_FILENO, ignored.data(), ignored.size());
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) return true;
    if (count < 0) return false;
  }
  return false;
}

/// A line every ten seconds; a batch log is no place for a live one.
void print_progress(const Progress& at, double& next_line) {
  if (at.seconds >= next_line) {
    const double percent = at.steps > 0 ? 100.0 * static_cast<double>(at.step) / at.steps : 0.0;
    fmt::print(stderr,
               "step {} of {} ({:.1f} %), {:.1f} s, {:.1f} K, drift {:.2e} kJ/mol/ps/atom\n",
               at.step, at.steps, percent, at.seconds, at.temperature_kelvin, at.energy_drift);
    next_line = at.seconds + 10.0;
  }
}

void print_result(const RunResult& result) {
  for (const auto& warning : result.warnings) fmt::print(stderr, "warning: {}\n", warning);
  fmt::print("steps {}\nseconds_per_step {:.6g}\nns_per_day {:.6g}\n", result.steps,
             result.seconds_per_step, result.ns_per_day);
  fmt::print("energy_drift {:.3e} kJ/mol/ps/atom\nstate_digest {}\n", result.energy_drift,
             result.state_digest);
}

/// Makes the folder one that `finegrain show` and `resume` know: with the job in it.
void open_folder(const Arguments& arguments) {
  namespace fs = std::filesystem;
  const fs::path folder = arguments.run.out;
  for (const char* name : {"checkpoint.h5", "energies.csv", "trajectory.h5"})
    if (arguments.run.resume.empty() && !arguments.overwrite && file_exists(folder / name))
      throw InputError({.what = "the folder holds the results of an earlier run",
                        .where = folder / name,
                        .hint = "go on with it by --resume, choose another --out, or add "
                                "--overwrite"});
  std::error_code failed;
  fs::create_directories(folder, failed);
  const fs::path job = folder / "job.h5";
  if (fs::equivalent(arguments.run.job, job, failed) || !file_exists(arguments.run.job)) return;
  replace_file(job, read_whole_file(arguments.run.job));
}

int run_job(const Arguments& arguments) {
  const bool first = is_first(arguments.run.transport);
  together(arguments.run.transport, [&] {
    if (first) open_folder(arguments);
  });
  if (!first) {
    // Batch systems signal every process; the first one stops them all at the same step.
    std::signal(SIGTERM, SIG_IGN);
    std::signal(SIGINT, SIG_IGN);
    serve(arguments.run);
    return 0;
  }
  std::signal(SIGTERM, [](int) { stop_asked = 1; });
  std::signal(SIGINT, [](int) { stop_asked = 1; });
  double next_line = arguments.quiet ? 1e300 : 0.0;
  const RunResult result = run(arguments.run, [&](const Progress& at) {
    if (arguments.json)
      print_line(progress_line(at));
    else
      print_progress(at, next_line);
    if (arguments.stop_at_eof && input_has_ended()) stop_asked = 1;
    return stop_asked == 0;
  });
  if (arguments.json)
    print_line(result_line(result));
  else
    print_result(result);
  return result.finished ? 0 : exit_resumable;
}

int guarded_command(const std::vector<std::string_view>& words, Transport* transport) {
  Arguments arguments = parse(words);
  arguments.run.transport = transport;
  if (arguments.help || arguments.version) {
    if (!is_first(transport)) return 0;
    if (arguments.help) fmt::print("{}", usage);
    if (arguments.version) fmt::print("finegrain {}\n", describe_installation().version);
    return 0;
  }
  check_ranks(arguments);
  if (arguments.json && is_first(transport)) {
    std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone
    print_line(started_line(processes_of(transport), arguments.run.pes,
                            transport ? transport->description() : ""));
  }
  return arguments.energy ? print_energies(arguments) : run_job(arguments);
}

/// Known even where the rest of the command line is wrong.
bool wants_json(const std::vector<std::string_view>& words) {
  const auto option = std::find(words.begin(), words.end(), "--report");
  return option != words.end() && option + 1 != words.end() && option[1] == "json";
}

}  // namespace

int channels_wanted(const std::vector<std::string_view>& words) {
  int threads = 0;
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == "--comm-threads")
      std::from_chars(words[i + 1].data(), words[i + 1].data() + words[i + 1].size(), threads);
  return std::clamp(threads, 1, 64);
}

int engine_command(const std::vector<std::string_view>& words, Transport* transport) {
  const auto print = [&](const Error& error) {
    if (wants_json(words))
      print_line(error_line(error));
    else
      fmt::print(stderr, "finegrain-engine: {}\n", error.what());
  };
  // What all processes have, the first one tells; what may be this one's alone, it tells itself,
  // and ends those who would wait for it.
  const auto tell_alone = [&](const Error& error) {
    print(error);
    if (processes_of(transport) > 1) transport->end_all(error.exit_status());
    return error.exit_status();
  };
  try {
    return guarded_command(words, transport);
  } catch (const LoneError& error) {
    return tell_alone(error);
  } catch (const Error& error) {
    if (is_first(transport)) print(error);
    return error.exit_status();
  } catch (const std::bad_alloc&) {
    return tell_alone(ResourceError({.what = "not enough memory"}));
  } catch (const std::exception& error) {
    return tell_alone(InternalError(
        {.what = error.what(), .hint = "this is a defect of finegrain: please report it"}));
  }
}

}  // namespace fg::app
