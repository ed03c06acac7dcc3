# SPDX-License-Identifier: GPL-3.0-or-later
# Every library the project stands on, with what it is for. All come from Debian 12.

function(headscope_dependency name purpose)
    set_package_properties(${name} PROPERTIES TYPE REQUIRED PURPOSE "${purpose}")
endfunction()

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

find_package(fmt REQUIRED)
headscope_dependency(fmt "text formatting")
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
headscope_dependency(OpenSSL "SHA-256 of model files and caches")
find_package(OpenMP REQUIRED COMPONENTS CXX)
headscope_dependency(OpenMP "worker threads of parallelFor")
find_package(nlohmann_json REQUIRED)
headscope_dependency(nlohmann_json "JSON of small files and messages")
find_package(simdjson REQUIRED)
headscope_dependency(simdjson "JSON of large files: tokenizers, safetensors headers, JSONL")
find_package(Eigen3 REQUIRED NO_MODULE)
headscope_dependency(Eigen3 "small dense linear algebra of the analyses")
# Debian's dnnl-config.cmake asks for OpenCL's development files, which a CPU build does not need.
find_library(DNNL_LIBRARY dnnl REQUIRED)
find_path(DNNL_INCLUDE_DIR oneapi/dnnl/dnnl.h REQUIRED)
add_library(DNNL::dnnl UNKNOWN IMPORTED)
set_target_properties(DNNL::dnnl PROPERTIES IMPORTED_LOCATION "${DNNL_LIBRARY}"
                      INTERFACE_INCLUDE_DIRECTORIES "${DNNL_INCLUDE_DIR}")
add_feature_info(oneDNN TRUE "float32 matrix products at the speed of the CPU at hand")
find_package(HDF5 REQUIRED COMPONENTS C)
headscope_dependency(HDF5 "the cache file")
find_package(ZLIB REQUIRED)
headscope_dependency(ZLIB "reading .gz texts")
find_package(CLI11 REQUIRED)
headscope_dependency(CLI11 "command lines")

# Libraries that Debian describes by pkg-config only.
function(headscope_pkg name module purpose)
    pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${module})
    add_feature_info(${name} TRUE "${purpose}")
endfunction()
headscope_pkg(XXHASH libxxhash "fast hashes of data sets and coordinates")
headscope_pkg(HIGHWAY libhwy "SIMD loops chosen at run time (AVX2, AVX-512)")
headscope_pkg(FFTW fftw3f "Fourier transforms of the t-SNE mesh, single precision")
headscope_pkg(ONIGURUMA oniguruma "regular expressions of tokenizers")
headscope_pkg(UTF8PROC libutf8proc "Unicode normal forms and classes")
headscope_pkg(ZSTD libzstd "reading .zst texts")

if(HEADSCOPE_ENGINE)
    find_package(Torch REQUIRED)
    headscope_dependency(Torch "tensors of the engine, on CPU or GPU")
endif()
# The tests are written with Qt Test, so Qt is needed for them also where only the engine is built.
find_package(Qt6 6.4 REQUIRED COMPONENTS Core)
headscope_dependency(Qt6 "pictures, window and tests")
if(HEADSCOPE_DESKTOP)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Gui Widgets Svg Charts DBus)
endif()
if(BUILD_TESTING)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Test)
    # Without the folders of the caller among its definitions: a precompiled header that is shared between
    # folders could not be used then, nor a compiler's cache of another checkout. No test asks for them.
    set_property(TARGET Qt6::Test PROPERTY INTERFACE_COMPILE_DEFINITIONS QT_TESTLIB_LIB)
endif()
