// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts.hpp"

#include <unistd.h>

#include <array>
#include <fstream>
#include <map>
#include <span>
#include <string_view>

#include "base/bytes.hpp"

namespace fg {

namespace {

/// With the number of its present start, since two hosts may have the same name.
std::string name_of_host() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  std::ifstream boot("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(boot, id);
  return std::string(name.data()) + " " + id;
}

}  // namespace

std::vector<std::string> hosts_of_processes(Transport* transport) {
  std::vector<std::string> hosts{name_of_host()};
  if (!transport) return hosts;
  ByteWriter gathered;
  const auto names = transport->gather(std::as_bytes(std::span(hosts.front())));
  for (const auto& name : names)
    gathered.put(std::string(reinterpret_cast<const char*>(name.data()), name.size()));
  const auto told = transport->broadcast(std::move(gathered).take());
  ByteReader reader(told);
  hosts.clear();
  for (int process = 0; process < transport->processes(); ++process)
    hosts.push_back(reader.get<std::string>());
  return hosts;
}

std::vector<int> numbers_of_hosts(std::span<const std::string> hosts) {
  std::map<std::string_view, int> number;
  std::vector<int> numbers;
  numbers.reserve(hosts.size());
  for (const std::string& host : hosts)
    numbers.push_back(number.try_emplace(host, static_cast<int>(number.size())).first->second);
  return numbers;
}

}  // namespace fg
