// SPDX-License-Identifier: BSD-3-Clause
//
// By plain_kohn_sham_values.py, which has the formulas of all that goes in.
// Units: hartree, bohr.
#pragma once

namespace fg::test::plain {

inline constexpr double kinetic_energy = 1.4155473065850791e+02;
inline constexpr double hartree_energy = 1.6867021370711132e+04;
inline constexpr double local_energy = -2.6453075944017735e+02;
inline constexpr double alpha_energy = 1.9517531942269686e-01;
inline constexpr double nonlocal_energy = 2.7664685185976722e+01;
// The sum of |V_nl psi|^2 over the half sphere, of each orbital.
inline constexpr double nonlocal_applied[3] = {2.4517726125147195e+01, 1.1521929684174252e+00,
                                               3.0370969315995844e-01};
inline constexpr int waves = 133;
inline constexpr int density_waves = 1075;
inline constexpr double local_forces[3][3] = {
    {1.8018176053332301e+01, 3.0908308560242755e+01, 2.3941073560465870e+01},
    {-2.7952424203887723e+01, 1.6095768784195837e+01, -1.9445380886565371e+01},
    {2.0476791196229772e+01, 5.2893149771072878e-01, 1.5213441941655908e+01}};
inline constexpr double core_forces[3][3] = {
    {5.5594816077398224e-01, -2.7958684473800488e-01, 1.4924805628750621e+00},
    {0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00},
    {7.0317427287785964e-02, 1.4557996790082423e-01, 1.0419693726272994e+00}};
inline constexpr double nonlocal_forces[3][3] = {
    {2.7662288852109477e+01, -2.0263052089544804e+01, 1.5634106399197819e+01},
    {-2.2617530579117220e-02, -3.9532921780661423e-02, -1.5803181261611807e-01},
    {1.1929218977363217e+01, 1.5649926283320907e+01, 3.2946356098409147e+01}};
// Minus the derivatives by the strain: xx yy zz xy xz yz.
inline constexpr double kinetic_virial[6] = {9.4376912216738560e+01,  9.4372214860836493e+01,
                                             9.4360334239440746e+01,  2.1836535050404560e-02,
                                             -4.9439807343187606e-02, 5.4660377547135715e-02};
inline constexpr double hartree_virial[6] = {5.1950835535372480e+03, 5.6638658880604871e+03,
                                             6.0080719291134046e+03, -2.1015950682484242e+02,
                                             2.0678940035555928e+02, 3.3411551986136487e+02};
inline constexpr double local_virial[6] = {2.7425384326596912e+02,  1.5862234860179174e+02,
                                           1.0261064049825094e+02,  4.6942046185734227e+01,
                                           -2.3453158178763314e+00, -4.3753113041589621e+01};
inline constexpr double core_virial[6] = {-2.7835087667606739e-01, -7.3254057739098999e-01,
                                          2.8117791768151368e-01,  5.4007870557465720e-01,
                                          7.2805218247193837e-01,  -3.2962841683508687e-02};
inline constexpr double nonlocal_virial[6] = {2.2825579987058919e+01, 2.0024803605951096e+01,
                                              2.9491564189890060e+01, -7.4983598971841019e+00,
                                              1.6641193580253919e+01, 3.4704206893597709e+00};

}  // namespace fg::test::plain
