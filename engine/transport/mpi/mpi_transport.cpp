// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/mpi_transport.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <utility>

#include "transport/mpi/mpi_call.hpp"
#include "transport/mpi/mpi_channel.hpp"
#include "transport/mpi/mpi_communicator.hpp"
#include "transport/mpi/mpi_host_memory.hpp"
#include "transport/mpi/mpi_shared_memory.hpp"

namespace fg {

namespace {

using mpi::Channel;
using mpi::done;
using mpi::LongPatience;
using mpi::SharedMemories;

/// Initialises MPI for as long as the transport lives, unless the program has done so.
class MpiLibrary {
 public:
  explicit MpiLibrary(int wanted_level) {
    int running = 0;
    FG_MPI(MPI_Initialized, &running);
    int level = MPI_THREAD_SINGLE;
    if (running) {
      FG_MPI(MPI_Query_thread, &level);
    } else {
      // If processes of a host share no memory, Open MPI would let the kernel copy packets of more
      // than 4 kB. This takes five times as long. A limit that the user has set is kept.
      for (const char* limit : {"OMPI_MCA_btl_vader_eager_limit", "OMPI_MCA_btl_sm_eager_limit"})
        setenv(limit, "16384", 0);
      FG_MPI(MPI_Init_thread, nullptr, nullptr, wanted_level, &level);
      ends_ = true;
    }
    if (level < wanted_level) {
      const bool several = wanted_level == MPI_THREAD_MULTIPLE;
      throw ResourceError({.what = several ? "this MPI cannot be called by several threads at once"
                                           : "this MPI cannot be called by several threads in turn",
                           .limit = several ? "MPI_THREAD_MULTIPLE" : "MPI_THREAD_SERIALIZED",
                           .hint = several ? "use one communication thread"
                                           : "use an MPI library that was built with threads"});
    }
  }
  ~MpiLibrary() {
    if (ends_) MPI_Finalize();
  }
  MpiLibrary(const MpiLibrary&) = delete;
  MpiLibrary& operator=(const MpiLibrary&) = delete;

 private:
  bool ends_ = false;
};

int wanted_level(const MpiOptions& options) {
  if (options.single_threaded) return MPI_THREAD_SINGLE;
  return options.channels > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED;
}

class MpiTransport final : public Transport {
 public:
  MpiTransport(MPI_Comm processes, const MpiOptions& options)
      : library_(wanted_level(options)),
        single_threaded_(options.single_threaded),
        shares_memory_(options.share_memory) {
    FG_CHECK(options.channels >= 1 && (options.channels == 1 || !single_threaded_));
    FG_MPI(MPI_Comm_dup, processes, &together_);
    FG_MPI(MPI_Comm_set_errhandler, together_, MPI_ERRORS_RETURN);
    FG_MPI(MPI_Comm_rank, together_, &rank_);
    FG_MPI(MPI_Comm_size, together_, &size_);
    host_ = std::make_unique<SharedMemories>(together_);
    for (int i = 0; i < options.channels; ++i)
      channels_.push_back(std::make_unique<Channel>(together_, single_threaded_));
    if (!single_threaded_) connect_within_host();
  }

