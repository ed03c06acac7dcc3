# SPDX-License-Identifier: GPL-3.0-or-later
# Plants every phrase that check_claims.cmake refuses, also broken over lines and literals, and sentences that only look
# like them.
#   cmake -DLINT=check_claims.cmake -DWORK=<folder> -P check_claims_selftest.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(WRITE "${WORK}/README.md" "An embedding model has an embedding. How heads differ; what can be told apart.\n")
file(WRITE "${WORK}/ui/plain.cpp" "tr(\"how well the head can be told\");\n// a head is made of numbers, each knows its size\n")
execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE clean ERROR_VARIABLE said
                OUTPUT_QUIET)
if(NOT clean EQUAL 0)
    message(FATAL_ERROR "refused what is allowed: ${said}")
endif()
set(planted
    "tr(\"which is the model’s own embedding\")"
    "fmt::format(\"the model's embedding (uncut)\")"
    "tr(\"Which head made this vector\")"
    "\"what a head is \"\n               \"worth\""
    "/// What each head\n/// knows of a topic."
    "tr(\"which heads differ, what each has learned, and more\")"
    "tr(\"keeps what \"\n   \"every head says about it\")"
    "tr(\"the less the dot is to be believed\")"
    "\"dots not to believe\""
    "text += \"nothing is wrong\""
    "tr(\"the probe must fall \"\n   \"to chance\")"
    "\"Only chance is left where labels are shuffled\""
    "/// Distances between clusters carry\n/// no meaning."
    "tr(\"what comes back together belongs together\")"
    "\"what differs between cells differs in the data\""
    "\"(top 1), and null has it, chance has not\""
    "\"also what each \"
   \"head does: entropy\""
    "and what kind of head it is"
    "near 1 means that the head does
little on this text"
    "a sink: near 1 the head \"
 \"does little."
    "tokens at which the head does most"
    "told as well (their interval reaches \"
 \"that of the accuracy)"
    "\"each at 95 %: some differ by chance alone\""
    "accuracy above chance would mean that test rows
 reached the training"
    "\"(sum c)^2 / (n sum c^2) over the \"
    \"positive cells\"")
foreach(line IN LISTS planted)
    foreach(place IN ITEMS app/cli/verbs/planted.cpp ui/views/planted.h README.md)
        file(WRITE "${WORK}/${place}" "${line}\n")
        execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE result
                        ERROR_VARIABLE said OUTPUT_QUIET)
        if(result EQUAL 0 OR NOT said MATCHES "${place}")
            message(FATAL_ERROR "did not find in ${place}: ${line}")
        endif()
        file(REMOVE "${WORK}/${place}")
    endforeach()
endforeach()
