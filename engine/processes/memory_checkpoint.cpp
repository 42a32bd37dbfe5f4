// SPDX-License-Identifier: BSD-3-Clause
#include "processes/memory_checkpoint.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <span>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "processes/partners.hpp"
#include "processes/ranks.hpp"
#include "records/checkpoint.hpp"
#include "records/files.hpp"
#include "records/job_motion.hpp"
#include "records/memory_file.hpp"
#include "records/output_reach.hpp"

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

/// What one host has, without the atoms: the number of atoms of each patch at each step.
struct Entry {
  std::int64_t step;
  std::int32_t patch;
  std::int32_t atoms;
};

Bytes catalogue(const KeptSteps& kept) {
  std::vector<Entry> entries;
  for (const auto& [step, patches] : kept)
    for (const auto& [number, patch] : patches)
      entries.push_back({step, number, static_cast<std::int32_t>(patch.atoms.size())});
  ByteWriter bytes;
  bytes.put(entries);
  return std::move(bytes).take();
}

/// The patches of one of several rounds, so that no gathered message is larger than MPI allows.
Bytes patches_at(const KeptSteps& kept, std::int64_t step, int round, int rounds) {
  ByteWriter bytes;
  if (const auto found = kept.find(step); found != kept.end())
    for (const auto& [number, patch] : found->second)
      if (number % rounds == round) {
        bytes.put(number);
        bytes.put(patch.bath);
        bytes.put(patch.atoms);
      }
  return std::move(bytes).take();
}

/// Steps, and the number of atoms found of each.
std::map<std::int64_t, std::int64_t> found_atoms(const std::vector<Bytes>& catalogues) {
  std::map<std::int64_t, std::map<std::int32_t, std::int32_t>> patches;
  for (const auto& part : catalogues) {
    ByteReader bytes(part);
    std::vector<Entry> entries;
    bytes.get(entries);
    for (const auto& entry : entries) patches[entry.step][entry.patch] = entry.atoms;
  }
  std::map<std::int64_t, std::int64_t> found;
  for (const auto& [step, counts] : patches)
    for (const auto& [patch, atoms] : counts) found[step] += atoms;
  return found;
}

/// Converts the state found in memory to the checkpoint on disk. In process 0.
class Rescue {
 public:
  Rescue(const RunOptions& options, const Job& job)
      : options_(options), job_(job), disk_(load_checkpoint(options.resume)) {}

  /// The newest step from which the run can continue; or -1, with a warning that says why there is
  /// none.
  std::int64_t choose(const std::vector<Bytes>& catalogues) {
    const auto found = found_atoms(catalogues);
    reach_ = output_reach(options_.out, job_, disk_.outputs.begin);
    std::string why = "nothing of it is left";
    bool whole = false;
    for (auto at = found.rbegin(); at != found.rend(); ++at) {
      const auto [step, atoms] = *at;
      if (step <= disk_.step) break;
      const bool all = atoms == job_.atoms.size();
      if (all && step <= reach_.step) return step;
      if (whole || (!all && at != found.rbegin())) continue;
      whole = all;  // the newest complete step says more than one that a kill cut short
      why = "of step " + std::to_string(step) + " ";
      why += all ? "it has all, but " + reach_.missing
                 : std::to_string(atoms) + " of " + std::to_string(job_.atoms.size()) +
                       " atoms are there";
    }
    if (found.empty() || found.rbegin()->first > disk_.step)
      warning_ = "the run cannot continue from the checkpoint in memory (" + why +
                 "); it continues from step " + std::to_string(disk_.step) + ", from disk";
    return -1;
  }

