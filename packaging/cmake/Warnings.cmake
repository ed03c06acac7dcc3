# SPDX-License-Identifier: GPL-3.0-or-later
# Interface targets that carry compiler settings; no flags are set for whole folders.

add_library(headscope_warnings INTERFACE)
target_compile_options(headscope_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wold-style-cast -Wnon-virtual-dtor
    -Woverloaded-virtual
    # In a group a local name may be that of another file, and file-local types are members of classes.
    $<IF:$<BOOL:${HEADSCOPE_UNITY}>,-Wshadow=compatible-local -Wno-subobject-linkage,-Wshadow>
    $<$<BOOL:${HEADSCOPE_WERROR}>:-Werror>
    # GCC guesses these from optimised code, wrongly in fmt and libstdc++; dev and the sanitizers see what is true of them.
    $<$<CONFIG:Release>:-Wno-stringop-overflow -Wno-restrict -Wno-maybe-uninitialized -Wno-array-bounds
        -Wno-stringop-overread -Wno-free-nonheap-object>
    $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>) # so that ccache knows what a precompiled header holds

add_library(headscope_qt_strict INTERFACE)
target_compile_definitions(headscope_qt_strict INTERFACE
    QT_NO_KEYWORDS QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_FOREACH
    QT_USE_QSTRINGBUILDER QT_NO_CONTEXTLESS_CONNECT)

if(BUILD_TESTING)
    add_library(headscope_qt_test INTERFACE)
    target_link_libraries(headscope_qt_test INTERFACE Qt6::Test headscope_qt_strict)
endif()
