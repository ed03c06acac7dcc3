# SPDX-License-Identifier: GPL-3.0-or-later
# Fails where the state of a view could come out of its widgets again: it is declared in a ui::ViewState, and the user
# is heard by what he acts on.
#   cmake -DROOT=<source tree> -P check_state.cmake
cmake_minimum_required(VERSION 3.25)
cmake_path(ABSOLUTE_PATH ROOT NORMALIZE)
set(wrong "")
set(checked 0)

# Filters over the whole application that no state comes from: how texts, keys and the focus look and go everywhere.
set(everywhere ui/theme/button_keys.cpp ui/theme/plain_texts.cpp ui/theme/window_keys.cpp ui/theme/focus_ring.cpp ui/lesson/lesson_keys.cpp)

# Where a key of the user is a click.
set(keys ui/theme/button_keys.cpp)

foreach(folder IN ITEMS app model ui viz)
    file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp")
    foreach(file IN LISTS files)
        math(EXPR checked "${checked} + 1")
        # What a button does is a function that others call, too.
        set(banned "animateClick|::click[,) ]")
        if(NOT file IN_LIST keys)
            string(APPEND banned "|->click\\(\\)")
        endif()
        if(NOT file IN_LIST everywhere)
            string(APPEND banned "|(qApp|application|instance\\(\\))->installEventFilter")
        endif()
        if(file MATCHES "^(app/desktop/(work|lesson)|ui/state)/")
            string(APPEND banned "|findChild(ren)?<|objectName\\(\\)")
        endif()
        file(STRINGS "${ROOT}/${file}" lines REGEX "${banned}")
        foreach(line IN LISTS lines)
            if(NOT line MATCHES "^[ \t]*//")
                list(APPEND wrong "${file}: ${line}")
            endif()
        endforeach()
    endforeach()
endforeach()
if(wrong)
    list(JOIN wrong "\n" text)
    message(NOTICE "${text}")
    message(FATAL_ERROR "state that is scraped, or a button that is clicked for the user: bind the control to the ui::ViewState (ui/state/bind_controls.h), or call what the button calls")
endif()
if(checked EQUAL 0)
    message(FATAL_ERROR "state lint: no source found under ${ROOT}")
endif()
message(STATUS "state lint: ${checked} sources")
