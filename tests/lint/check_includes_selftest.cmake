# SPDX-License-Identifier: GPL-3.0-or-later
# Plants the includes that check_includes.cmake refuses, and those that it allows.
#   cmake -DLINT=check_includes.cmake -DWORK=<folder> -P check_includes_selftest.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(WRITE "${WORK}/tests/allowed.cpp" "#include <QTest>\n#include <QtGlobal>\n#include <QtEndian>\n#include <QtMath>\n")
execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE clean ERROR_VARIABLE said
                OUTPUT_QUIET)
if(NOT clean EQUAL 0)
    message(FATAL_ERROR "refused what is allowed: ${said}")
endif()
foreach(place IN ITEMS tests/planted.cpp tests/planted.h ui/canvas/planted.cpp)
    foreach(module IN ITEMS QtTest QtCore QtWidgets)
        file(WRITE "${WORK}/${place}" "#include <QFile>\n#include <${module}>\n")
        execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE result ERROR_VARIABLE said
                        OUTPUT_QUIET)
        if(result EQUAL 0 OR NOT said MATCHES "${place}")
            message(FATAL_ERROR "did not find ${module} in ${place}")
        endif()
        file(REMOVE "${WORK}/${place}")
    endforeach()
endforeach()