  ~MpiTransport() override {
    for (const auto& channel : channels_) channel->finish_sending();
    MPI_Request all_here = MPI_REQUEST_NULL;
    int flag = 0;
    if (single_threaded_)
      MPI_Barrier(together_);
    else if (MPI_Ibarrier(together_, &all_here) == MPI_SUCCESS)
      for (LongPatience patience;
           MPI_Test(&all_here, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS && !flag;)
        patience.wait();
    channels_.clear();
    host_.reset();
    MPI_Comm_free(&together_);
  }

  int rank() const noexcept override { return rank_; }
  int processes() const noexcept override { return size_; }
  int processes_here() const noexcept override { return host_->processes_here(); }
  int rank_here() const noexcept override { return host_->rank_here(); }

  std::string description() const override {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    std::string all(text.data(), static_cast<std::size_t>(length));
    all.resize(std::min(all.size(), all.find_first_of(",\n")));
    // MPICH formats its text with tabs.
    std::replace(all.begin(), all.end(), '\t', ' ');
    return all;
  }

  void send(int to, const PacketWords& words, std::span<const std::int32_t> list,
            Ref<const Message> message, bool urgent) override {
    FG_CHECK(to >= 0 && to < size_ && to != rank_);
    // The channel depends on both ranks, so both ends distribute their peers over the channels in
    // the same way. Neighbouring ranks use different channels.
    channels_[static_cast<std::size_t>(rank_ + to) % channels_.size()]->send(
        to, words, list, std::move(message), urgent);
  }

  bool progress(PacketSink& sink) override {
    if (channels_.size() == 1) return channels_.front()->progress(sink);
    // Each thread begins with a channel of its own, then also drives the others.
    static constinit std::atomic<std::size_t> threads{0};
    thread_local const std::size_t mine = threads.fetch_add(1, std::memory_order_relaxed);
    bool moved = false;
    for (std::size_t i = 0; i < channels_.size(); ++i)
      moved |= channels_[(mine + i) % channels_.size()]->progress(sink);
    return moved;
  }

  std::size_t pending() const noexcept override {
    std::size_t sum = 0;
    for (const auto& channel : channels_) sum += channel->pending();
    return sum;
  }

  bool single_threaded() const noexcept override { return single_threaded_; }

  void wait(PacketSink& sink, double at_most) override {
    if (progress(sink)) return;
    if (at_most == std::numeric_limits<double>::infinity())
      return channels_.front()->wait(sink, nullptr);
    // MPI has no wait with a time limit.
    const double end = seconds() + at_most;
    do {
      mpi::sleep_microseconds(nap);
    } while (!progress(sink) && seconds() < end);
  }

  double seconds() const override {
    if (single_threaded_) return MPI_Wtime();
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  void settle(PacketSink& sink) override {
    // Received records are summed before sent ones; if the sums are equal, nothing is in flight.
    for (;;) {
      const std::uint64_t received = sum_of_all(&Channel::received, sink);
      if (sum_of_all(&Channel::sent, sink) == received) break;
    }
    // No process may send again while another still takes in packets of this run.
    MPI_Request request = MPI_REQUEST_NULL;
    FG_MPI(MPI_Ibarrier, together_, &request);
    complete(request);
  }

  std::vector<std::byte> broadcast(std::vector<std::byte> bytes) override {
    std::uint64_t size = bytes.size();
    tell_all(&size, 1, MPI_UINT64_T);
    bytes.resize(size);
    for (std::uint64_t at = 0; at < size; at += chunk)
      tell_all(bytes.data() + at, static_cast<int>(std::min<std::uint64_t>(chunk, size - at)),
               MPI_BYTE);
    return bytes;
  }

  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) override {
    FG_CHECK(bytes.size() < chunk);
    const int mine = static_cast<int>(bytes.size());
    std::vector<int> sizes(static_cast<std::size_t>(size_)), places(sizes.size());
    MPI_Request request = MPI_REQUEST_NULL;
    FG_MPI(MPI_Igather, &mine, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, together_, &request);
    complete(request);
    std::size_t total = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      places[i] = static_cast<int>(total);
      total += static_cast<std::size_t>(sizes[i]);
    }
    FG_CHECK(total < chunk);
    std::vector<std::byte> all(total);
    FG_MPI(MPI_Igatherv, bytes.data(), mine, MPI_BYTE, all.data(), sizes.data(), places.data(),
           MPI_BYTE, 0, together_, &request);
    complete(request);
    // Else those that only send would be many calls ahead of rank 0, and fill its memory.
    FG_MPI(MPI_Ibarrier, together_, &request);
    complete(request);
    std::vector<std::vector<std::byte>> parts;
    if (rank_ == 0)
      for (std::size_t i = 0; i < sizes.size(); ++i)
        parts.emplace_back(all.begin() + places[i], all.begin() + places[i] + sizes[i]);
    return parts;
  }

