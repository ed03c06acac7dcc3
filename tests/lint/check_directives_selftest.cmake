# SPDX-License-Identifier: GPL-3.0-or-later
# Plants the directives that check_directives.cmake refuses, and one that it allows.
#   cmake -DLINT=check_directives.cmake -DWORK=<folder> -P check_directives_selftest.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(WRITE "${WORK}/viz/allowed.cpp" "namespace a\n{\nvoid f()\n{\n    using namespace b;\n}\nusing b::name;\n}\n")
file(WRITE "${WORK}/viz/allowed.h" "namespace a\n{\nusing b::name;\n}\n")
execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE clean ERROR_VARIABLE said
                OUTPUT_QUIET)
if(NOT clean EQUAL 0)
    message(FATAL_ERROR "refused what is allowed: ${said}")
endif()
set(planted
    "app/cli/planted.cpp=using namespace results"
    "model/io/planted.h=using namespace std"
    "ui/planted.h=    using namespace std::chrono_literals"
    "viz/tokens/planted.cpp=namespace headscope::viz\n{\nnamespace\n{\n\nusing namespace lesson")
foreach(each IN LISTS planted)
    string(REGEX MATCH "^([^=]*)=(.*)$" all "${each}")
    set(place "${CMAKE_MATCH_1}")
    file(WRITE "${WORK}/${place}" "${CMAKE_MATCH_2}\;\n")
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE result ERROR_VARIABLE said
                    OUTPUT_QUIET)
    if(result EQUAL 0 OR NOT said MATCHES "${place}")
        message(FATAL_ERROR "did not find the directive in ${place}")
    endif()
    file(REMOVE "${WORK}/${place}")
endforeach()
