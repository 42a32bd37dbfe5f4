// SPDX-License-Identifier: BSD-3-Clause
#include "processes/ranks.hpp"

#include <algorithm>
#include <new>
#include <string>

#include "base/carried_error.hpp"

namespace fg {

Known who_knows(const Runtime* runtime, const std::exception_ptr& error) {
  const bool failed = runtime && runtime->failed();
  if (failed && !runtime->cut_off()) return Known::everywhere;  // it has told the others
  try {
    std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    return Known::alone;
  } catch (const InputError&) {
    return failed ? Known::cut_off : Known::everywhere;  // all processes have the same input
  } catch (...) {
    return failed ? Known::cut_off : Known::alone;
  }
}

void throw_known(const Transport* transport, const Runtime* runtime,
                 const std::exception_ptr& error) {
  if (!transport || who_knows(runtime, error) != Known::alone) std::rethrow_exception(error);
  try {
    const std::string where = "process " + std::to_string(transport->rank());
    std::rethrow_exception(error_from_bytes(error_to_bytes(error, where)));
  } catch (const Error& known) {
    throw LoneError(known);
  }
}

void agree(Transport* transport, const std::exception_ptr& mine) {
  if (!transport) return;
  const auto bytes = mine ? error_to_bytes(mine) : std::vector<std::byte>();
  auto all = transport->gather(bytes);
  const auto first =
      std::find_if(all.begin(), all.end(), [](const auto& error) { return !error.empty(); });
  const auto verdict =
      transport->broadcast(first == all.end() ? std::vector<std::byte>() : std::move(*first));
  if (!verdict.empty()) std::rethrow_exception(error_from_bytes(verdict));
}

}  // namespace fg
