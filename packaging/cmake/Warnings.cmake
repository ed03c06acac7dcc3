# SPDX-License-Identifier: GPL-3.0-or-later
# Interface targets that carry compiler settings; no flags are set for whole folders.

add_library(headscope_warnings INTERFACE)
target_compile_options(headscope_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wold-style-cast -Wnon-virtual-dtor
    -Woverloaded-virtual
    # A local name may be that of another file of its group.
    $<IF:$<BOOL:${HEADSCOPE_UNITY}>,-Wshadow=compatible-local,-Wshadow>
    $<$<BOOL:${HEADSCOPE_WERROR}>:-Werror>
    # What GCC guesses from optimised code is wrong too often (fmt, libstdc++): said, never an error.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-error=stringop-overflow -Wno-error=maybe-uninitialized -Wno-error=array-bounds
        -Wno-error=stringop-overread -Wno-error=free-nonheap-object -Wno-error=null-dereference -Wno-error=restrict>
    $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>) # so that ccache knows what a precompiled header holds

add_library(headscope_qt_strict INTERFACE)
target_compile_definitions(headscope_qt_strict INTERFACE
    QT_NO_KEYWORDS QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_FOREACH
    QT_USE_QSTRINGBUILDER QT_NO_CONTEXTLESS_CONNECT)

if(BUILD_TESTING)
    add_library(headscope_qt_test INTERFACE)
    target_link_libraries(headscope_qt_test INTERFACE Qt6::Test headscope_qt_strict)
endif()
