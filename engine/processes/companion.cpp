// SPDX-License-Identifier: BSD-3-Clause
#include "processes/companion.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <system_error>
#include <utility>

extern char** environ;

namespace fg {

namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 32;  // of a frame
constexpr std::size_t most_message = 600;                     // of its last lines, in an error

/// The same bits whatever the number of cores.
constexpr std::string_view one_thread[] = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
                                           "MKL_NUM_THREADS"};

std::string in_words(int error) {
  return std::generic_category().message(error);
}

std::vector<std::string> environment() {
  std::vector<std::string> all;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view text(*one);
    const std::string_view variable = text.substr(0, text.find('='));
    if (std::find(std::begin(one_thread), std::end(one_thread), variable) == std::end(one_thread))
      all.emplace_back(text);
  }
  for (const std::string_view variable : one_thread) all.push_back(std::string(variable) + "=1");
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// Puts the calling thread on the cores of the process while this lives. The thread of a PE has one
/// core, which the program would inherit. Does nothing on machines with more cores than a set has.
class OnAllCores {
 public:
  OnAllCores() noexcept
      : changed_(sched_getaffinity(0, sizeof own_, &own_) == 0 &&
                 sched_getaffinity(getpid(), sizeof all_, &all_) == 0 &&
                 sched_setaffinity(0, sizeof all_, &all_) == 0) {}
  ~OnAllCores() {
    if (changed_) sched_setaffinity(0, sizeof own_, &own_);
  }
  OnAllCores(const OnAllCores&) = delete;
  OnAllCores& operator=(const OnAllCores&) = delete;

 private:
  cpu_set_t own_, all_;
  bool changed_;
};

/// Starts it in a group of its own, so that Ctrl-C reaches only the run. The run may still need the
/// program for its last step. It has the usual signals. Returns the number of an error.
int spawn(pid_t& process, std::vector<std::string> command, int socket, int messages) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, socket, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, socket, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, messages, STDERR_FILENO);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&usual, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> variables = environment();
  const std::vector<char*> words = pointers(command), values = pointers(variables);
  const OnAllCores cores;
  const int error =
      posix_spawnp(&process, words.front(), &files, &attributes, words.data(), values.data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return error;
}

void close_all(std::initializer_list<int> files) {
  for (const int file : files)
    if (file >= 0) close(file);
}

}  // namespace

Companion::Companion(std::string task, std::vector<std::string> command)
    : task_(std::move(task)), command_(std::move(command)) {
  FG_CHECK(!command_.empty());
  start();
}

void Companion::start() {
  int ends[2] = {-1, -1};
  messages_ = memfd_create("finegrain-companion", MFD_CLOEXEC);
  int error =
      messages_ < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0 ? errno : 0;
  if (error == 0) error = spawn(process_, command_, ends[1], messages_);
  close_all({ends[1]});
  if (error == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) error = errno;
  socket_ = ends[0];
  if (error == 0) return;
  close_all({socket_, messages_});
  throw ResourceError({.what = "the program that " + task_ + " cannot be started",
                       .where = command_.front(),
                       .value = in_words(error),
                       .hint = "make the job again with this installation of finegrain"});
}

Companion::~Companion() {
  close_all({socket_});
  // It has nothing to save.
  if (process_ > 0) {
    kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  close_all({messages_});
}

void Companion::send(std::uint32_t kind, std::uint64_t number, std::span<const std::byte> bytes) {
  const CompanionHead head{.kind = kind, .number = number, .bytes = bytes.size()};
  const auto* const first = reinterpret_cast<const std::byte*>(&head);
  out_.insert(out_.end(), first, first + sizeof head);
  out_.insert(out_.end(), bytes.begin(), bytes.end());
  write_some();
}

/// If it has ended, `receive` says so.
void Companion::write_some() {
  while (written_ < out_.size()) {
    const ssize_t n = ::send(socket_, out_.data() + written_, out_.size() - written_, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return;
    written_ += static_cast<std::size_t>(n);
  }
  out_.clear();
  written_ = 0;
}

bool Companion::read_some() {
  std::array<std::byte, 65536> piece;
  bool came = false;
  for (;;) {
    const ssize_t n = recv(socket_, piece.data(), piece.size(), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return came;
    if (n <= 0) {
      if (came) return true;  // what it has said before is still heard
      fail_ended();
    }
    in_.insert(in_.end(), piece.begin(), piece.begin() + n);
    came = true;
  }
}

std::optional<CompanionFrame> Companion::receive(std::chrono::microseconds patience) {
  if (auto frame = take_frame()) return frame;
  write_some();
  pollfd one{.fd = socket_,
             .events = static_cast<short>(out_.empty() ? POLLIN : POLLIN | POLLOUT),
             .revents = 0};
  const timespec time{.tv_sec = patience.count() / 1'000'000,
                      .tv_nsec = patience.count() % 1'000'000 * 1000};
  ppoll(&one, 1, &time, nullptr);
  if (!read_some()) return std::nullopt;
  return take_frame();
}

std::optional<CompanionFrame> Companion::take_frame() {
  if (in_.empty()) return std::nullopt;
  CompanionHead head;
  const std::size_t there = std::min(in_.size(), head.magic.size());
  // As soon as a byte is wrong: the rest may never come.
  if (std::memcmp(in_.data(), head.magic.data(), there) != 0)
    throw trouble("the program that " + task_ + " answers something else");
  if (in_.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, in_.data(), sizeof head);
  if (head.version != CompanionHead::this_version)
    throw trouble("the program that " + task_ + " speaks version " + std::to_string(head.version) +
                  ", not " + std::to_string(CompanionHead::this_version));
  if (head.bytes > most_bytes)
    throw trouble("the program that " + task_ + " announces an answer of " +
                  std::to_string(head.bytes) + " bytes");
  if (in_.size() < sizeof head + head.bytes) return std::nullopt;
  const auto begin = in_.begin() + sizeof head;
  const auto end = begin + static_cast<std::ptrdiff_t>(head.bytes);
  CompanionFrame frame{.kind = head.kind, .number = head.number, .bytes = {begin, end}};
  in_.erase(in_.begin(), end);
  return frame;
}

void Companion::fail_ended() {
  int status = 0;
  // Its end of the socket is closed: it ends, or will not be of use any more.
  kill(process_, SIGKILL);
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  std::string end = "has ended";
  if (WIFEXITED(status)) end += " with status " + std::to_string(WEXITSTATUS(status));
  if (WIFSIGNALED(status)) end += " by signal " + std::to_string(WTERMSIG(status));
  throw trouble("the program that " + task_ + " " + end);
}

std::string Companion::last_lines() const {
  struct stat file {};
  if (fstat(messages_, &file) != 0 || file.st_size <= 0) return {};
  const auto size = static_cast<std::size_t>(file.st_size);
  const std::size_t begin = size > most_message ? size - most_message : 0;
  std::string text(size - begin, '\0');
  const ssize_t n = pread(messages_, text.data(), text.size(), static_cast<off_t>(begin));
  text.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
  if (begin > 0 && text.find('\n') != std::string::npos) text.erase(0, text.find('\n') + 1);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

ResourceError Companion::trouble(const std::string& what) const {
  std::string words;
  for (const std::string& word : command_) words += (words.empty() ? "" : " ") + word;
  const std::string said = last_lines();
  return ResourceError(
      {.what = what,
       .where = words,
       .value = said.empty() ? "it has written nothing" : "its last lines: " + said,
       .hint = "run this command by hand to see whether it starts; a run goes on "
               "from its last checkpoint with finegrain resume"});
}

}  // namespace fg