  void save(std::int64_t step, const std::vector<Bytes>& parts) {
    Checkpoint checkpoint = disk_;
    checkpoint.step = step;
    checkpoint.stage = make_integrator(integrator_settings(job_.dynamics))->between_steps();
    std::set<std::int32_t> patches;  // partners have the same ones
    std::int64_t heat = 0;
    std::vector<bool> there(static_cast<std::size_t>(job_.atoms.size()));
    for (const auto& part : parts) {
      ByteReader bytes(part);
      std::int32_t number = 0;
      KeptBath bath;
      std::vector<AtomRecord> atoms;
      while (!bytes.empty()) {
        bytes.get(number);
        bytes.get(bath);
        bytes.get(atoms);
        checkpoint.bath = bath.state;
        if (patches.insert(number).second) heat += bath.heat;
        for (const auto& atom : atoms) {
          const auto id = static_cast<std::size_t>(atom.id);
          there.at(id) = true;
          checkpoint.positions.at(id) = atom.position;
          checkpoint.velocities.at(id) = atom.velocity;
          checkpoint.images.at(id) = atom.image;
        }
      }
    }
    checkpoint.bath.heat += heat;
    FG_CHECK(std::find(there.begin(), there.end(), false) == there.end());
    add_rows(checkpoint.drift, options_.out, job_, disk_.step, step);
    const auto& dynamics = job_.dynamics;
    auto& outputs = checkpoint.outputs;
    outputs.rows = multiples_between(outputs.begin, step, dynamics.energy_interval);
    outputs.frames = multiples_between(outputs.begin, step, dynamics.trajectory_interval);
    secure_outputs(options_.out, reach_);
    save_checkpoint(options_.resume, checkpoint);
  }

  void check(const std::string& digest) const {
    check_belongs(disk_, options_.resume, digest, static_cast<int>(job_.atoms.size()));
  }
  const std::string& warning() const noexcept { return warning_; }

 private:
  const RunOptions& options_;
  const Job& job_;
  Checkpoint disk_;
  OutputReach reach_;
  std::string warning_;
};

/// For a previous run that did not end normally: its state in memory becomes the checkpoint on
/// disk.
void rescue(const RunOptions& options, const Job& job, const std::string& digest,
            const std::string& folder, MemoryStart& start) {
  Transport* const transport = options.transport;
  const bool first_here = !transport || transport->rank_here() == 0;
  const KeptSteps kept = first_here ? read_memory_folder(folder, digest) : KeptSteps();
  const auto catalogues = gather(transport, catalogue(kept));
  std::unique_ptr<Rescue> rescue;
  std::int64_t chosen = -1;
  together(transport, [&] {
    if (!is_first(transport)) return;
    rescue = std::make_unique<Rescue>(options, job);
    rescue->check(digest);
    chosen = rescue->choose(catalogues);
    if (!rescue->warning().empty()) start.warnings.push_back(rescue->warning());
  });
  ByteWriter writer;
  writer.put(chosen);
  const Bytes told = broadcast(transport, std::move(writer).take());
  chosen = ByteReader(told).get<std::int64_t>();
  if (chosen < 0) return;
  const int rounds = 1 + job.atoms.size() / 2'000'000;
  std::vector<Bytes> parts;
  for (int round = 0; round < rounds; ++round)
    for (auto& part : gather(transport, patches_at(kept, chosen, round, rounds)))
      parts.push_back(std::move(part));
  together(transport, [&] {
    if (rescue) rescue->save(chosen, parts);
  });
  start.found = "Step " + std::to_string(chosen) + " was found in memory, and is now on disk";
}

std::string name_of_host() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  std::string text = name.data();
  std::ifstream boot("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(boot, id);
  return text + " " + id;
}

std::vector<int> partners_of(Transport* transport) {
  if (!transport) return {0};
  std::vector<std::string> hosts;
  for (const auto& host : transport->gather(bytes_of(name_of_host())))
    hosts.push_back(text_of(host));
  ByteWriter bytes;
  bytes.put(partners(hosts));
  const Bytes told = transport->broadcast(std::move(bytes).take());
  return ByteReader(told).get<std::vector<int>>();
}

}  // namespace

MemoryStart begin_memory(const RunOptions& options, const Job& job) {
  Transport* const transport = options.transport;
  MemoryStart start;
  const std::string digest = job_digest(job);
  std::string before;
  if (is_first(transport)) before = marked_folder(options);
  before = text_of(broadcast(transport, bytes_of(before)));
  if (!before.empty()) {
    // Only process 0 can be sure to see the folder of results.
    const Bytes told = broadcast(transport, {std::byte{goes_on(options)}});
    if (told.front() != std::byte{0}) rescue(options, job, digest, before, start);
    remove_memory_folder(before);
  }

  std::string folder;
  together(transport, [&] {
    if (!is_first(transport)) return;
    if (options.memory_every > 0) {
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
                .every = options.memory_every,
                .partners = partners_of(transport),
                .job_digest = digest};
  return start;
}

void forget_memory_marker(const RunOptions& options) noexcept {
  ::unlink(marker_of(options).c_str());
}

}  // namespace fg
