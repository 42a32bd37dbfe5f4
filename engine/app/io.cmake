# Reading jobs, writing results and checkpoints.
target_sources(
  fg_app
  PRIVATE checkpoint.cpp
          energies.cpp
          energy_rows.cpp
          files.cpp
          folder_lock.cpp
          growing_table.cpp
          h5md.cpp
          hdf5.cpp
          job.cpp
          job_check.cpp
          journal.cpp
          journaled_driver.cpp
          journaled_file.cpp
          memory_file.cpp
          output_reach.cpp
          resumption.cpp
          run_log.cpp
          seal.cpp
          state_digest.cpp
          trace_file.cpp)
