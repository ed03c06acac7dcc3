# SPDX-License-Identifier: GPL-3.0-or-later
# Plants what check_state.cmake refuses, and what it allows.
#   cmake -DLINT=check_state.cmake -DWORK=<folder> -P check_state_selftest.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(WRITE "${WORK}/ui/theme/focus_ring.cpp" "application->installEventFilter(this)\;\n")
file(WRITE "${WORK}/ui/views/allowed.cpp" "m_field->installEventFilter(this)\;\nview.findChildren<QLabel*>()\;\nclick(at, keys)\;\n")
file(WRITE "${WORK}/ui/state/allowed.cpp" "// no button->click()\nQ_EMIT button.clicked(on)\;\n")
execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE clean ERROR_VARIABLE said
                OUTPUT_QUIET)
if(NOT clean EQUAL 0)
    message(FATAL_ERROR "refused what is allowed: ${said}")
endif()
set(planted
    "app/desktop/work/planted.cpp=    QCoreApplication::instance()->installEventFilter(this)"
    "ui/lesson/planted.cpp=    qApp->installEventFilter(this)"
    "app/desktop/work/planted.h=for (QWidget* each : view.findChildren<QWidget*>())"
    "app/desktop/lesson/planted.cpp=controls[widget->objectName()] = value"
    "ui/state/planted.cpp=view.findChild<QComboBox*>(key)"
    "ui/panels/planted.cpp=m_rename->click()"
    "ui/views/planted.cpp=connect(line, &QLineEdit::returnPressed, m_run, &QPushButton::click)"
    "app/desktop/find/planted.cpp=button->animateClick()")
foreach(each IN LISTS planted)
    string(REGEX MATCH "^([^=]*)=(.*)$" all "${each}")
    set(place "${CMAKE_MATCH_1}")
    file(WRITE "${WORK}/${place}" "${CMAKE_MATCH_2}\;\n")
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE result ERROR_VARIABLE said
                    OUTPUT_QUIET)
    if(result EQUAL 0 OR NOT said MATCHES "${place}")
        message(FATAL_ERROR "did not find what is planted in ${place}")
    endif()
    file(REMOVE "${WORK}/${place}")
endforeach()
