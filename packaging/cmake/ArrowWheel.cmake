# SPDX-License-Identifier: GPL-3.0-or-later
# Arrow C++ with its Parquet out of PyPI's wheel pyarrow, which packaging/parquet.sh fetches: Debian 12 has neither.
# Sets HEADSCOPE_ARROW_FOUND, HEADSCOPE_ARROW_LIBRARIES and _LICENCES, and the target headscope_arrow_wheel.
set(HEADSCOPE_ARROW_VERSION 26.0.1) # packaging/parquet.sh names it, too
set(HEADSCOPE_ARROW_FOUND FALSE)

set(wheel "${HEADSCOPE_ARROW_ROOT}")
if(NOT wheel)
    set(cache_folder "$ENV{XDG_CACHE_HOME}")
    if(NOT cache_folder)
        set(cache_folder "$ENV{HOME}/.cache")
    endif()
    set(wheel "${cache_folder}/headscope/pyarrow-${HEADSCOPE_ARROW_VERSION}/pyarrow")
endif()

set(arrow_problem "")
if(HEADSCOPE_PARQUET STREQUAL "AUTO" OR HEADSCOPE_PARQUET)
    set(config "${wheel}/include/arrow/util/config.h")
    file(GLOB HEADSCOPE_ARROW_LIBRARIES "${wheel}/libarrow.so.[0-9]*" "${wheel}/libparquet.so.[0-9]*")
    list(FILTER HEADSCOPE_ARROW_LIBRARIES EXCLUDE REGEX "so\\.[0-9]+\\.") # links of other names to the same files
    list(LENGTH HEADSCOPE_ARROW_LIBRARIES count)
    if(NOT EXISTS "${config}" OR NOT count EQUAL 2)
        set(arrow_problem "found no Arrow in ${wheel}; packaging/parquet.sh fetches it")
    else()
        file(STRINGS "${config}" line REGEX "define ARROW_VERSION_STRING ")
        string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" version "${line}")
        if(NOT version STREQUAL HEADSCOPE_ARROW_VERSION)
            set(arrow_problem "expected Arrow ${HEADSCOPE_ARROW_VERSION}, found ${version} in ${wheel}")
        else()
            set(HEADSCOPE_ARROW_FOUND TRUE)
        endif()
    endif()
    if(arrow_problem AND NOT HEADSCOPE_PARQUET STREQUAL "AUTO")
        message(FATAL_ERROR "HEADSCOPE_PARQUET: ${arrow_problem}")
    endif()
endif()

if(HEADSCOPE_ARROW_FOUND)
    add_library(headscope_arrow_wheel INTERFACE)
    target_include_directories(headscope_arrow_wheel SYSTEM INTERFACE "${wheel}/include")
    target_link_libraries(headscope_arrow_wheel INTERFACE ${HEADSCOPE_ARROW_LIBRARIES})
    file(GLOB HEADSCOPE_ARROW_LICENCES "${wheel}/../pyarrow-*.dist-info/licenses/*.txt")
endif()
add_feature_info(parquet HEADSCOPE_ARROW_FOUND
                 "reading .parquet by Arrow ${HEADSCOPE_ARROW_VERSION} of PyPI's wheel (packaging/parquet.sh fetches it)")
