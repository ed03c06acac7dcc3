# SPDX-License-Identifier: GPL-3.0-or-later
# Fails where a text that people read says in words of its own what the field has a word for. Looks at the string
# literals of model, viz, ui and app, at the pages for users and at the lessons; each phrase has what to say in its place.
# words_not_yet.txt lists files that still have such phrases: it may only become shorter, and a file without them must not
# be in it.
#   cmake -DROOT=<source tree> [-DPRUNE=ON] -P check_words.cmake      PRUNE: takes clean files out of the list
cmake_minimum_required(VERSION 3.25)
cmake_path(ABSOLUTE_PATH ROOT NORMALIZE)
# PHRASE=what to say, in lower case; only what is wrong in any text. Without parentheses: CMake has few of them.
set(words
    # Statistics and evaluation
    "told apart|tells? apart=distinguish, separable"
    "rightly|wrongly=correctly, misclassified"
    "is taken for|are taken for|was taken for|were taken for=is misclassified as, is confused with"
    "given this name=predicted as this class"
    "own topic=true topic"
    "the likest|how alike=most similar, similarity"
    "no verdict|decides nothing=inconclusive"
    "differ by chance alone=may differ by chance"
    "shuffled labels|labels shuffled=permuted labels"
    "interval holds=the interval includes"
    "in per cent=in percent, in percentage points"
    "documents? that asks?|documents? that asked=query document"
    "gained alone|lost in the model|lost in the cache|lost by the cut=single-head gain, drop (full model), drop (cache only)"
    # Models and attention
    "token that reads|reading token=query token"
    "keys and values of its own=its own KV head"
    "pairs? of keys|pair for each head=KV head"
    "bytes a number|bytes of a number=bytes per value"
    "not yet written=future token (masked)"
    "switch off|switche[sd] off|heads that are off=ablate, ablated"
    "mere cut=cache-only ablation"
    "watch a head|watch the head|watch this head|watched head|head is watched=record activations"
    # Maps
    "islands?|clumps?=clusters"
    "torn away|strangers? among=missing neighbours, false neighbours"
    "noise twins?=noise replicates"
    "the most there will be=the maximum"
    # Window
    "would be here=how to get what is missing"
    "as it was|as they were=unchanged, original"
    "anew=again, refitted, start over"
    "takes? away|taken away|took away=remove, subtract"
    "at the left|at the right=in the Data panel, in the side panel, or the name of the control"
    "stands? here|stands? beside|stands? after|stands? before=is, is shown, is taken after"
    "looked at=viewed, shown, compared"
    "put back=restore"
    "shut=close"
    "cut short=truncated"
    "sitting=session"
    "faders|mixing desk=weight sliders"
    "is lit|are lit|lights? up|ringed=highlighted, outlined"
    "line for a shell=command")

set(all "")
foreach(each IN LISTS words)
    string(REGEX REPLACE "=.*" "" phrase "${each}")
    list(APPEND all "${phrase}")
endforeach()
list(JOIN all "|" all)

# All that people read of a file, in lower case, a text a line; nothing that the lists of CMake would part.
function(headscope_texts_of file result)
    file(READ "${ROOT}/${file}" text)
    string(REGEX REPLACE "[;\\[\\]]" " " text "${text}")
    if(file MATCHES "\\.(cpp|h)$")
        string(REPLACE "://" ":  " text "${text}")
        string(REPLACE "\\\"" "'" text "${text}")
        string(REPLACE "'\"'" "''" text "${text}")
        string(REGEX REPLACE "//[^\n]*|#include [^\n]*" "" text "${text}")
        string(REGEX REPLACE "\"[ \t\n]+\"" "" text "${text}") # two literals are one sentence
        string(REGEX MATCHALL "\"[^\"\n]*\"" text "${text}")
        list(JOIN text "\n" text)
    else()
        string(REGEX REPLACE "[ \t]*\n[ \t]*" " " text "${text}")
    endif()
    string(REPLACE "\\n" " " text "${text}")
    string(TOLOWER " ${text} " text)
    set(${result} "${text}" PARENT_SCOPE)
endfunction()

set(files README.md NUMBERS.md CONTRIBUTING.md app/INTERFACE.md model/io/FORMAT.md)
foreach(folder IN ITEMS app model ui viz)
    file(GLOB_RECURSE found RELATIVE "${ROOT}" "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp")
    list(APPEND files ${found})
endforeach()
file(GLOB found RELATIVE "${ROOT}" "${ROOT}/resources/lessons/*.json")
list(APPEND files ${found})

set(list_file "${ROOT}/tests/lint/words_not_yet.txt")
set(not_yet "")
if(EXISTS "${list_file}")
    file(STRINGS "${list_file}" not_yet REGEX "^[^#]")
endif()

# Holds words of earlier versions, which project files still have.
set(former ui/state/bind_controls.cpp)

set(wrong "")
set(still "")
set(checked 0)
foreach(file IN LISTS files)
    if(NOT EXISTS "${ROOT}/${file}" OR file IN_LIST former)
        continue()
    endif()
    math(EXPR checked "${checked} + 1")
    headscope_texts_of("${file}" text)
    if(NOT text MATCHES "[^a-z](${all})[^a-z]")
        continue()
    endif()
    if(file IN_LIST not_yet)
        list(APPEND still "${file}")
        continue()
    endif()
    foreach(each IN LISTS words)
        string(REGEX REPLACE "=.*" "" phrase "${each}")
        if(text MATCHES "[^a-z](${phrase})[^a-z]")
            set(found "${CMAKE_MATCH_1}")
            string(REGEX REPLACE "^[^=]*=" "" instead "${each}")
            list(APPEND wrong "${file}: \"${found}\": say ${instead}")
        endif()
    endforeach()
endforeach()
if(PRUNE)
    set(kept "# Files whose texts still have phrases that check_words.cmake refuses. This list may only become shorter.")
    list(JOIN still "\n" text)
    file(WRITE "${list_file}" "${kept}\n${text}\n")
else()
    foreach(file IN LISTS not_yet)
        if(NOT file IN_LIST still)
            list(APPEND wrong "${file}: has no such phrase: take it out of tests/lint/words_not_yet.txt (-DPRUNE=ON does)")
        endif()
    endforeach()
endif()
if(wrong)
    list(JOIN wrong "\n" text)
    message(NOTICE "${text}")
    message(FATAL_ERROR "texts with words of their own for what the field has a word for")
endif()
if(checked EQUAL 0)
    message(FATAL_ERROR "words lint: no file found under ${ROOT}")
endif()
message(STATUS "words lint: ${checked} files")
