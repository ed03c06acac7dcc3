# SPDX-License-Identifier: GPL-3.0-or-later
# Fails when a file of app/desktop starts a background job of its own: jobs on the open cache go through Study::run,
# where the results of another cache are dropped. Those that write files, open a cache or carry the origin in every
# value they publish are named here.
#   cmake -DROOT=<source tree> -P check_jobs.cmake
cmake_minimum_required(VERSION 3.25)
set(may_start
    "app/desktop/shell/study.cpp:m_openRunner"         # opens a cache
    "app/desktop/shell/study.h:runner"                 # Study::run itself
    "app/desktop/start/application.cpp:runner"         # checks the first cache, before there is a Study
    "app/desktop/shell/save_job.cpp:m_runner"          # writes files
    "app/views/map/map_keeper.cpp:m_store"         # writes into the cache it was begun on
    "app/views/grid/grid_outputs.cpp:m_store"       # the same
    "app/desktop/extract/extract_controller.cpp:m_runner"        # writes a cache, whatever is open
    "app/desktop/extract/extract_controller.cpp:m_inspector"     # asks what a model is, whatever is open
    "app/desktop/extract/extract_controller.cpp:m_previewRunner" # reads a file of documents, whatever is open
    "app/desktop/shell/autosave.cpp:m_writer"       # writes what is kept of the cache it belongs to
    "app/desktop/work/work_session.cpp:m_copier"       # writes the recovery copy of a work file
    "app/desktop/work/work_session_files.cpp:m_reader" # reads a work file, whatever is open
    "app/views/map/map_run.cpp:m_runner"   # its maps carry the origin of the request
    "app/views/grid/make_grid.cpp:m_runner") # the same
set(wrong "")
file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/app/desktop/*.h" "${ROOT}/app/desktop/*.cpp"
     "${ROOT}/app/views/*.h" "${ROOT}/app/views/*.cpp")
foreach(file IN LISTS files)
    file(READ "${ROOT}/${file}" text)
    string(REGEX MATCHALL "[A-Za-z_]+(\\.|->)start<" starts "${text}")
    foreach(start IN LISTS starts)
        string(REGEX REPLACE "(\\.|->)start<" "" runner "${start}")
        if(NOT "${file}:${runner}" IN_LIST may_start)
            list(APPEND wrong "${file}: ${runner} starts a job of its own: use Study::run")
        endif()
    endforeach()
endforeach()
if(wrong)
    list(JOIN wrong "\n" text)
    message(NOTICE "${text}")
    message(FATAL_ERROR "jobs outside of Study::run")
endif()
