// SPDX-License-Identifier: BSD-3-Clause
#include "app/standard_streams.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/error.hpp"
#include "base/visible.hpp"

namespace fg::app {

namespace {

int output_failure = 0;  // errno of the first failure
int error_failure = 0;

void wait_for_room(int descriptor) {
  pollfd output{.fd = descriptor, .events = POLLOUT, .revents = 0};
  ::poll(&output, 1, -1);
}

void write_while_possible(int descriptor, std::string_view text, int& failure) {
  while (!text.empty() && failure == 0) {
    const auto written = ::write(descriptor, text.data(), text.size());
    if (written > 0)
      text.remove_prefix(static_cast<std::size_t>(written));
    else if (errno == EAGAIN)
      wait_for_room(descriptor);
    else if (errno != EINTR)
      failure = errno;
  }
}

}  // namespace

void open_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0)
      ::open("/dev/null", O_RDWR);  // takes the lowest free number
}

void say(std::string_view text) {
  write_while_possible(STDOUT_FILENO, text, output_failure);
}

void complain(std::string_view text) {
  write_while_possible(STDERR_FILENO, visible(text), error_failure);
}

void check_all_was_said() {
  if (output_failure == 0 || output_failure == EPIPE || output_failure == EBADF) return;
  throw ResourceError({.what = std::string("cannot be written: ") + std::strerror(output_failure),
                       .where = "standard output",
                       .hint = "the files of the run are whole"});
}

}  // namespace fg::app
