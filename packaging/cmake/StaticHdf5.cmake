# SPDX-License-Identifier: GPL-3.0-or-later
# HDF5 as an archive, if there is one: Debian's shared library loads libcurl and 30 more for files on S3, which nothing
# here opens. That is 7 ms of the start of every program, and headscope-hdf5-check starts for every file.
include(CheckCSourceCompiles)

find_library(HEADSCOPE_HDF5_ARCHIVE NAMES libhdf5_serial.a libhdf5.a)
mark_as_advanced(HEADSCOPE_HDF5_ARCHIVE)
if(HEADSCOPE_HDF5_ARCHIVE)
    set(libraries ${HEADSCOPE_HDF5_ARCHIVE} sz z m ${CMAKE_DL_LIBS})
    set(CMAKE_REQUIRED_INCLUDES ${HDF5_C_INCLUDE_DIRS})
    set(CMAKE_REQUIRED_LIBRARIES ${libraries})
    check_c_source_compiles("#include <hdf5.h>\nint main(void) { return H5open() < 0; }" HEADSCOPE_HDF5_ARCHIVE_LINKS)
    unset(CMAKE_REQUIRED_INCLUDES)
    unset(CMAKE_REQUIRED_LIBRARIES)
    if(HEADSCOPE_HDF5_ARCHIVE_LINKS)
        set(HDF5_C_LIBRARIES ${libraries})
    endif()
    unset(libraries)
endif()
