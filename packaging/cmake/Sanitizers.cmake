# SPDX-License-Identifier: GPL-3.0-or-later

add_library(headscope_sanitizers INTERFACE)
if(HEADSCOPE_SANITIZE)
    target_compile_options(headscope_sanitizers INTERFACE
        -fsanitize=${HEADSCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(headscope_sanitizers INTERFACE -fsanitize=${HEADSCOPE_SANITIZE})
endif()
if(HEADSCOPE_COVERAGE)
    target_compile_options(headscope_sanitizers INTERFACE --coverage)
    target_link_options(headscope_sanitizers INTERFACE --coverage)
endif()
if(HEADSCOPE_FUZZERS)
    # The libraries report their coverage too; without it a fuzzer searches blindly.
    target_compile_options(headscope_sanitizers INTERFACE -fsanitize=fuzzer-no-link)
    target_link_options(headscope_sanitizers INTERFACE -fsanitize=fuzzer-no-link)
endif()
