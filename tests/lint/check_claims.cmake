# SPDX-License-Identifier: GPL-3.0-or-later
# Fails where a source or a page for users says again what no number of this program shows. Each phrase has what may be
# said in its place; a sentence may go over the end of a line or of a literal.
#   cmake -DROOT=<source tree> -P check_claims.cmake
cmake_minimum_required(VERSION 3.25)
cmake_path(ABSOLUTE_PATH ROOT NORMALIZE)
# PHRASE=what may be said
set(claims
    "(the model's|the model’s)( own)? embedding=the final hidden state: chat models have no embedding"
    "which head made=can a probe predict the head, or segment, of a vector: no head makes a segment"
    "what a head is worth=effect on a measure of the cached vectors: the model is not run without the head"
    "(each|a|every) head (knows|has learned|says about)=what the vectors tell apart"
    "what each (head )?(knows|has learned|learned)=what the vectors tell apart"
    "what every (attention )?head says=the vectors of every head"
    "to be believed|not to believe=fits worst"
    "nothing is wrong=no problem was found"
    "must fall to chance=a leak check: an interval above chance points to test rows in the training"
    "only chance is left=a leak check: an interval above chance points to test rows in the training"
    "carry no meaning=are not reliable"
    "belongs together=is near by this measure"
    "differs in the data=differs by more than noise does"
    "(the )?null has (it|that)=neither chance nor null says what always naming the commonest label gets"
    "what (each|every) head does|what kind of head=where each head looks on this text"
    "head does (most|mostly)=where the head's output is long"
    "interval reaches that of=both with their intervals: that these overlap says neither equal nor different"
    "head does little=the head mostly reads the first token, and what it puts out is not in this number"
    "some differ by chance alone=some may differ by chance"
    "would mean that test rows=an interval above chance would point to test rows in the training"
    "(of|over) the (n )?positive (cosines|cells|ones)=over all, negative ones counting as 0")
set(wrong "")
set(checked 0)
set(files README.md app/INTERFACE.md model/io/FORMAT.md NUMBERS.md)
foreach(folder IN ITEMS app model ui viz packaging)
    file(GLOB_RECURSE found RELATIVE "${ROOT}" "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp" "${ROOT}/${folder}/*.sh")
    list(APPEND files ${found})
endforeach()
foreach(file IN LISTS files)
    if(NOT EXISTS "${ROOT}/${file}")
        continue()
    endif()
    math(EXPR checked "${checked} + 1")
    file(READ "${ROOT}/${file}" text)
    string(REGEX REPLACE "[;\\[\\]]" " " text "${text}")
    string(REGEX REPLACE "\"[ \t\n]+\"" "" text "${text}") # two literals are one sentence
    string(REGEX REPLACE "[ \t]*\n[ \t]*(///?<?|//|#|\\*)?[ \t]*" " " text "${text}")
    string(TOLOWER "${text}" text)
    foreach(claim IN LISTS claims)
        string(REGEX REPLACE "=.*" "" phrase "${claim}")
        if(text MATCHES "${phrase}")
            set(found "${CMAKE_MATCH_0}")
            string(REGEX REPLACE "^[^=]*=" "" instead "${claim}")
            list(APPEND wrong "${file}: \"${found}\": say what holds, such as: ${instead}")
        endif()
    endforeach()
endforeach()
if(wrong)
    list(JOIN wrong "\n" text)
    message(NOTICE "${text}")
    message(FATAL_ERROR "sentences that claim more than the numbers show")
endif()
if(checked EQUAL 0)
    message(FATAL_ERROR "claims lint: no file found under ${ROOT}")
endif()
message(STATUS "claims lint: ${checked} files")
