# SPDX-License-Identifier: GPL-3.0-or-later
# Plants a job that goes round Study::run, and one that may, and expects check_jobs.cmake to find the one alone.
#   cmake -DLINT=check_jobs.cmake -DWORK=<folder> -P check_jobs_selftest.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(WRITE "${WORK}/app/desktop/shell/save_job.cpp" "m_runner.start<bool>(write);\n")
execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE clean OUTPUT_QUIET ERROR_QUIET)
if(NOT clean EQUAL 0)
    message(FATAL_ERROR "refused a job that may be started")
endif()
file(WRITE "${WORK}/app/views/probe/probe_controller.cpp" "m_runner.start<int>(job, done);\n")
execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE planted ERROR_VARIABLE said
                OUTPUT_QUIET)
if(planted EQUAL 0 OR NOT said MATCHES "probe_controller.cpp: m_runner")
    message(FATAL_ERROR "did not find the planted job: ${said}")
endif()
