# SPDX-License-Identifier: GPL-3.0-or-later
# Plants headers that include what they need, and some that do not, in a tree of their own, and demands that
# packaging/check_headers.py finds those, also where what they lack is precompiled for others.
#
#   cmake -DROOT=<source tree> -DWORK=<empty folder> -DCXX=<compiler> -P check_headers_selftest.cmake

cmake_minimum_required(VERSION 3.25)
find_program(python python3)
if(NOT python)
    message(NOTICE "skipped: python3 is not installed")
    return()
endif()

set(headers "")
# plant(<name> <text>): a header of the tree, and how CMake would compile it alone.
function(plant name text)
    file(WRITE "${WORK}/m/${name}.h" "#pragma once\n${text}\n")
    file(WRITE "${WORK}/build/m_verify_interface_header_sets/m/${name}.h.cxx" "#include <m/${name}.h>\n")
    set(headers ${headers} ${name} PARENT_SCOPE)
endfunction()

# expect(<exit code> <what is found>... ): and of the planted headers no other is named.
function(expect wanted)
    set(commands "")
    foreach(name IN LISTS headers)
        set(file "${WORK}/build/m_verify_interface_header_sets/m/${name}.h.cxx")
        string(APPEND commands "${comma}{\"directory\": \"${WORK}/build\", \"file\": \"${file}\", \"command\": "
                               "\"${CXX} -I${WORK} -x c++ -std=c++20 -o ${name}.o -c ${file}\"}")
        set(comma ",\n")
    endforeach()
    file(WRITE "${WORK}/build/compile_commands.json" "[${commands}]")
    execute_process(COMMAND ${python} "${ROOT}/packaging/check_headers.py" "${WORK}/build" "${WORK}" RESULT_VARIABLE code
                    OUTPUT_VARIABLE out ERROR_VARIABLE err)
    if(NOT code EQUAL wanted)
        message(FATAL_ERROR "exit ${code}, expected ${wanted}: ${out}${err}")
    endif()
    foreach(name IN LISTS headers)
        string(FIND "${out}" "FAILED: ${WORK}/build/header_checks/m/${name}.h.ok" at)
        list(FIND ARGN ${name} place)
        if((at EQUAL -1 AND NOT place EQUAL -1) OR (NOT at EQUAL -1 AND place EQUAL -1))
            message(FATAL_ERROR "${name}: expected among the faults: ${ARGN}; found: ${out}${err}")
        endif()
    endforeach()
endfunction()

file(REMOVE_RECURSE "${WORK}")
# Enough of them that what they include is precompiled.
foreach(number RANGE 1 15)
    plant(text_${number} "#include <string>\nstruct T${number}\n{\n    std::string text;\n};")
    plant(list_${number} "#include <string>\n#include <vector>\nstruct L${number}\n{\n    std::vector<std::string> all;\n};")
endforeach()
# What stands only behind a definition is never precompiled.
file(WRITE "${WORK}/m/part.inc" "#ifndef PART\n#error PART is not defined\n#endif\ninline PART part = 0;\n")
foreach(number RANGE 1 12)
    plant(part_${number} "#define PART int\n#include <m/part.inc>")
endforeach()
plant(through "#include \"m/list_1.h\"\nusing Through = std::vector<L1>;")
expect(0)
file(GLOB sets "${WORK}/build/header_checks/*.gch")
list(LENGTH sets count)
if(count EQUAL 0)
    message(FATAL_ERROR "nothing was precompiled: the faults below could not be hidden")
endif()

plant(nothing "using Bad1 = std::string;")
plant(less "#include <string>\nusing Bad2 = std::vector<std::string>;")
plant(maybe "#include <string>\n#if 0\n#include <vector>\n#endif\nusing Bad3 = std::vector<std::string>;")
plant(project "#include <string>\nusing Bad4 = L1;")
expect(1 nothing less maybe project)

# What is mended is seen, and so is a fault in a header that another includes.
plant(nothing "#include <string>\nusing Bad1 = std::string;")
plant(less "#include <string>\n#include <vector>\nusing Bad2 = std::vector<std::string>;")
plant(maybe "#include <string>\n#if 1\n#include <vector>\n#endif\nusing Bad3 = std::vector<std::string>;")
plant(project "#include \"m/list_1.h\"\nusing Bad4 = L1;")
list(REMOVE_DUPLICATES headers)
expect(0)
plant(list_1 "#include <string>\nstruct L1\n{\n    std::vector<std::string> all;\n};")
list(REMOVE_DUPLICATES headers)
expect(1 list_1 through project)
file(REMOVE_RECURSE "${WORK}")
message(STATUS "header checks self-test: every planted fault was seen")
