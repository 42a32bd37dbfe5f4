// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/runtime.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "runtime/disorder.hpp"
#include "runtime/threads/phase_names.hpp"
#include "runtime/threads/pinning.hpp"
#include "transport/hosts.hpp"
#include "transport/pool.hpp"

namespace fg {

namespace {

/// Throws InputError unless each thread of this host has a processor of its own that it may use.
void require_processors(const std::vector<int>& processors, int threads) {
  const auto& usable = usable_processors();
  if (processors.size() < static_cast<std::size_t>(threads))
    throw InputError(
        {.what = "threads are to be bound to fewer processors than there are threads",
         .where = "--pin",
         .value = std::to_string(processors.size()) + " processors",
         .limit = std::to_string(threads) + " threads on this host",
         .hint = "name one for each PE and communication thread of all its processes"});
  for (const int processor : processors)
    if (!std::binary_search(usable.begin(), usable.end(), processor))
      throw InputError({.what = "a thread is to be bound to a processor that it may not use",
                        .where = "--pin",
                        .value = std::to_string(processor),
                        .hint = "`taskset -cp $$` lists those that may be used"});
}

}  // namespace

Runtime::Runtime(const RuntimeOptions& options) : options_(options), cores_(available_cores()) {
  if (options.pes < 1)
    throw InputError({.what = "the number of worker threads must be positive",
                      .value = std::to_string(options.pes),
                      .hint = "give --pes 1 or more"});
  if (options_.delivery_seed == 0) options_.delivery_seed = delivery_seed_of_environment();
  int threads_on_host = options.pes;
  if (options.transport && options.transport->processes() > 1) {
    network_ = std::make_unique<Network>(*this, *options.transport, options.pes);
    process_ = options.transport->rank();
    processes_ = options.transport->processes();
    comm_threads_ = std::max(0, options.comm_threads);
    threads_on_host += comm_threads_;
    first_place_ = options.transport->rank_here() * threads_on_host;
    threads_on_host *= options.transport->processes_here();
  }
  if (options_.hosts.empty())
    options_.hosts = numbers_of_hosts(hosts_of_processes(network_ ? options.transport : nullptr));
  FG_CHECK(options_.hosts.size() == static_cast<std::size_t>(processes_));
  FG_CHECK(!single_threaded() || (options.pes == 1 && comm_threads_ == 0));
  if (!options.processors.empty()) {
    require_processors(options.processors, threads_on_host);
    cores_ = static_cast<int>(options.processors.size());
  }
  if (!options.pin || threads_on_host > cores_ || single_threaded()) first_place_ = -1;
  idle_policy_ = idle_policy(threads_on_host, cores_);
  for (int i = 0; i < options.pes; ++i)
    pes_.push_back(std::make_unique<Pe>(*this, process_ * options.pes + i,
                                        static_cast<std::size_t>(options.pes + comm_threads_),
                                        idle_policy_, options.profiling, options.trace));
  if (options.trace > 0) touch_traces();
}

Runtime::~Runtime() {
  for (const auto& pe : pes_) pe->discard_queued();
}

Pe* Runtime::pe_here(int rank) const {
  if (rank < 0 || rank >= pes())
    throw InternalError({.what = "a map returned a PE that does not exist",
                         .value = std::to_string(rank),
                         .limit = "0 to " + std::to_string(pes() - 1)});
  const int here = rank - first_pe_here();
  return here >= 0 && here < pes_here() ? pes_[static_cast<std::size_t>(here)].get() : nullptr;
}

namespace {

/// Puts it at the first place that has been freed, or at the end. Returns the place, which is the
/// same in all processes that make and free in the same order.
template <class T>
int keep(std::vector<T>& all, T one) {
  auto place = std::find(all.begin(), all.end(), nullptr);
  if (place == all.end()) place = all.insert(place, T());
  *place = std::move(one);
  return static_cast<int>(place - all.begin());
}

}  // namespace

ArrayCore& Runtime::new_array(std::string name, int dimensions, const std::array<int, 4>& shape) {
  const int id = keep(arrays_, std::make_unique<ArrayCore>());
  ArrayCore& core = *arrays_[static_cast<std::size_t>(id)];
  core.runtime = this;
  core.id = id;
  core.name = std::move(name);
  core.dimensions = dimensions;
  core.shape = shape;
  return core;
}

const SectionCore* Runtime::keep_section(std::unique_ptr<SectionCore> section) {
  const std::lock_guard lock(kept_mutex_);
  section->order = sections_made_++ * processes_ + process_;
  detail::sort_by_place(*section);
  SectionCore* const raw = section.get();
  if (section->spread.fan_out > 0) raw->tree = keep<const SectionCore*>(trees_, raw);
  sections_.push_back(std::move(section));
  return raw;
}

void Runtime::renew(const SectionCore& section, std::vector<int> members) {
  // Parcels point to the lists that are about to be made again.
  for (const auto& pe : pes_) pe->take_in_all();
  SectionCore& own = *sections_.at(static_cast<std::size_t>(section.order / processes_));
  FG_CHECK(&own == &section);
  own.members = std::move(members);
  detail::sort_by_place(own);
}

int Runtime::keep_reduction(std::unique_ptr<RemoteInputs> reduction) {
  const std::lock_guard lock(kept_mutex_);
  return keep(reductions_, std::move(reduction));
}

int Runtime::keep_exchange(std::unique_ptr<ExchangeCore> exchange) {
  const std::lock_guard lock(kept_mutex_);
  return keep(exchanges_, std::move(exchange));
}

ExchangeCore& Runtime::exchange(int id) {
  const std::lock_guard lock(kept_mutex_);
  return *exchanges_.at(static_cast<std::size_t>(id));
}

RemoteInputs& Runtime::reduction(int id) {
  const std::lock_guard lock(kept_mutex_);
  return *reductions_.at(static_cast<std::size_t>(id));
}

void Runtime::stop() noexcept {
  if (network_) network_->announce_stop();
  stop_here();
}

void Runtime::stop_here() noexcept {
  stopping_.store(true, std::memory_order_seq_cst);
  for (const auto& pe : pes_) pe->wake();
}

void Runtime::fail(std::exception_ptr error) noexcept {
  if (network_) network_->announce_failure(error);
  fail_here(std::move(error));
}

void Runtime::fail_here(std::exception_ptr error) noexcept {
  {
    const std::lock_guard lock(error_mutex_);
    if (!error_) error_ = std::move(error);
  }
  stop_here();
}

std::int64_t Runtime::backlog() const noexcept {
  std::uint64_t queued = queued_from_elsewhere_.load(std::memory_order_relaxed);
  for (const auto& pe : pes_)
    queued +=
        pe->counts().sent_total() - pe->counts().sent_away_total() - pe->counts().processed_total();
  return static_cast<std::int64_t>(queued);
}

void Runtime::fire_requests() {
  std::vector<Quiescence::Request> requests;
  {
    const std::unique_lock deciding = quiescence_.decide();
    requests = quiescence_.take_requests();
  }
  for (const Quiescence::Request& request : requests) send_request(request);
}

void Runtime::send_request(const Quiescence::Request& request) {
  const Envelope& envelope = request.envelope;
  detail::send_to(*envelope.target, request.lane, *envelope.entry, envelope.step, envelope.payload);
}

InternalError Runtime::deadlock(const std::string& who_waits) {
  return InternalError(
      {.what = "every chare waits and no message is in flight",
       .where = who_waits,
       .hint = "a message was not sent, or was sent with another step than the awaited one"});
}

bool Runtime::on_idle() {
  if (network_) {
    network_->look_for_quiet();
    return false;
  }
  if (!quiescence_.quiet(pes_)) return false;
  const std::unique_lock deciding = quiescence_.decide();
  if (!quiescence_.quiet(pes_) || stopping()) return false;
  const std::vector<Quiescence::Request> requests = quiescence_.take_requests();
  for (const Quiescence::Request& request : requests) send_request(request);
  if (!requests.empty()) return true;
  if (until_quiescent_) {
    stop();
    return true;
  }
  if (!options_.deadlock_is_error) return false;
  // Nothing runs, so this thread may look at the chares of all PEs.
  fail(std::make_exception_ptr(deadlock(describe_waiting())));
  return true;
}

void Runtime::run() {
  until_quiescent_ = false;
  expects_quiet_.store(true, std::memory_order_relaxed);
  run_threads();
}

void Runtime::run_until_quiescent(Quiet quiet) {
  until_quiescent_ = true;
  expects_quiet_.store(quiet == Quiet::at_any_time, std::memory_order_relaxed);
  run_threads();
}

void Runtime::expect_quiet() noexcept {
  expects_quiet_.store(true, std::memory_order_relaxed);
  if (network_) network_->expect_quiet();
}

void Runtime::run_threads() {
  FG_CHECK(!failed_);
  FG_CHECK(Pe::current() == nullptr);  // a chare cannot call run
  const int entries = number_entries();
  for (const auto& pe : pes_) pe->prepare(entries);
  stopping_.store(false, std::memory_order_relaxed);
  if (network_) network_->begin_run();
  const auto begin = RunClock::now();
  // A trace goes on after objects have moved, but not from before the first run.
  if (!std::exchange(relocated_, false) || start_ticks_ == 0) start_trace();
  if (single_threaded()) {
    pes_.front()->main();
  } else {
    std::vector<std::jthread> threads;
    threads.reserve(pes_.size());
    try {
      for (const auto& pe : pes_) {
        threads.emplace_back([this, &pe] {
          bind_thread(pe->rank() - first_pe_here());
          pe->main();
        });
      }
      for (int i = 0; i < comm_threads_; ++i)
        threads.emplace_back([this, i] {
          if (!options_.processors.empty()) bind_thread(pes_here() + i);
          communicate();
        });
    } catch (const std::system_error& error) {
      fail(std::make_exception_ptr(ResourceError(
          {.what = std::string("a worker thread cannot be started: ") + error.what(),
           .value = std::to_string(threads.size()) + " threads run",
           .limit = std::to_string(pes_here()) + " are wanted",
           .hint = "use fewer PEs, or raise the limits on memory and processes (ulimit "
                   "-v, ulimit -u)"})));
    }
  }
  if (network_) network_->end_run();
  const std::uint64_t elapsed_ticks = ticks_now() - start_ticks_;
  const auto end = RunClock::now();
  wall_seconds_ = std::chrono::duration<double>(end - begin).count();
  seconds_per_tick_ = std::chrono::duration<double>(end - start_steady_).count() /
                      static_cast<double>(std::max<std::uint64_t>(1, elapsed_ticks));
  if (!error_) return;
  failed_ = true;
  for (const auto& pe : pes_) pe->discard_queued();
  std::rethrow_exception(error_);
}

void Runtime::bind_thread(int thread) const noexcept {
  if (first_place_ < 0) return;
  const int place = first_place_ + thread;
  if (options_.processors.empty())
    pin_to_core(place);
  else
    pin_to_processor(options_.processors[static_cast<std::size_t>(place)]);
}

/// Brings each PE's records into memory near its core before the run, so that this time is not
/// measured.
void Runtime::touch_traces() {
  if (single_threaded()) return pes_.front()->tracer()->touch();
  std::vector<std::jthread> threads;
  threads.reserve(pes_.size());
  try {
    for (const auto& pe : pes_)
      threads.emplace_back([this, &pe] {
        bind_thread(pe->rank() - first_pe_here());
        pe->tracer()->touch();
      });
  } catch (const std::system_error&) {
    return;  // the run will fail to start its threads too, and reports it
  }
}

void Runtime::start_trace() {
  for (const auto& pe : pes_)
    if (Tracer* const tracer = pe->tracer()) tracer->clear();
  start_steady_ = RunClock::now();
  start_ = std::chrono::system_clock::now();
  start_ticks_ = ticks_now();
}

/// The main function of a communication thread.
void Runtime::communicate() noexcept {
  try {
    Pool::attach();
  } catch (...) {
    return fail(std::current_exception());  // no memory
  }
  Pe::set_producer(this);
  try {
    int idle = 0;
    while (!stopping()) {
      if (network_->progress()) {
        idle = 0;
      } else if (++idle < idle_policy_.spins) {
        pause_core();
      } else {
        network_->look_for_quiet();
        std::this_thread::sleep_for(std::chrono::microseconds(idle_policy_.nap));
      }
    }
  } catch (...) {
    fail(std::current_exception());
  }
  Pe::set_producer(nullptr);
  Pool::detach();
}

std::string Runtime::describe_waiting(std::size_t most) const {
  std::string text;
  std::size_t waiting = 0;
  for (const auto& array : arrays_) {
    if (!array) continue;
    for (const auto& object : array->objects) {
      if (!object) continue;
      const std::string lacks = object->describe_wait();
      if (lacks.empty()) continue;
      if (++waiting <= most)
        text += (text.empty() ? "" : "; ") + array->element_name(object->ordinal()) + " " + lacks;
    }
  }
  if (waiting > most) text += "; and " + std::to_string(waiting - most) + " more";
  return text;
}

Profile Runtime::profile() const {
  Profile profile;
  profile.wall_seconds = wall_seconds_;
  const std::vector<std::string> phases = phase_names();
  profile.phases.resize(phases.size());
  for (std::size_t i = 0; i < phases.size(); ++i) profile.phases[i].name = phases[i];
  const auto seconds = [this](const Account::Item& item) {
    return static_cast<double>(item.ticks) * seconds_per_tick_;
  };
  for (const auto& pe : pes_) {
    Profile::PerPe one;
    one.processed = pe->counts().processed_total();
    one.sent = pe->counts().sent_total();
    one.sent_to_others = pe->sent_to_others();
    const std::vector<Account::Item>& items = pe->account().items();
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i == Account::idle) {
        one.idle = seconds(items[i]);
      } else if (i == Account::scheduler) {
        one.scheduling = seconds(items[i]);
      } else if (i == Account::sending) {
        one.sending = seconds(items[i]);
      } else {
        const std::size_t entry = i - Account::first_entry;
        if (profile.entries.size() <= entry) profile.entries.resize(entry + 1);
        profile.entries[entry].count += items[i].count;
        profile.entries[entry].seconds += seconds(items[i]);
        one.busy += seconds(items[i]);
      }
    }
    const std::vector<Account::Item>& timed = pe->account().phases();
    for (std::size_t i = 0; i < std::min(timed.size(), phases.size()); ++i) {
      profile.phases[i].count += timed[i].count;
      profile.phases[i].seconds += seconds(timed[i]);
    }
    profile.pes.push_back(one);
  }
  for (std::size_t i = 0; i < profile.entries.size(); ++i)
    profile.entries[i].name = entry_with_id(static_cast<int>(i)).name;
  const auto unused = [](const Profile::Item& item) {
    return item.count == 0 && item.seconds == 0;
  };
  const auto longer = [](const Profile::Item& a, const Profile::Item& b) {
    return a.seconds > b.seconds;
  };
  for (std::vector<Profile::Item>* items : {&profile.entries, &profile.phases}) {
    std::erase_if(*items, unused);
    std::stable_sort(items->begin(), items->end(), longer);
  }
  return profile;
}

std::string detail::class_name(const char* pretty_function) {
  const std::string_view whole = pretty_function;
  const std::string_view mark = "C = ";
  const std::size_t begin = whole.find(mark);
  if (begin == std::string_view::npos) return "chare";
  const std::size_t start = begin + mark.size();
  std::string_view name = whole.substr(start, whole.find_first_of(";]", start) - start);
  // Not those of its template arguments.
  const std::size_t colons = name.substr(0, name.find('<')).rfind("::");
  if (colons != std::string_view::npos) name.remove_prefix(colons + 2);
  return std::string(name);
}

}  // namespace fg
