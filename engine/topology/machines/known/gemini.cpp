// SPDX-License-Identifier: BSD-3-Clause
//
// Cray machines with the Gemini network: Alverson, Roweth and Kaplan, "The Gemini system
// interconnect", HOTI 2010. A Gemini has two nodes. A cable has twelve lanes of 3.125 Gbit/s. Two
// cables go to each neighbour along X and Z, and one along Y. A hop takes about 100 ns. The wires
// inside a cabinet are faster, but most ways have a cable in them.
//
// Titan has 25 x 16 x 24 Geminis, of which 18,688 nodes compute. Blue Waters has 24 x 24 x 24, with
// 22,640 XE6 and 4,224 XK7 nodes that compute. The other nodes, 512 and 784, serve files and
// logins. The sites do not publish where they are. Here their blades (two Geminis, neighbours along
// Y) are spread evenly over the list of all blades, X slowest and Z fastest. Messages pass their
// Geminis.
//
// The order of nodes on these machines keeps neighbours together (Phillips et al., SC 2014, section
// VII-C). Here it goes through bricks of 4 x 4 x 4 Geminis, from each brick to one beside it.
#include "topology/machines/known/kinds.hpp"

namespace fg::topology {

namespace {

struct Gemini {
  int x, y, z;         // lengths
  int service_blades;  // of two Geminis, with four nodes
};

constexpr int brick = 4;

/// The numbers from 0 to length - 1, or back.
int turning(int number, int length, bool back) {
  return back ? length - 1 - number : number;
}

int bricks(int length) {
  return (length + brick - 1) / brick;
}

/// The Geminis of one brick.
void add_brick(const Gemini& machine, int bx, int by, int bz,
               std::vector<std::vector<int>>& places) {
  for (int x = bx * brick; x < std::min((bx + 1) * brick, machine.x); ++x)
    for (int y = by * brick; y < std::min((by + 1) * brick, machine.y); ++y)
      for (int z = bz * brick; z < std::min((bz + 1) * brick, machine.z); ++z)
        places.push_back({x, y, z});
}

std::vector<std::vector<int>> in_order(const Gemini& machine) {
  std::vector<std::vector<int>> places;
  const int across = bricks(machine.y), deep = bricks(machine.z);
  int rows = 0;
  for (int bx = 0; bx < bricks(machine.x); ++bx)
    for (int i = 0; i < across; ++i, ++rows)
      for (int j = 0; j < deep; ++j)
        add_brick(machine, bx, turning(i, across, bx % 2 == 1), turning(j, deep, rows % 2 == 1),
                  places);
  return places;
}

/// Whether a blade serves, by its number in the list of all blades.
std::vector<bool> service(const Gemini& machine) {
  const int blades = machine.x * machine.y / 2 * machine.z;
  std::vector<bool> is_service(static_cast<std::size_t>(blades));
  for (int i = 0; i < machine.service_blades; ++i)
    is_service[static_cast<std::size_t>(static_cast<long long>(i) * blades /
                                        machine.service_blades)] = true;
  return is_service;
}

MachineDescription job_on(const Gemini& machine, int nodes) {
  TorusDescription torus{.lengths = {machine.x, machine.y, machine.z}, .nodes_per_router = 2};
  const double cable = 12 * 3.125e9 / 8;
  torus.speeds = {{2 * cable, 1e-7}, {cable, 1e-7}, {2 * cable, 1e-7}};
  const std::vector<bool> is_service = service(machine);
  for (const std::vector<int>& place : in_order(machine)) {
    const int blade = (place[0] * (machine.y / 2) + place[1] / 2) * machine.z + place[2];
    if (is_service[static_cast<std::size_t>(blade)])
      torus.holes.push_back({.coordinates = place});
    else
      for (int i = 0; i < 2 && static_cast<int>(torus.job.size()) < nodes; ++i)
        torus.job.push_back(place);
  }
  return {.network = torus, .injection = {.bandwidth = 6e9, .latency = 2e-7}};
}

}  // namespace

MachineDescription titan(int nodes) {
  MachineDescription machine =
      job_on({.x = 25, .y = 16, .z = 24, .service_blades = 512 / 4}, nodes);
  machine.name = "Titan";
  machine.node = {.sockets = 1, .cores = 16};
  machine.processor = core_with(8.8);
  return machine;
}

MachineDescription blue_waters(int nodes) {
  MachineDescription machine =
      job_on({.x = 24, .y = 24, .z = 24, .service_blades = 784 / 4}, nodes);
  machine.name = "Blue Waters";
  machine.node = {.sockets = 2, .cores = 32};
  machine.processor = core_with(9.2);
  return machine;
}

}  // namespace fg::topology
