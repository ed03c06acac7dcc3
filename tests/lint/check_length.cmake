# SPDX-License-Identifier: GPL-3.0-or-later
# Fails when a source file of the product is longer than 500 lines.
#   cmake -DROOT=<source tree> -P check_length.cmake
cmake_minimum_required(VERSION 3.25)
set(too_long "")
file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/model/*.h" "${ROOT}/model/*.cpp" "${ROOT}/viz/*.h"
     "${ROOT}/viz/*.cpp" "${ROOT}/ui/*.h" "${ROOT}/ui/*.cpp" "${ROOT}/app/*.h" "${ROOT}/app/*.cpp")
foreach(file IN LISTS files)
    file(READ "${ROOT}/${file}" text)
    string(REGEX MATCHALL "\n" newlines "${text}")
    list(LENGTH newlines count)
    if(count GREATER 500)
        list(APPEND too_long "${file}: ${count} lines")
    endif()
endforeach()
if(too_long)
    list(JOIN too_long "\n" text)
    message(NOTICE "${text}")
    message(FATAL_ERROR "files above 500 lines")
endif()
