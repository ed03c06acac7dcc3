# SPDX-License-Identifier: GPL-3.0-or-later
# One door for HDF5: files are opened in model/io/hdf5/hdf5_open.cpp, where those of unknown origin are tried first, and
# in the program that tries them. No status of a call that writes is dropped: such a call is no statement of its own.
#
#   cmake -DROOT=<source tree> -P check_hdf5.cmake

cmake_minimum_required(VERSION 3.25)
set(doors model/io/hdf5/hdf5_open.cpp model/io/check/file_walk.cpp)
set(opening "(H5Fopen|H5Fcreate|H5Fis_hdf5|H5Fis_accessible|H5Fmount|H5LTopen[a-z_]*)[ \t]*\\(")
set(writing "^[ \t]*(::)?(H5(D|A)(write|create[12]?|delete|flush|set_extent)|H5(F|D|A|G|O)(flush|close)|H5(G|L)(create[a-z_12]*|delete|move)|H5(P|T)set_[a-z_0-9]+)[ \t]*\\(")

file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/model/*.h" "${ROOT}/model/*.cpp" "${ROOT}/viz/*.cpp"
     "${ROOT}/ui/*.cpp" "${ROOT}/app/*.h" "${ROOT}/app/*.cpp")
if(NOT files)
    message(FATAL_ERROR "HDF5 lint: no source file found under ${ROOT}")
endif()
set(problems "")
set(opened 0)
foreach(file IN LISTS files)
    file(STRINGS "${ROOT}/${file}" lines REGEX "H5[A-Z]+[a-z]")
    foreach(line IN LISTS lines)
        if(line MATCHES "^[ \t]*(//|\\*)")
            continue()
        endif()
        if(line MATCHES "${opening}")
            math(EXPR opened "${opened} + 1")
            if(NOT file IN_LIST doors)
                list(APPEND problems "${file}: HDF5 files are opened by openHdf5ForReading and its neighbours: ${line}")
            endif()
        endif()
        if(line MATCHES "${writing}" AND line MATCHES "\\)[ ]*;$" AND NOT line MATCHES "[<>]=? *0")
            list(APPEND problems "${file}: the status is dropped: ${line}")
        endif()
    endforeach()
endforeach()

if(problems)
    list(JOIN problems "\n" text)
    message(NOTICE "${text}")
    message(FATAL_ERROR "HDF5 lint failed")
endif()
list(LENGTH files count)
message(STATUS "HDF5 lint: ${count} files, ${opened} calls that open, all of them in the door")
