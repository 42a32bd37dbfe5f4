# Reading jobs, writing results and checkpoints.
target_sources(
  fg_app
  PRIVATE checkpoint.cpp
          energies.cpp
          files.cpp
          growing_table.cpp
          h5md.cpp
          hdf5.cpp
          job.cpp
          job_check.cpp
          memory_file.cpp
          output_reach.cpp
          run_log.cpp
          seal.cpp
          state_digest.cpp
          trace_file.cpp)
