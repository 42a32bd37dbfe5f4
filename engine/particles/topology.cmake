target_sources(fg_particles PRIVATE ${CMAKE_CURRENT_LIST_DIR}/fragment.cpp)
