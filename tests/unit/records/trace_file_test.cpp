// SPDX-License-Identifier: BSD-3-Clause
//
// The file of a trace, read according to its description; and after a failed write no partial file
// is left.
#include "records/log/trace_file.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "job_file.hpp"
#include "records/files/files.hpp"

namespace fg {
namespace {

using test::TestFolder;

constexpr std::size_t before_heading = 16;

TraceRecord record(std::uint64_t begin) {
  return {.begin = begin,
          .duration = 5,
          .cause = trace_cause(1, begin - 3),
          .step = 7,
          .bytes = 640,
          .element = 2,
          .array = 0,
          .entry = 1,
          .kind = TraceKind::entry,
          .unused = {}};
}

struct Sample {
  std::vector<TraceRecord> first{record(100), record(110)}, second{record(90)};
  Trace trace{
      .seconds_per_tick = 1e-9,
      .start = 1.5e9,
      .start_ticks = 80,
      .entries = {"fg::Cell::life", "an \"entry\" \\ with marks"},
      .arrays = {{"Cell", {2, 3}}},
      .pes = {{.rank = 5, .begin = 81, .end = 120, .lost = 4, .records = {{first, second}}}}};
};

std::uint64_t number_at(const std::vector<std::byte>& bytes, std::size_t offset) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

TEST(TraceFile, HasMarkHeadingAndRecords) {
  const TestFolder folder;
  const Sample sample;
  const std::string path = trace_path(folder / "");
  write_trace(path, sample.trace);
  const std::vector<std::byte> bytes = read_whole_file(path);
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  EXPECT_EQ(std::string(text, 8), "FGTRACE1");
  const std::uint64_t length = number_at(bytes, 8);
  EXPECT_EQ(length % 64, 0u);
  ASSERT_EQ(bytes.size(), before_heading + length + 3 * sizeof(TraceRecord));
  const std::string heading(text + before_heading, length);
  EXPECT_NE(heading.find(R"("an \"entry\" \\ with marks")"), std::string::npos);
  EXPECT_NE(heading.find(R"({"name": "Cell", "shape": [2, 3]})"), std::string::npos);
  EXPECT_NE(heading.find(R"({"pe": 5, "begin": 81, "end": 120, "records": 3, "lost": 4})"),
            std::string::npos);
  const std::size_t records = before_heading + length;
  for (const auto& [i, begin] : {std::pair{0, 100}, {1, 110}, {2, 90}})
    EXPECT_EQ(number_at(bytes, records + static_cast<std::size_t>(i) * sizeof(TraceRecord)),
              static_cast<std::uint64_t>(begin));
}

TEST(TraceFile, OfAnotherProcessHasItsNumberAndTheSameHost) {
  EXPECT_EQ(trace_path("runs/water", 3), "runs/water/trace.3.bin");
  const TestFolder folder;
  const auto host_of = [&](int process) {
    const std::string path = trace_path(folder / "", process);
    write_trace(path, Sample().trace, process);
    const std::vector<std::byte> bytes = read_whole_file(path);
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    EXPECT_NE(text.find("\"process\": " + std::to_string(process)), std::string::npos);
    const std::size_t begin = text.find("\"host\": ");
    return text.substr(begin, text.find("\"byte_order\"") - begin);
  };
  const std::string here = host_of(0);
  EXPECT_GT(here.size(), std::string("\"host\": \" \", ").size());
  EXPECT_EQ(host_of(3), here);
}

TEST(TraceFile, OfAnEarlierRunOnMoreProcessesIsRemoved) {
  const TestFolder folder;
  for (int process = 0; process < 3; ++process)
    write_trace(trace_path(folder / "", process), Sample().trace, process);
  remove_traces_of_others(folder / "");
  EXPECT_TRUE(file_exists(trace_path(folder / "", 0)));
  EXPECT_FALSE(file_exists(trace_path(folder / "", 1)));
  EXPECT_FALSE(file_exists(trace_path(folder / "", 2)));
}

TEST(TraceFile, ThatCannotBeWrittenIsAnErrorAndLeavesNoFile) {
  const TestFolder folder;
  const Sample sample;
  EXPECT_THROW(write_trace(trace_path(folder / "absent"), sample.trace), ResourceError);
  // A folder in its place cannot be replaced by a file.
  const std::string path = trace_path(folder / "");
  std::filesystem::create_directories(path + "/something");
  EXPECT_THROW(write_trace(path, sample.trace), ResourceError);
  EXPECT_FALSE(file_exists(path + ".part"));
}

}  // namespace
}  // namespace fg
