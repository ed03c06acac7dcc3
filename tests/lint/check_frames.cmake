# SPDX-License-Identifier: GPL-3.0-or-later
# One way to a table: results are frames (model/data/frame), which make their own text, CSV, LaTeX, JSON and HDF5. No
# other file joins fields of CSV, and none lays out a table of texts by hand but those named here, which shall become
# fewer: a name that is not needed any more is refused, too.
#
#   cmake -DROOT=<source tree> -P check_frames.cmake

cmake_minimum_required(VERSION 3.25)
# Rows that are written while they are made, or that only the window has.
set(csvByHand app/desktop/find/chosen_csv.cpp app/results/attention_frame.cpp)
# Sentences in cells, several numbers in one, squares of names. (The TextTable of viz is another: what pictures show.)
set(textByHand app/cli/maps/aligned_answer.cpp app/cli/maps/seeds_answer.cpp app/cli/verbs/verb_inspect.cpp
    app/cli/verbs/verb_similarity.cpp app/results/baseline_text.cpp app/results/probe_text.cpp)
set(csv "(^|[^A-Za-z_])(csvField|csvText)[ \t]*\\(")
set(text "(^|[^A-Za-z_:])TextTable([ \t]+[A-Za-z_]+)?[ \t]*[({]")
# viz has a type of this name of its own, for pictures.
set(old "(^|[^A-Za-z_])ResultTable[^A-Za-z_]")

file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/app/*.h" "${ROOT}/app/*.cpp" "${ROOT}/ui/*.cpp" "${ROOT}/viz/*.cpp")
if(NOT files)
    message(FATAL_ERROR "frames lint: no source file found under ${ROOT}")
endif()
set(problems "")
set(needed "")
foreach(file IN LISTS files)
    file(STRINGS "${ROOT}/${file}" lines REGEX "csvField|csvText|TextTable|ResultTable")
    foreach(line IN LISTS lines)
        if(line MATCHES "^[ \t]*(//|\\*)")
            continue()
        endif()
        if(line MATCHES "${old}")
            list(APPEND problems "${file}: a table without a description of its columns: ${line}")
        elseif(line MATCHES "${csv}" AND NOT file IN_LIST csvByHand)
            list(APPEND problems "${file}: frameCsv writes tables: ${line}")
        elseif(line MATCHES "${text}" AND NOT file MATCHES "^viz/" AND NOT file IN_LIST textByHand)
            list(APPEND problems "${file}: frameText lays out tables: ${line}")
        endif()
        if(line MATCHES "${csv}" OR line MATCHES "${text}")
            list(APPEND needed "${file}")
        endif()
    endforeach()
endforeach()
foreach(file IN LISTS csvByHand textByHand)
    if(EXISTS "${ROOT}/${file}" AND NOT file IN_LIST needed)
        list(APPEND problems "${file}: has no table by hand any more: take its name out of check_frames.cmake")
    endif()
endforeach()

if(problems)
    list(JOIN problems "\n" text)
    message(NOTICE "${text}")
    message(FATAL_ERROR "frames lint failed")
endif()
list(LENGTH files count)
message(STATUS "frames lint: ${count} files")
