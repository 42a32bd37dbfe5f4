// SPDX-License-Identifier: BSD-3-Clause
#include "processes/memory_checkpoint.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <span>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "processes/partners.hpp"
#include "processes/ranks.hpp"
#include "records/files/files.hpp"
#include "records/hdf5/memory_file.hpp"
#include "transport/hosts.hpp"

namespace fg {

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

std::string marker_of(const RunOptions& options) {
  return options.out + "/memory_checkpoint.txt";
}

Bytes broadcast(Transport* transport, Bytes bytes) {
  return transport ? transport->broadcast(std::move(bytes)) : bytes;
}
std::vector<Bytes> gather(Transport* transport, Bytes bytes) {
  if (transport) return transport->gather(bytes);
  return {std::move(bytes)};
}

Bytes bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}
std::string text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The folder in which the previous run kept its state; empty if it kept none.
std::string marked_folder(const RunOptions& options) {
  std::ifstream file(marker_of(options));
  std::string folder;
  std::getline(file, folder);
  return folder;
}

bool goes_on(const RunOptions& options) {
  std::error_code unknown;
  return !options.resume.empty() && !options.ignore_memory &&
         fs::equivalent(options.resume, options.out + "/checkpoint.h5", unknown);
}

/// What one host has of a state, without the bytes.
struct Entry {
  std::int64_t step;
  std::int64_t number;
  std::int64_t amount;
  std::int64_t size;  // bytes
};
/// Entries by number, and by step.
using Found = std::map<std::int64_t, std::map<std::int64_t, Entry>>;

Bytes catalogue(const KeptSteps& kept, const MemoryRescue& rescue) {
  std::vector<Entry> entries;
  for (const auto& [step, records] : kept)
    for (const auto& [number, record] : records)
      entries.push_back(
          {step, number, rescue.amount(record), static_cast<std::int64_t>(record.size())});
  ByteWriter bytes;
  bytes.put(entries);
  return std::move(bytes).take();
}

Found found_in(const std::vector<Bytes>& catalogues) {
  Found found;
  for (const auto& part : catalogues) {
    ByteReader bytes(part);
    std::vector<Entry> entries;
    bytes.get(entries);
    for (const auto& entry : entries) found[entry.step][entry.number] = entry;
  }
  return found;
}

/// The state that becomes the checkpoint on disk. Its records are gathered in several rounds. So no
/// message is larger than MPI allows, and process 0 never holds all of them.
struct Choice {
  std::int64_t step = -1;            // -1: none
  std::vector<std::int64_t> rounds;  // the first number of each, and one beyond the last
};

constexpr std::int64_t most_of_round = 160'000'000;  // bytes

std::vector<std::int64_t> rounds_of(const std::map<std::int64_t, Entry>& records) {
  std::vector<std::int64_t> rounds;
  std::int64_t size = most_of_round;
  for (const auto& [number, entry] : records) {
    if (size >= most_of_round) {
      rounds.push_back(number);
      size = 0;
    }
    size += entry.size;
  }
  rounds.push_back(records.rbegin()->first + 1);
  return rounds;
}

/// The newest state from which the run can continue; or none, with a warning that says why. In
/// process 0.
Choice choose(const Found& found, const RescueNeeds& disk, std::vector<std::string>& warnings) {
  std::string why = "nothing of it is left";
  bool whole = false;
  for (auto at = found.rbegin(); at != found.rend(); ++at) {
    const auto& [step, records] = *at;
    if (step <= disk.step) break;
    std::int64_t amount = 0;
    for (const auto& [number, entry] : records) amount += entry.amount;
    const bool all = amount == disk.whole;
    if (all && step <= disk.usable) return {step, rounds_of(records)};
    if (whole || (!all && at != found.rbegin())) continue;
    whole = all;  // the newest complete step says more than one that a kill cut short
    why = "of step " + std::to_string(step) + " ";
    why += all ? "it has all, but " + disk.missing
               : std::to_string(amount) + " of " + std::to_string(disk.whole) + " " + disk.unit +
                     " are there";
  }
  if (found.empty() || found.rbegin()->first > disk.step)
    warnings.push_back("the run cannot continue from the checkpoint in memory (" + why +
                       "); it continues from " + disk.name + ", from disk");
  return {};
}

