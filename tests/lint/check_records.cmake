# SPDX-License-Identifier: GPL-3.0-or-later
# What files say is declared: values are records (model/data/records), results are frames and facts (model/io/frames). No
# other source writes attributes of HDF5 by hand, and none keeps a format's name and version beside FileFormat.
#
#   cmake -DROOT=<source tree> -P check_records.cmake

cmake_minimum_required(VERSION 3.25)
# The layout of AnnData, which others define.
set(byHand model/io/results/anndata_parts.cpp model/io/results/vector_export.cpp)
set(attribute "(\\.|->)set(List)?Attribute\\(")
set(widget "Attribute\\(Qt::")

file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/model/*.h" "${ROOT}/model/*.cpp" "${ROOT}/app/*.h" "${ROOT}/app/*.cpp")
if(NOT files)
    message(FATAL_ERROR "records lint: no source file found under ${ROOT}")
endif()
set(problems "")
set(needed "")
foreach(file IN LISTS files)
    if(file MATCHES "^model/io/(hdf5|records|frames)/")
        continue()
    endif()
    file(STRINGS "${ROOT}/${file}" lines REGEX "Attribute\\(")
    foreach(line IN LISTS lines)
        if(line MATCHES "^[ \t]*(//|\\*)" OR line MATCHES "${widget}" OR NOT line MATCHES "${attribute}")
            continue()
        endif()
        list(APPEND needed "${file}")
        if(NOT file IN_LIST byHand)
            list(APPEND problems "${file}: a record or writeFacts writes attributes: ${line}")
        endif()
    endforeach()
endforeach()
foreach(file IN LISTS byHand)
    if(EXISTS "${ROOT}/${file}" AND NOT file IN_LIST needed)
        list(APPEND problems "${file}: writes no attribute by hand any more: take its name out of check_records.cmake")
    endif()
endforeach()

if(problems)
    list(JOIN problems "\n" text)
    message(NOTICE "${text}")
    message(FATAL_ERROR "records lint failed")
endif()
list(LENGTH files count)
message(STATUS "records lint: ${count} files")