  std::shared_ptr<const SharedMemory> share(std::span<const std::size_t> bytes) override {
    FG_CHECK(bytes.size() == static_cast<std::size_t>(size_));
    return shares_memory_ ? host_->share(bytes) : nullptr;
  }

  void end_all(int exit_status) noexcept override { MPI_Abort(together_, exit_status); }

 private:
  static constexpr std::uint64_t chunk = std::uint64_t{1} << 30;
  static constexpr unsigned nap = 2;  // microseconds

  /// Process 0 tells all others. In MPI_Ibcast of SimGrid (3.32) it sends to each of them itself;
  /// MPI_Bcast is a tree.
  void tell_all(void* values, int count, MPI_Datatype type) const {
    if (single_threaded_) return FG_MPI(MPI_Bcast, values, count, type, 0, together_);
    MPI_Request request = MPI_REQUEST_NULL;
    FG_MPI(MPI_Ibcast, values, count, type, 0, together_, &request);
    complete(request);
  }

  std::uint64_t sum_of_all(std::uint64_t (Channel::*count)() const noexcept, PacketSink& sink) {
    drive_until([this] { return pending() == 0; }, nullptr, sink);
    std::uint64_t mine = 0, sum = 0;
    for (const auto& channel : channels_) mine += (channel.get()->*count)();
    // SimGrid (3.32) lets each process send to every other one in MPI_Iallreduce.
    MPI_Request request = MPI_REQUEST_NULL;
    FG_MPI(MPI_Ireduce, &mine, &sum, 1, MPI_UINT64_T, MPI_SUM, 0, together_, &request);
    drive_until([&] { return done(request); }, &request, sink);
    FG_MPI(MPI_Ibcast, &sum, 1, MPI_UINT64_T, 0, together_, &request);
    drive_until([&] { return done(request); }, &request, sink);
    return sum;
  }

  /// Takes in what arrives until something is so; a request may be waited for besides.
  template <typename Condition>
  void drive_until(const Condition& is_so, MPI_Request* request, PacketSink& sink) {
    LongPatience patience;
    while (!is_so()) {
      if (progress(sink)) continue;
      if (single_threaded_) {
        channels_.front()->wait(sink, request);
      } else {
        patience.wait();
      }
    }
  }

  void connect_within_host() {
    const int here = processes_here();
    std::vector<std::size_t> bytes(static_cast<std::size_t>(size_), Channel::ring_bytes(here));
    bytes[static_cast<std::size_t>(rank_)] = 0;
    for (const auto& channel : channels_)
      if (auto memory = share(bytes)) channel->use_rings(std::move(memory), here);
    if (shares_memory_ && mpi::agree_on_host_memory(host_->host()))
      for (const auto& channel : channels_) channel->use_addresses(host_->processes());
    MPI_Request all_here = MPI_REQUEST_NULL;
    FG_MPI(MPI_Ibarrier, together_, &all_here);
    complete(all_here);
  }

  /// Waits until all processes have reached this point.
  void complete(MPI_Request& request) const {
    if (single_threaded_) return FG_MPI(MPI_Wait, &request, MPI_STATUS_IGNORE);
    mpi::complete(request);
  }

  MpiLibrary library_;
  bool single_threaded_;
  bool shares_memory_;
  int rank_ = 0, size_ = 1;
  MPI_Comm together_ = MPI_COMM_NULL;  // for collective operations
  std::unique_ptr<SharedMemories> host_;
  std::vector<std::unique_ptr<Channel>> channels_;
};

}  // namespace

std::unique_ptr<Transport> make_mpi_transport(const MpiOptions& options) {
  return make_mpi_transport(MPI_COMM_WORLD, options);
}

std::unique_ptr<Transport> make_mpi_transport(MPI_Comm processes, const MpiOptions& options) {
  return std::make_unique<MpiTransport>(processes, options);
}

}  // namespace fg
