# The installed package of the transforms: `cmake --install BUILD --component fft`, and one component
# for each MPI, fft_openmpi and fft_mpich, that needs the first one. Nothing in it names this machine.
include(CMakePackageConfigHelpers)
set(fg_package ${CMAKE_INSTALL_LIBDIR}/cmake/finegrain)

# fg_install_component(NAME targets...) installs libraries, exported as finegrain::NAME.
function(fg_install_component component)
  foreach(target IN LISTS ARGN)
    string(REGEX REPLACE "^fg_" "" name ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  endforeach()
  install(
    TARGETS ${ARGN}
    EXPORT finegrain-${component}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${CMAKE_INSTALL_INCLUDEDIR}/finegrain)
  install(EXPORT finegrain-${component} NAMESPACE finegrain:: DESTINATION ${fg_package} COMPONENT ${component})
endfunction()

fg_install_component(fft fg_options fg_base fg_fft)
foreach(mpi IN ITEMS openmpi mpich)
  if(TARGET fg_fft_${mpi})
    fg_install_component(fft_${mpi} fg_mpi_${mpi} fg_fft_${mpi})
  endif()
endforeach()
install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/engine/base ${PROJECT_SOURCE_DIR}/engine/fft
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/finegrain
  COMPONENT fft
  FILES_MATCHING
  PATTERN "*.hpp"
  PATTERN "chares" EXCLUDE
  REGEX "/lines/[^/]*-inl\\.hpp$" EXCLUDE)  # kernels
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/finegrain-config.cmake.in ${PROJECT_BINARY_DIR}/finegrain-config.cmake
  INSTALL_DESTINATION ${fg_package})
# Before 1.0 a new minor version may change the headers.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/finegrain-config-version.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/finegrain-config.cmake ${PROJECT_BINARY_DIR}/finegrain-config-version.cmake
  DESTINATION ${fg_package} COMPONENT fft)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/finegrain COMPONENT fft)
