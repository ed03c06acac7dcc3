# SPDX-License-Identifier: GPL-3.0-or-later
# Plants every way of waiting for a time into a tree of its own, and expects check_waits.cmake to find each of them, and
# nothing in the files that may and in what only looks like it.
#   cmake -DLINT=check_waits.cmake -DWORK=<folder> -P check_waits_selftest.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(WRITE "${WORK}/tests/support/waiting.h" "        QTest::qWait(kMomentMs);\n")
file(WRITE "${WORK}/tests/app/tour/tour.h" "QTest::qWait(400);\n")
file(WRITE "${WORK}/tests/ui/plain.cpp"
     "// QTest::qWait(5) in a comment\nWAIT_FOR(spy.count() == 1);\ntest::passMs(250);\ngate.wait(job.stopToken());\n\
go.wait(false);\nm_changed.wait(lock, done);\nQVERIFY(asleep(3));\nscript(\"exec sleep 20\");\n")
execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE clean ERROR_VARIABLE said
                OUTPUT_QUIET)
if(NOT clean EQUAL 0)
    message(FATAL_ERROR "refused what is allowed: ${said}")
endif()
set(planted
    "    QTRY_VERIFY(done)@"
    "    QTRY_COMPARE(spy.count(), 1)@"
    "    QTRY_VERIFY2(done, text)@"
    "    QTRY_COMPARE_WITH_TIMEOUT(spy.count(), 1, 20'000)@"
    "    QTest::qWait(50)@"
    "    QVERIFY(QTest::qWaitFor([&] { return done@ }))@"
    "    QVERIFY(QTest::qWaitForWindowExposed(&window))@"
    "    QTest::qSleep(50)@"
    "    QThread::msleep(1)@"
    "    QThread::sleep(1)@"
    "    ::usleep(10)@"
    "    std::this_thread::sleep_for(10ms)@"
    "    std::this_thread::sleep_until(then)@"
    "    QVERIFY(spy.wait())@"
    "    QVERIFY(spy->wait(20'000))@")
foreach(line IN LISTS planted)
    string(REPLACE "@" "\;" line "${line}")
    foreach(folder IN ITEMS tests/ui/canvas tests/app/desktop tests/viz tests/model/base)
        file(WRITE "${WORK}/${folder}/planted.cpp" "${line}\n")
        execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE result
                        ERROR_VARIABLE said OUTPUT_QUIET)
        if(result EQUAL 0 OR NOT said MATCHES "${folder}/planted.cpp: ")
            message(FATAL_ERROR "did not find in ${folder}: ${line}\n${said}")
        endif()
        file(REMOVE "${WORK}/${folder}/planted.cpp")
    endforeach()
endforeach()
