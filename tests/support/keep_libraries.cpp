// SPDX-License-Identifier: BSD-3-Clause
//
// For tests with sanitizers: libraries stay loaded to the end of the process, so that a report of
// leaks names the one that each comes from.
#include <dlfcn.h>

extern "C" int dlclose(void* /*library*/) noexcept {
  return 0;
}
