# SPDX-License-Identifier: GPL-3.0-or-later
# Plants functions just within and just above the limits of .clang-tidy in a repository of its own, and demands that
# packaging/tidy_changed.sh refuses those above, as long as they have been changed.
#
#   cmake -DROOT=<source tree> -DWORK=<empty folder> -P check_tidy_selftest.cmake

cmake_minimum_required(VERSION 3.25)
find_program(tidy clang-tidy)
find_program(git git)
if(NOT tidy OR NOT git)
    message(NOTICE "skipped: clang-tidy or git is not installed")
    return()
endif()

function(git)
    execute_process(COMMAND ${git} -C "${WORK}" -c user.name=lint -c user.email=lint@localhost ${ARGN}
                    COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()

# expect(<ok> <what is found> <what was planted>)
function(expect ok found what)
    execute_process(COMMAND bash "${ROOT}/packaging/tidy_changed.sh" -C "${WORK}" -p "${WORK}" HEAD RESULT_VARIABLE code
                    OUTPUT_VARIABLE out ERROR_VARIABLE err)
    if((ok AND NOT code EQUAL 0) OR (NOT ok AND NOT code EQUAL 1))
        message(FATAL_ERROR "${what}: exit ${code}: ${out}${err}")
    endif()
    if(NOT out MATCHES "${found}")
        message(FATAL_ERROR "${what}: another answer: ${out}${err}")
    endif()
endfunction()

# body(<lines> <variable>): as many statements.
function(body lines variable)
    string(REPEAT "    work()[semicolon]\n" ${lines} text)
    set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# plant(<text>): behind an old function that is too long.
function(plant text)
    body(70 old)
    set(source "void work()[semicolon]\n\nvoid old()\n{\n${old}}\n${text}")
    string(REPLACE "[semicolon]" ";" source "${source}")
    file(WRITE "${WORK}/ui/planted.cpp" "${source}")
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(COPY "${ROOT}/.clang-tidy" DESTINATION "${WORK}")
file(WRITE "${WORK}/compile_commands.json"
     "[{\"directory\": \"${WORK}\", \"file\": \"ui/planted.cpp\", \"command\": \"c++ -std=c++20 -c ui/planted.cpp\"},
       {\"directory\": \"${WORK}\", \"file\": \"ui/new.cpp\", \"command\": \"c++ -std=c++20 -c ui/new.cpp\"}]")
plant("")
git(init -q)
git(add ui)
git(commit -q -m planted)

expect(TRUE "No source differs" "nothing changed")
body(60 fits)
plant("\nvoid planted()\n{\n${fits}}\n")
expect(TRUE "none too long" "60 lines behind an old function that is too long")
body(61 long)
plant("\nvoid planted()\n{\n${long}}\n")
expect(FALSE "planted.cpp:[0-9]+: function 'planted' exceeds" "61 lines")
string(REPEAT "    if (a > 1)\n        work()[semicolon]\n" 25 plain)
plant("\nvoid planted(int a)\n{\n${plain}}\n")
expect(TRUE "none too long" "a complexity of 25")
plant("\nvoid planted(int a)\n{\n${plain}    if (a > 2)\n        work()[semicolon]\n}\n")
expect(FALSE "planted.cpp:[0-9]+: function 'planted' has cognitive complexity of 26" "a complexity of 26")
git(checkout -q ui/planted.cpp)
file(READ "${WORK}/ui/planted.cpp" source)
string(REPLACE "{\n    work();\n" "{\n    work(), work();\n" source "${source}")
file(WRITE "${WORK}/ui/planted.cpp" "${source}")
expect(FALSE "function 'old' exceeds" "a line changed within the old function")
git(checkout -q ui/planted.cpp)
string(REPLACE "[semicolon]" ";" new "void work()[semicolon]\nvoid fresh()\n{\n${long}}\n")
file(WRITE "${WORK}/ui/new.cpp" "${new}")
expect(FALSE "new.cpp:[0-9]+: function 'fresh' exceeds" "a new file that is not committed")
file(WRITE "${WORK}/ui/new.cpp" "void fresh() { nonsense }\n")
expect(FALSE "" "a file that does not compile")
file(REMOVE_RECURSE "${WORK}")
message(STATUS "changed functions self-test: every planted violation was seen")
