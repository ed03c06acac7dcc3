# SPDX-License-Identifier: GPL-3.0-or-later
# One way to a table: results are frames (model/data/frame), which make their own text, CSV, LaTeX, JSON and HDF5. No
# other file joins fields of CSV, and none lays out a table of texts by hand but those named here, which shall become
# fewer: a name that is not needed any more is refused, too.
#
# Numbers have one place for what they mean: tables of the window follow from frames, the report reads those that were
# printed, and methods have their names in model/data/frame/method_names.h.
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
# Tables of the window that are no results: documents that are listed as they are scrolled to, jobs.
set(modelByHand ui/models/frame_model.h ui/models/chosen_model.h ui/models/job_list_model.h)
set(model "public QAbstractTableModel")
# What reads a number of an answer by names with points between: the report reads the frame that was printed.
set(path "\"[a-z0-9_]+[.][a-z0-9_.]+\"")
set(names "\"(jackknife by document|Wilson|bootstrap by (document|query)|labels [a-z]+ among the documents)\"")

file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/app/*.h" "${ROOT}/app/*.cpp" "${ROOT}/ui/*.h" "${ROOT}/ui/*.cpp"
     "${ROOT}/viz/*.cpp" "${ROOT}/model/data/*.cpp" "${ROOT}/model/analysis/*.cpp")
if(NOT files)
    message(FATAL_ERROR "frames lint: no source file found under ${ROOT}")
endif()
set(problems "")
set(needed "")
foreach(file IN LISTS files)
    file(STRINGS "${ROOT}/${file}" lines REGEX "csvField|csvText|TextTable|ResultTable|${model}|${path}|${names}")
    foreach(line IN LISTS lines)
        if(line MATCHES "^[ \t]*(//|\\*)")
            continue()
        endif()
        if(line MATCHES "${old}")
            list(APPEND problems "${file}: a table without a description of its columns: ${line}")
        elseif(line MATCHES "${model}" AND NOT file IN_LIST modelByHand)
            list(APPEND problems "${file}: a table of results is a FrameModel: ${line}")
        elseif(line MATCHES "${path}" AND file MATCHES "^app/cli/report/")
            list(APPEND problems "${file}: frameOf reads the tables of an answer: ${line}")
        elseif(line MATCHES "${names}")
            list(APPEND problems "${file}: method_names.h has the names of methods: ${line}")
        elseif(line MATCHES "${csv}" AND NOT file MATCHES "^model/" AND NOT file IN_LIST csvByHand)
            list(APPEND problems "${file}: frameCsv writes tables: ${line}")
        elseif(line MATCHES "${text}" AND NOT file MATCHES "^(viz|model)/" AND NOT file IN_LIST textByHand)
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
