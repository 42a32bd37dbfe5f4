target_sources(fg_forces PRIVATE ${CMAKE_CURRENT_LIST_DIR}/cmap_maps.cpp)
