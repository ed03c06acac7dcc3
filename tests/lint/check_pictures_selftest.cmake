# SPDX-License-Identifier: GPL-3.0-or-later
# Plants widgets that paint themselves, and one that may, and expects check_pictures.cmake to find the others.
#   cmake -DLINT=check_pictures.cmake -DWORK=<folder> -P check_pictures_selftest.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(WRITE "${WORK}/ui/canvas/hover_card.h" "    void paintEvent(QPaintEvent* event) override;\n")
file(WRITE "${WORK}/app/views/heads/bars.cpp" "void Bars::paint(QPainter& painter, const viz::PictureMarks& marks) const\n")
execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE clean ERROR_VARIABLE said
                OUTPUT_QUIET)
if(NOT clean EQUAL 0)
    message(FATAL_ERROR "refused what is allowed: ${said}")
endif()
set(planted
    "app/views/heads/dots.h=    void paintEvent(QPaintEvent* event) override"
    "ui/charts/dots.cpp=void Dots::paintEvent(QPaintEvent*)"
    "app/views/heads/dots.cpp=    void paintEvent(QPaintEvent*) override")
foreach(each IN LISTS planted)
    string(REGEX MATCH "^([^=]*)=(.*)$" all "${each}")
    set(place "${CMAKE_MATCH_1}")
    file(WRITE "${WORK}/${place}" "${CMAKE_MATCH_2}\;\n")
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE result ERROR_VARIABLE said
                    OUTPUT_QUIET)
    if(result EQUAL 0 OR NOT said MATCHES "${place}: paints itself")
        message(FATAL_ERROR "did not find the widget in ${place}")
    endif()
    file(REMOVE "${WORK}/${place}")
endforeach()
