// SPDX-License-Identifier: BSD-3-Clause
#include "app/engine_command.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/arguments.hpp"
#include "app/json_lines.hpp"
#include "app/simulation.hpp"
#include "app/standard_streams.hpp"
#include "base/error.hpp"
#include "base/memory_room.hpp"
#include "processes/installation.hpp"
#include "processes/machine_failure.hpp"
#include "processes/ranks.hpp"
#include "records/files/files.hpp"
#include "records/files/folder_lock.hpp"
#include "runs/run_report.hpp"
#include "transport/transport.hpp"

namespace fg::app {
namespace {

constexpr int exit_resumable = 75;
constexpr const char* result_name = "result.json";
constexpr auto patience_for_lock = std::chrono::seconds(5);

volatile std::sig_atomic_t stop_asked = 0;

int processes_of(const Transport* transport) {
  return transport ? transport->processes() : 1;
}

/// Processes that mpiexec started but that do not find each other would each run the same job.
void check_ranks(const Arguments& arguments) {
  const int ranks = processes_of(arguments.run.transport);
  if (arguments.ranks >= 0 && arguments.ranks != ranks)
    throw ResourceError(
        {.what = "the number of processes differs from --ranks",
         .value = std::to_string(ranks),
         .limit = std::to_string(arguments.ranks),
         .hint = "start the executable of an MPI with the mpiexec of the same MPI"});
}

/// Called before any work is done.
void refuse_to_replace(const Arguments& arguments) {
  if (arguments.forces.empty() || arguments.overwrite || !file_exists(arguments.forces)) return;
  throw InputError({.what = "is there already",
                    .where = arguments.forces,
                    .hint = "choose another name with --forces, or add --overwrite"});
}

int print_energies(const Arguments& arguments) {
  const RunOptions& options = arguments.run;
  const bool first = is_first(options.transport);
  together(options.transport, [&] {
    if (first) refuse_to_replace(arguments);
  });
  if (!first) {
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
    say(fmt::format("{:<24} {:>20.8f} kJ/mol\n", name, value));
  return 0;
}

/// Whether standard input has ended; reads and drops what it contains until then.
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

/// One line every ten seconds; a live progress line would fill a batch log.
void print_progress(const Progress& at, double& next_line) {
  if (at.seconds >= next_line) {
    const double percent = at.steps > 0 ? 100.0 * static_cast<double>(at.step) / at.steps : 0.0;
    complain(fmt::format(
        "step {} of {} ({:.1f} %), {:.1f} s{}{}{}\n", at.step, at.steps, percent, at.seconds,
        std::isfinite(at.temperature_kelvin) ? fmt::format(", {:.1f} K", at.temperature_kelvin)
                                             : "",
        std::isfinite(at.density) ? fmt::format(", {:.1f} kg/m3", at.density) : "",
        std::isfinite(at.energy_drift)
            ? fmt::format(", drift {:.2e} kJ/mol/ps/atom", at.energy_drift)
            : ""));
    next_line = at.seconds + 10.0;
  }
}

void print_result(const RunResult& result) {
  for (const auto& warning : result.warnings) complain(fmt::format("warning: {}\n", warning));
  say(fmt::format("steps {}\n", result.steps));
  for (const ShownFigure& figure : shown_figures(result))
    say(fmt::format("{} {}\n", figure.name, figure.text));
  if (result.stopped_by == "hours") say("stopped: the wall time of --hours is over\n");
}

/// Prepares the folder so that `finegrain show` and `resume` know it: puts the job in it.
void open_folder(const Arguments& arguments) {
  namespace fs = std::filesystem;
  const fs::path folder = arguments.run.out;
  for (const char* name : {"checkpoint.h5", "energies.csv", "trajectory.h5"})
    if (arguments.run.resume.empty() && !arguments.overwrite && file_exists(folder / name))
      throw InputError({.what = "the folder holds the results of an earlier run",
                        .where = folder / name,
                        .hint = "continue that run with --resume, choose another --out, or add "
                                "--overwrite"});
  std::error_code failed;
  fs::create_directories(folder, failed);
  // Until this run has ended, figures of an earlier one would pass for its own.
  if (arguments.run.resume.empty())
    for (const char* name : {result_name, "minimisation.csv", "phases.txt"})
      fs::remove(folder / name, failed);
  const fs::path job = folder / "job.h5";
  if (fs::equivalent(arguments.run.job, job, failed) || !file_exists(arguments.run.job)) return;
  replace_file(job, read_whole_file(arguments.run.job));
}

int run_job(Arguments arguments) {
  const bool first = is_first(arguments.run.transport);
  std::unique_ptr<FolderLock> lock;
  together(arguments.run.transport, [&] {
    if (!first) return;
    // Whoever started it may have gone by now, and another run be on its way.
    if (arguments.json && arguments.stop_at_eof && input_has_ended())
      throw ResourceError({.what = "the command that started the run has gone"});
    lock = std::make_unique<FolderLock>(arguments.run.out, patience_for_lock);
    open_folder(arguments);
  });
  arguments.run.folder_is_locked = true;
  if (!first) {
    // Batch systems signal every process; process 0 stops them all at the same step.
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) std::signal(number, SIG_IGN);
    serve(arguments.run);
    return 0;
  }
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
    const auto before = std::signal(number, [](int) { stop_asked = 1; });
    if (number == SIGHUP && before == SIG_IGN) std::signal(number, SIG_IGN);  // nohup
  }
  double next_line = arguments.quiet ? 1e300 : 0.0;
  const RunResult result = run(arguments.run, [&](const Progress& at) {
    if (arguments.json)
      print_line(progress_line(at));
    else
      print_progress(at, next_line);
    if (arguments.stop_at_eof && input_has_ended()) stop_asked = 1;
    return stop_asked == 0;
  });
  const std::string figures =
      result_file(result, arguments.run, processes_of(arguments.run.transport));
  replace_file(std::filesystem::path(arguments.run.out) / result_name,
               std::as_bytes(std::span(figures)));
  if (arguments.json)
    print_line(result_line(result));
  else
    print_result(result);
  return result.finished ? 0 : exit_resumable;
}

int guarded_command(const std::vector<std::string_view>& words, Transport* transport) {
  Arguments arguments = parse(words);
  arguments.run.transport = transport;
  if (is_first(transport)) std::signal(SIGPIPE, SIG_IGN);  // a reader may have closed the output
  if (arguments.help || arguments.version) {
    if (!is_first(transport)) return 0;
    if (arguments.help) say(usage());
    if (arguments.version) say(fmt::format("finegrain {}\n", describe_installation().version));
    return 0;
  }
  check_ranks(arguments);
  if (arguments.json && is_first(transport)) {
    print_line(started_line(processes_of(transport), arguments.run.pes,
                            transport ? transport->description() : ""));
  }
  return arguments.energy ? print_energies(arguments) : run_job(arguments);
}

/// Needed even if the rest of the command line is wrong.
bool wants_json(const std::vector<std::string_view>& words) {
  return std::find(words.begin(), words.end(), "--json") != words.end();
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
      complain(fmt::format("finegrain-engine: {}\n", error.what()));
  };
  // Process 0 reports an error that all processes have. A process reports an error that only it may
  // have itself, and ends the processes that would wait for it.
  const auto tell_alone = [&](const Error& error) {
    print(error);
    if (processes_of(transport) > 1) transport->end_all(error.exit_status());
    return error.exit_status();
  };
  try {
    grow_stack();
    const int status = guarded_command(words, transport);
    check_all_was_said();
    return status;
  } catch (const LoneError& error) {
    return tell_alone(error);
  } catch (const Error& error) {
    if (is_first(transport)) print(error);
    return error.exit_status();
  } catch (const std::bad_alloc& error) {
    return tell_alone(no_memory(error));
  } catch (const std::system_error& error) {
    return tell_alone(refused_by_system(error));
  } catch (const std::exception& error) {
    return tell_alone(InternalError(
        {.what = error.what(), .hint = "this is a defect of finegrain: please report it"}));
  }
}

}  // namespace fg::app
