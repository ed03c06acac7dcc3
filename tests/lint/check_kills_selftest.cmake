# SPDX-License-Identifier: GPL-3.0-or-later
# Plants every way of sending a signal past test::signal into a tree of its own, and expects check_kills.cmake to find
# each of them, and nothing in the doors and in what only looks like it.
#   cmake -DLINT=check_kills.cmake -DWORK=<folder> -P check_kills_selftest.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(WRITE "${WORK}/tests/support/send_signal.h" "return ::kill(process, number) == 0;\n")
file(WRITE "${WORK}/tests/slurm/one_machine.py" "os.kill(pid, number)\n")
file(WRITE "${WORK}/tests/app/tst_plain.cpp"
     "// ::kill(0, 9) in a comment\nprocess.kill();\nm_process->kill();\nQVERIFY(test::signal(engine, SIGKILL));\nskill(1);\n")
execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE clean ERROR_VARIABLE said
                OUTPUT_QUIET)
if(NOT clean EQUAL 0)
    message(FATAL_ERROR "refused what is allowed: ${said}")
endif()
set(planted
    "    ::kill(static_cast<pid_t>(engine.processId()), SIGKILL)@"
    "    kill(getpid(), signal)@"
    "    QCOMPARE(::kill(process, 0), 0)@"
    "    (void)kill (0, SIGTERM)@"
    "    ::killpg(group, SIGTERM)@"
    "    killpg(0, SIGTERM)@"
    "    tgkill(process, thread, SIGSTOP)@"
    "    ::syscall(SYS_kill, 0, SIGTERM)@"
    "    QProcess::execute(\"kill\", {number})@"
    "    QProcess::execute(\"/bin/kill\", {number})@"
    "    QProcess::execute(\"pkill\", {name})@"
    "    os.kill(pid, signal.SIGTERM)"
    "    os.killpg(0, signal.SIGTERM)")
foreach(line IN LISTS planted)
    string(REPLACE "@" "\;" line "${line}")
    set(ending cpp)
    if(line MATCHES "os\\.")
        set(ending py)
    endif()
    file(WRITE "${WORK}/tests/app/planted.${ending}" "${line}\n")
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE result ERROR_VARIABLE said
                    OUTPUT_QUIET)
    if(result EQUAL 0 OR NOT said MATCHES "tests/app/planted.${ending}: ")
        message(FATAL_ERROR "did not find: ${line}\n${said}")
    endif()
    file(REMOVE "${WORK}/tests/app/planted.${ending}")
endforeach()
