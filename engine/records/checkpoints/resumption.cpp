// SPDX-License-Identifier: BSD-3-Clause
#include "records/checkpoints/resumption.hpp"

#include <filesystem>
#include <optional>

#include "base/error.hpp"
#include "records/checkpoints/output_reach.hpp"
#include "records/files/files.hpp"
#include "records/hdf5/journal.hpp"

namespace fg {

namespace {

Checkpoint load_of_job(const std::string& path, const Job& job) {
  Checkpoint checkpoint = load_checkpoint(path);
  check_belongs(checkpoint, path, job_digest(job), job.all_atoms());
  check_division(checkpoint, path, job.settings.patch_grid);
  return checkpoint;
}

/// At the end of a run the results of its last step are needed, too.
bool reaches(const OutputReach& reach, const Checkpoint& checkpoint, const Job& job) {
  return reach.step >= checkpoint.step + (checkpoint.step == job.dynamics.steps ? 1 : 0);
}

/// The previous checkpoint, if it is whole and the results reach it.
std::optional<Checkpoint> one_before(const std::string& path, const Job& job,
                                     const OutputReach& reach, std::int64_t begin) {
  const std::string previous = previous_checkpoint(path);
  if (!file_exists(previous)) return std::nullopt;
  try {
    Checkpoint checkpoint = load_of_job(previous, job);
    if (checkpoint.outputs.begin == begin && reaches(reach, checkpoint, job)) return checkpoint;
  } catch (const InputError&) {
    return std::nullopt;  // damaged, or of another job
  }
  return std::nullopt;
}

/// "trajectory_damaged.h5", or with a number that no file has yet.
std::string free_name(const std::string& path) {
  const std::filesystem::path whole(path);
  const std::string stem = whole.stem().string() + "_damaged", end = whole.extension().string();
  for (int number = 1;; ++number) {
    std::string name = stem;
    if (number > 1) name.append("_").append(std::to_string(number));
    const std::string other = std::filesystem::path(whole).replace_filename(name + end).string();
    if (!file_exists(other)) return other;
  }
}

/// Begins new results at the checkpoint and renames the old files; returns their new names.
std::string begin_anew(const RunOptions& options, Checkpoint& checkpoint) {
  std::string names;
  for (const char* name : {"/trajectory.h5", "/energies.csv"}) {
    const std::string path = options.out + name;
    if (!file_exists(path)) continue;
    const std::string other = free_name(path);
    std::error_code failed;
    if (file_exists(journal_of(path)))
      std::filesystem::rename(journal_of(path), journal_of(other), failed);
    if (!failed) std::filesystem::rename(path, other, failed);
    if (failed) throw_write_failure(path, failed.value());
    names += (names.empty() ? "" : ", ") + other;
  }
  checkpoint.outputs = {.begin = checkpoint.step};
  save_checkpoint(options.resume, checkpoint);
  return names;
}

[[noreturn]] void refuse(const RunOptions& options, const Checkpoint& checkpoint,
                         const OutputReach& reach) {
  const auto& promise = checkpoint.outputs;
  throw InputError(
      {.what = "the results do not reach the checkpoint: " + reach.missing,
       .where = options.out,
       .value = "checkpoint of step " + std::to_string(checkpoint.step) + ", with " +
                std::to_string(promise.frames) + " frames and " + std::to_string(promise.rows) +
                " rows of energies",
       .hint = "put back the files that the run wrote, and resume; or continue from the checkpoint "
               "with new files, and keep the old ones under other names: finegrain resume " +
               options.out + " --new-results; or start again: finegrain run, with --overwrite"});
}

}  // namespace

Resumption find_start(const RunOptions& options, const Job& job) {
  Resumption start{.checkpoint = load_of_job(options.resume, job)};
  Checkpoint& checkpoint = start.checkpoint;
  if (checkpoint.step > job.dynamics.steps)
    throw InputError({.what = "the checkpoint is beyond the last step of the job",
                      .where = options.resume,
                      .value = std::to_string(checkpoint.step) + " steps",
                      .limit = std::to_string(job.dynamics.steps) + " steps",
                      .hint = "ask for more steps to continue the run"});
  const OutputReach reach = output_reach(options.out, job, checkpoint.outputs.begin);
  start.with_journal = reach.with_journal;
  if (reaches(reach, checkpoint, job)) return start;
  if (options.new_results) {
    const std::string names = begin_anew(options, checkpoint);
    start.warning = "new results begin at step " + std::to_string(checkpoint.step) +
                    "; the earlier ones were not whole (" + reach.missing + ")" +
                    (names.empty() ? "" : " and are kept as " + names);
    return start;
  }
  auto before = one_before(options.resume, job, reach, checkpoint.outputs.begin);
  if (!before) refuse(options, checkpoint, reach);
  start.warning = "the results do not reach the checkpoint of step " +
                  std::to_string(checkpoint.step) + ": " + reach.missing +
                  "; the run continues from the checkpoint before it, of step " +
                  std::to_string(before->step);
  // It replaces the unusable checkpoint, which must not become the previous one.
  replace_file(options.resume, read_whole_file(previous_checkpoint(options.resume)));
  checkpoint = std::move(*before);
  return start;
}

}  // namespace fg
