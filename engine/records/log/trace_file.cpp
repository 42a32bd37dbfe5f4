// SPDX-License-Identifier: BSD-3-Clause
#include "records/log/trace_file.hpp"

#include <fmt/core.h>
#include <limits.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <span>
#include <string_view>
#include <utility>

#include "records/files/files.hpp"

namespace fg {

namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

template <class Items, class Text>
std::string list(const Items& items, Text&& text) {
  std::string out;
  for (const auto& item : items) out += (out.empty() ? "" : ", ") + text(item);
  return "[" + out + "]";
}

std::uint64_t records_of(const Trace::OfPe& pe) {
  return pe.records[0].size() + pe.records[1].size();
}

/// The offsets of a record's fields, with NumPy's names of their types.
std::string fields() {
  const auto field = [](const char* name, const char* type, std::size_t offset) {
    return fmt::format("[\"{}\", \"{}\", {}]", name, type, offset);
  };
  return fmt::format("[{}, {}, {}, {}, {}, {}, {}, {}, {}]",
                     field("begin", "u8", offsetof(TraceRecord, begin)),
                     field("duration", "u8", offsetof(TraceRecord, duration)),
                     field("cause", "u8", offsetof(TraceRecord, cause)),
                     field("step", "i8", offsetof(TraceRecord, step)),
                     field("bytes", "u4", offsetof(TraceRecord, bytes)),
                     field("element", "u4", offsetof(TraceRecord, element)),
                     field("array", "u2", offsetof(TraceRecord, array)),
                     field("entry", "u2", offsetof(TraceRecord, entry)),
                     field("kind", "u1", offsetof(TraceRecord, kind)));
}

/// Name and boot id of this machine. The tick counter runs from one boot to the next, and all
/// processes of that time read the same counter.
std::string host() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  ::gethostname(name.data(), name.size() - 1);
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  return fmt::format("{} {}", name.data(), boot);
}

std::string heading(const Trace& trace, int process) {
  const auto array = [](const Trace::Array& a) {
    return fmt::format("{{\"name\": {}, \"shape\": {}}}", quoted(a.name),
                       list(a.shape, [](int extent) { return std::to_string(extent); }));
  };
  const auto pe = [](const Trace::OfPe& p) {
    return fmt::format("{{\"pe\": {}, \"begin\": {}, \"end\": {}, \"records\": {}, \"lost\": {}}}",
                       p.rank, p.begin, p.end, records_of(p), p.lost);
  };
  std::string text = fmt::format(
      "{{\"format\": 1, \"process\": {}, \"host\": {}, \"byte_order\": {},\n"
      " \"seconds_per_tick\": {:.17g}, \"start\": {:.6f}, \"start_ticks\": {},\n"
      " \"record_bytes\": {}, \"fields\": {},\n"
      " \"kinds\": [\"entry\", \"resume\", \"idle\"],\n"
      " \"entries\": {},\n \"arrays\": {},\n \"pes\": {}}}",
      process, quoted(host()), std::endian::native == std::endian::little ? "\"<\"" : "\">\"",
      trace.seconds_per_tick, trace.start, trace.start_ticks, sizeof(TraceRecord), fields(),
      list(trace.entries, quoted), list(trace.arrays, array), list(trace.pes, pe));
  // records are aligned for readers that map the file
  text.resize((text.size() + 1 + 63) / 64 * 64, ' ');
  text.back() = '\n';
  return text;
}

/// Removes the unfinished file on every exit except the successful one.
class Unfinished {
 public:
  explicit Unfinished(const std::string& path) : path_(path + ".part") {
    ::unlink(path_.c_str());  // of a killed run, or a link
    file_ = open_for_append(path_, true);
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  ~Unfinished() {
    if (file_ >= 0) ::close(file_);
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  template <class T>
  void append(std::span<const T> items) const {
    write_all(file_, std::as_bytes(items), path_);
  }
  // Not synced: after a power cut a trace may be missing.
  void put_in_place_of(const std::string& path) {
    const int closed = ::close(std::exchange(file_, -1));
    if (closed != 0 || std::rename(path_.c_str(), path.c_str()) != 0)
      throw_write_failure(path_, errno);
    path_.clear();
  }

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace

std::string trace_path(const std::string& folder, int process) {
  return fmt::format("{}/trace.{}.bin", folder, process);
}

void write_trace(const std::string& path, const Trace& trace, int process) {
  const std::string text = heading(trace, process);
  const std::uint64_t length = text.size();
  constexpr std::string_view mark = "FGTRACE1";
  Unfinished file(path);
  file.append(std::span<const char>(mark));
  file.append(std::span<const std::uint64_t>(&length, 1));
  file.append(std::span<const char>(text));
  for (const Trace::OfPe& pe : trace.pes)
    for (const auto& part : pe.records) file.append(part);
  file.put_in_place_of(path);
}

void remove_traces_of_others(const std::string& folder) {
  for (int process = 1; ::unlink(trace_path(folder, process).c_str()) == 0; ++process) {
  }
}

TraceOutput::TraceOutput(std::function<Trace()> trace, const std::string& folder, int process)
    : trace_(std::move(trace)), path_(trace_path(folder, process)), process_(process) {
  if (process == 0) remove_traces_of_others(folder);
}

std::string TraceOutput::write() {
  if (std::exchange(written_, true)) return {};
  try {
    const Trace trace = trace_();
    if (trace.start_ticks != 0) write_trace(path_, trace, process_);  // otherwise it never ran
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace fg
