// SPDX-License-Identifier: BSD-3-Clause
#include "records/job/job_file.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/error.hpp"
#include "records/files/files.hpp"
#include "records/files/seal.hpp"

namespace fg {

namespace {

std::span<const std::byte> whole_contents(const std::string& path,
                                          std::span<const std::byte> bytes) {
  const Sealed sealed = check_seal(bytes);
  if (sealed.state == SealState::broken)
    throw InputError({.what = "the job is damaged: its SHA-256 does not fit its contents",
                      .where = path,
                      .hint = "copy the file again, or make the job again from its input"});
  return sealed.contents;
}

void check_format(const h5::Reader& file) {
  if (!file.has_attribute("/", "format") || file.text("/", "format") != "finegrain-job")
    throw InputError({.what = "not a finegrain job",
                      .where = file.path(),
                      .hint = "make one from an input file with `finegrain run`"});
  if (const auto version = file.number<std::int64_t>("/", "version"); version != 1)
    throw InputError({.what = "a job of another version",
                      .where = file.path(),
                      .value = std::to_string(version),
                      .limit = "1",
                      .hint = "make the job again with this version of finegrain"});
}

}  // namespace

JobFile::JobFile(const std::string& path) : JobFile(path, read_whole_file(path)) {}

JobFile::JobFile(std::string name, std::span<const std::byte> bytes)
    : contents_(name, whole_contents(name, bytes)) {
  check_format(contents_);
  kind_ = contents_.text("/", "kind");
}

void JobFile::require_kind(std::span<const std::string_view> known) const {
  if (std::find(known.begin(), known.end(), kind_) != known.end()) return;
  std::string names;
  for (const std::string_view name : known)
    names.append(names.empty() ? "'" : ", '").append(name).append("'");
  throw InputError({.what = "a kind of job this engine does not run",
                    .where = contents_.path(),
                    .value = "'" + kind_ + "'",
                    .limit = names,
                    .hint = "make the job again with this version of finegrain"});
}

}  // namespace fg
