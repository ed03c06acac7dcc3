# SPDX-License-Identifier: GPL-3.0-or-later
# Fails where a variable to which a preset gives a list with commas stands inside a generator expression: the commas
# separate its parameters, and the preset cannot be configured.
#   cmake -DROOT=<source tree> -P check_presets.cmake
cmake_minimum_required(VERSION 3.25)
file(READ ${ROOT}/CMakePresets.json presets)
string(REGEX MATCHALL "\"[A-Z_]+\": *\"[^\"]*,[^\"]*\"" lists "${presets}")
file(GLOB_RECURSE files ${ROOT}/CMakeLists.txt ${ROOT}/packaging/*.cmake)
list(FILTER files EXCLUDE REGEX "^${ROOT}/build/")
list(REMOVE_DUPLICATES lists)
set(found "")
foreach(list IN LISTS lists)
    string(REGEX REPLACE "^\"([A-Z_]+)\".*" "\\1" name "${list}")
    foreach(file IN LISTS files)
        file(STRINGS ${file} lines REGEX "[$]<[^\n]*[$]{${name}}")
        foreach(line IN LISTS lines)
            string(APPEND found "  ${file}: ${line}\n")
        endforeach()
    endforeach()
endforeach()
message(NOTICE "lists of presets: ${lists}")
if(found)
    message(FATAL_ERROR "a list with commas inside a generator expression; use if() instead:\n${found}")
endif()
