# SPDX-License-Identifier: GPL-3.0-or-later
# What a build may choose. Presets set these; see CMakePresets.json.

include(CTest)

option(HEADSCOPE_WERROR "Treat compiler warnings as errors" OFF)
option(HEADSCOPE_FUZZERS "Build the libFuzzer targets (clang only)" OFF)
option(HEADSCOPE_COVERAGE "Instrument for gcov" OFF)
set(HEADSCOPE_SANITIZE "" CACHE STRING "Sanitizers to build with, as -fsanitize takes them")
option(HEADSCOPE_ENGINE "Build headscope-engine (needs libtorch)" ON)
set(HEADSCOPE_TORCH_ROOT "" CACHE PATH "Folder \"torch\" of an installed PyPI wheel; empty: the system's libtorch")
option(HEADSCOPE_TORCH_CUDA "Use the GPU part of that wheel" ON)
set(HEADSCOPE_PARQUET "AUTO" CACHE STRING "Read Parquet by Arrow: AUTO (where packaging/parquet.sh fetched it), ON or OFF")
set_property(CACHE HEADSCOPE_PARQUET PROPERTY STRINGS AUTO ON OFF)
set(HEADSCOPE_ARROW_ROOT "" CACHE PATH "Folder \"pyarrow\" of PyPI's wheel; empty: what packaging/parquet.sh fetched")
option(HEADSCOPE_DESKTOP "Build headscope (needs Qt 6)" ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# The quickest linker that is installed.
find_program(HEADSCOPE_MOLD mold)
find_program(HEADSCOPE_LLD ld.lld)
mark_as_advanced(HEADSCOPE_MOLD HEADSCOPE_LLD)
if(HEADSCOPE_MOLD)
    add_link_options(-fuse-ld=mold)
elseif(HEADSCOPE_LLD)
    add_link_options(-fuse-ld=lld)
endif()

# GCC collects what it no longer needs from 128 MB on, again and again: a tenth of its time. Here from 1 GB on.
add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1048576>)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

add_feature_info(engine HEADSCOPE_ENGINE "headscope-engine: runs models, writes head vectors")
add_feature_info(desktop HEADSCOPE_DESKTOP "headscope: the window and the verbs that need no model")
add_feature_info(fuzzers HEADSCOPE_FUZZERS "libFuzzer targets of the parsers")
