# SPDX-License-Identifier: BSD-3-Clause
#
# Installs the transforms, moves what was installed, and builds and runs the outside project that uses
# them. Usage: cmake -DBUILD=... -DPROJECT=... -DWORK=... -DMPI=openmpi|mpich|none -DMPIEXEC=...
#              -DCOMPILER=... -P check_package.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "status ${status} of ${ARGN}\n${output}")
  endif()
  message("${output}")
endfunction()

file(REMOVE_RECURSE ${WORK})
set(components fft)
if(NOT MPI STREQUAL none)
  list(APPEND components fft_${MPI})
endif()
foreach(component IN LISTS components)
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed --component ${component})
endforeach()
file(RENAME ${WORK}/installed ${WORK}/moved)

set(configure ${CMAKE_COMMAND} -S ${PROJECT} -G Ninja -DCMAKE_PREFIX_PATH=${WORK}/moved -DCMAKE_CXX_COMPILER=${COMPILER})
# A package without this component says so.
execute_process(COMMAND ${configure} -B ${WORK}/other -DMPI=nonesuch RESULT_VARIABLE status ERROR_VARIABLE output
                OUTPUT_QUIET)
if(status EQUAL 0 OR NOT output MATCHES "no[ \n]+component[ \n]+fft_nonesuch")
  message(FATAL_ERROR "a component that is not there was not refused:\n${output}")
endif()

run(${configure} -B ${WORK}/build -DMPI=${MPI})
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/derivative)
if(NOT MPI STREQUAL none)
  set(ENV{XDG_CACHE_HOME} ${WORK}/cache)
  set(ENV{OMPI_ALLOW_RUN_AS_ROOT} 1)
  set(ENV{OMPI_ALLOW_RUN_AS_ROOT_CONFIRM} 1)
  run(${MPIEXEC} -n 2 ${WORK}/build/poisson)
endif()
