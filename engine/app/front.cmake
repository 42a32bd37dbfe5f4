# The report on this installation, and the engine's own executable.
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)
pkg_check_modules(FFTW REQUIRED IMPORTED_TARGET fftw3)
pkg_check_modules(HIGHWAY REQUIRED IMPORTED_TARGET libhwy)
find_package(fmt REQUIRED)

target_sources(fg_app PRIVATE installation.cpp)
target_link_libraries(fg_app PUBLIC fmt::fmt PRIVATE PkgConfig::HWLOC PkgConfig::FFTW PkgConfig::HIGHWAY)
set_source_files_properties(
  installation.cpp
  PROPERTIES
    COMPILE_DEFINITIONS
    "FG_VERSION=\"${PROJECT_VERSION}\";FG_COMPILER=\"${CMAKE_CXX_COMPILER_ID}\";FG_BUILD_TYPE=\"${CMAKE_BUILD_TYPE}\""
)

add_executable(finegrain-engine main.cpp)
target_link_libraries(finegrain-engine PRIVATE fg_app)
install(TARGETS finegrain-engine RUNTIME DESTINATION finegrain/bin COMPONENT python)
# All engine executables that this machine can build; an installation builds them and the extension.
add_custom_target(finegrain-engines DEPENDS finegrain-engine)

if(FG_SIMULATED)
  add_executable(finegrain-engine-smpi main_mpi.cpp)
  target_link_libraries(finegrain-engine-smpi PRIVATE fg_app fg_transport_smpi)
endif()
foreach(mpi IN ITEMS openmpi mpich)
  if(TARGET fg_transport_${mpi})
    add_executable(finegrain-engine-${mpi} main_mpi.cpp)
    target_link_libraries(finegrain-engine-${mpi} PRIVATE fg_app fg_transport_${mpi})
    add_dependencies(finegrain-engines finegrain-engine-${mpi})
    install(TARGETS finegrain-engine-${mpi} RUNTIME DESTINATION finegrain/bin COMPONENT python)
  endif()
endforeach()