Choice told(Transport* transport, const Choice& choice) {
  ByteWriter writer;
  writer.put(choice.step);
  writer.put(choice.rounds);
  const Bytes all = broadcast(transport, std::move(writer).take());
  ByteReader reader(all);
  Choice agreed;
  reader.get(agreed.step);
  reader.get(agreed.rounds);
  return agreed;
}

/// The records with numbers from `begin` up to, not with, `end`.
Bytes records_of(const KeptSteps& kept, std::int64_t step, std::int64_t begin, std::int64_t end) {
  ByteWriter bytes;
  if (const auto found = kept.find(step); found != kept.end())
    for (auto at = found->second.lower_bound(begin); at != found->second.end() && at->first < end;
         ++at) {
      bytes.put(at->first);
      bytes.put(at->second);
    }
  return std::move(bytes).take();
}

/// Partners have the same records.
void take_each_once(const std::vector<Bytes>& parts, MemoryRescue& rescue) {
  std::map<std::int64_t, Bytes> records;
  for (const auto& part : parts) {
    ByteReader bytes(part);
    while (!bytes.empty()) {
      const auto number = bytes.get<std::int64_t>();
      Bytes record;
      bytes.get(record);
      records.emplace(number, std::move(record));
    }
  }
  for (const auto& [number, record] : records) rescue.take(number, record);
}

/// For a previous run that did not end normally: its state in memory becomes the checkpoint on
/// disk.
void convert(Transport* transport, const std::string& folder, MemoryRescue& rescue,
             MemoryStart& start) {
  const bool first_here = !transport || transport->rank_here() == 0;
  const KeptSteps kept = first_here ? read_memory_folder(folder, rescue.job_digest()) : KeptSteps();
  const auto catalogues = gather(transport, catalogue(kept, rescue));
  Choice choice;
  together(transport, [&] {
    if (is_first(transport)) choice = choose(found_in(catalogues), rescue.look(), start.warnings);
  });
  choice = told(transport, choice);
  if (choice.step < 0) return;
  together(transport, [&] {
    if (is_first(transport)) rescue.begin(choice.step);
  });
  for (std::size_t round = 0; round + 1 < choice.rounds.size(); ++round) {
    const auto parts = gather(
        transport, records_of(kept, choice.step, choice.rounds[round], choice.rounds[round + 1]));
    together(transport, [&] {
      if (is_first(transport)) take_each_once(parts, rescue);
    });
  }
  together(transport, [&] {
    if (is_first(transport)) rescue.finish();
  });
  start.found = "Step " + std::to_string(choice.step) + " was found in memory, and is now on disk";
}

}  // namespace

MemoryStart begin_memory(const RunOptions& options, MemoryRescue& rescue) {
  Transport* const transport = options.transport;
  MemoryStart start;
  std::string before;
  if (is_first(transport)) before = marked_folder(options);
  before = text_of(broadcast(transport, bytes_of(before)));
  if (!before.empty()) {
    // Only process 0 can be sure to see the folder of results.
    const Bytes told = broadcast(transport, {std::byte{goes_on(options)}});
    if (told.front() != std::byte{0}) convert(transport, before, rescue, start);
    remove_memory_folder(before);
  }

  std::string folder;
  together(transport, [&] {
    if (!is_first(transport)) return;
    if (options.memory_checkpoint_steps > 0) {
      folder = new_memory_folder();
      if (folder.empty())
        start.warnings.emplace_back(
            "no checkpoints in memory: this system has no memory file system (/dev/shm); "
            "FINEGRAIN_MEMORY_DIR names a folder for them");
    }
    if (folder.empty()) {
      forget_memory_marker(options);
    } else {
      replace_file(marker_of(options), bytes_of(folder + "\n"));
    }
  });
  folder = text_of(broadcast(transport, bytes_of(folder)));
  if (folder.empty()) return start;
  start.plan = {.folder = folder,
                .every = options.memory_checkpoint_steps,
                .partners = partners(hosts_of_processes(transport)),
                .job_digest = rescue.job_digest()};
  return start;
}

void forget_memory_marker(const RunOptions& options) noexcept {
  ::unlink(marker_of(options).c_str());
}

}  // namespace fg
