// SPDX-License-Identifier: BSD-3-Clause
#include "records/trajectory/energy_columns.hpp"

#include "base/units.hpp"

namespace fg {

namespace {

template <int component>
double pressure(const EnergyRow& row) {
  return row.pressure[component];
}

}  // namespace

std::vector<EnergyColumn> energy_columns(bool periodic) {
  using namespace units;
  using Row = const EnergyRow&;
  constexpr std::string_view kj = "kJ mol-1";
  // The first five stay where they are: energy_rows.hpp counts on it.
  std::vector<EnergyColumn> columns{{"potential energy (kJ/mol)", "potential_energy", kj,
                                     hartree_in_kj_per_mol, [](Row r) { return r.potential; }},
                                    {"kinetic energy (kJ/mol)", "kinetic_energy", kj,
                                     hartree_in_kj_per_mol, [](Row r) { return r.kinetic; }},
                                    {"total energy (kJ/mol)", "total_energy", kj,
                                     hartree_in_kj_per_mol, [](Row r) { return r.total; }},
                                    {"temperature (K)", "temperature", "K", hartree_in_kelvin,
                                     [](Row r) { return r.temperature; }},
                                    {"conserved energy (kJ/mol)", "conserved_energy", kj,
                                     hartree_in_kj_per_mol, [](Row r) { return r.conserved; }}};
  if (!periodic) return columns;
  const std::vector<EnergyColumn> of_box{
      {"pressure (bar)", "pressure", "bar", pressure_in_bar,
       [](Row r) { return (r.pressure[0] + r.pressure[1] + r.pressure[2]) / 3; }},
      {"volume (nm3)", "volume", "nm3", volume_in_nm3, [](Row r) { return r.volume; }},
      {"density (kg/m3)", "density", "kg m-3", density_in_kg_per_m3,
       [](Row r) { return r.density; }},
      {"pressure xx (bar)", "pressure_xx", "bar", pressure_in_bar, pressure<0>},
      {"pressure yy (bar)", "pressure_yy", "bar", pressure_in_bar, pressure<1>},
      {"pressure zz (bar)", "pressure_zz", "bar", pressure_in_bar, pressure<2>},
      {"pressure xy (bar)", "pressure_xy", "bar", pressure_in_bar, pressure<3>},
      {"pressure xz (bar)", "pressure_xz", "bar", pressure_in_bar, pressure<4>},
      {"pressure yz (bar)", "pressure_yz", "bar", pressure_in_bar, pressure<5>}};
  columns.insert(columns.end(), of_box.begin(), of_box.end());
  return columns;
}

}  // namespace fg
