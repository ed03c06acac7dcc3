# SPDX-License-Identifier: GPL-3.0-or-later
# Plants phrases that check_words.cmake refuses, also broken over literals and lines of a page, and what only looks like
# them: comments, names, code between two literals; and a list of files that are not done, with one that is.
#   cmake -DLINT=check_words.cmake -DWORK=<folder> -P check_words_selftest.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
set(list_file "${WORK}/tests/lint/words_not_yet.txt")

# Runs the lint with what else is given; sets `result` and `said`.
macro(headscope_run)
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} ${ARGN} -P ${LINT} RESULT_VARIABLE result
                    ERROR_VARIABLE said OUTPUT_QUIET)
endmacro()

file(WRITE "${WORK}/README.md" "Select a head that is split, and distinguish topics. Slit, shutter, ashut.\n")
file(WRITE "${WORK}/resources/lessons/one.en.json" "{\"text\": \"The query token attends to the key token.\"}\n")
file(WRITE "${WORK}/ui/plain.cpp" "#include \"ui/faders/faders.h\"\n"
     "// the own topic, told apart, as it was\n"
     "f(\"one\", /*x*/ anew, \"two\"); tr(\"a \\\"quoted\\\" word\"); go('\"'); // shut\n"
     "g(\"https://site.example\" , \"true topic\");\n")
headscope_run()
if(NOT result EQUAL 0)
    message(FATAL_ERROR "refused what is allowed: ${said}")
endif()

set(planted
    "tr(\"Proportion named rightly\")"
    "tr(\"heads that can be told \"\n   \"apart\")"
    "fmt::format(\"{} of them are \"\n            \"taken for another\")"
    "tr(\"Cosine with the Own Topic\")"
    "\"A map would be here.\""
    "tr(\"The file is as it was.\")"
    "g(\"https://site.example\"), tr(\"the most there will be\")"
    "QStringLiteral(\"%1: no verdict\").arg(a)"
    "tr(\"a \\\"quoted\\\" word, and heads that are switched off\")"
    "\"the run begins anew\""
    "tr(\"Choose them at the left.\")"
    "\"stage 3 stands after the final norm\""
    "\"the file was cut short\""
    "\"2 × pairs × bytes a number\""
    "tr(\"Shut this dialog\")"
    "\"clusters, or islands\"")
foreach(line IN LISTS planted)
    foreach(place IN ITEMS app/cli/verbs/planted.cpp ui/views/planted.h resources/lessons/planted.en.json README.md)
        set(text "${line}")
        if(NOT place MATCHES "(cpp|h)$") # which has no literals
            string(REGEX REPLACE "\" *\n *\"" "\n" text "${text}")
        endif()
        file(WRITE "${WORK}/${place}" "${text}\n")
        headscope_run()
        if(result EQUAL 0 OR NOT said MATCHES "${place}")
            message(FATAL_ERROR "did not find in ${place}: ${line}")
        endif()
        file(REMOVE "${WORK}/${place}")
    endforeach()
endforeach()

# A listed file may have them; one that has none must not be listed, and -DPRUNE=ON takes it out.
file(WRITE "${WORK}/ui/old.cpp" "tr(\"own topic\")\n")
file(WRITE "${list_file}" "# not done\nui/old.cpp\n")
headscope_run()
if(NOT result EQUAL 0)
    message(FATAL_ERROR "refused a file of the list: ${said}")
endif()
file(WRITE "${list_file}" "# not done\nui/old.cpp\nui/plain.cpp\nui/gone.cpp\n")
headscope_run()
if(result EQUAL 0 OR NOT said MATCHES "ui/plain.cpp: has no such phrase" OR NOT said MATCHES "ui/gone.cpp: has no such")
    message(FATAL_ERROR "did not find a done file in the list: ${said}")
endif()
headscope_run(-DPRUNE=ON)
file(STRINGS "${list_file}" left REGEX "^[^#]")
if(NOT left STREQUAL "ui/old.cpp")
    message(FATAL_ERROR "the list was not pruned: ${left}")
endif()
