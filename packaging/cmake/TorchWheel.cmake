# SPDX-License-Identifier: GPL-3.0-or-later
# libtorch out of PyPI's wheel, in place of Debian's. The wheel's own TorchConfig.cmake wants a CUDA toolkit with nvcc and
# finds Debian's library before its own; our one file that uses libtorch needs its headers and four libraries.
set(wheel "${HEADSCOPE_TORCH_ROOT}")
foreach(file IN ITEMS include/ATen/ATen.h lib/libtorch_cpu.so lib/libc10.so version.py)
    if(NOT EXISTS "${wheel}/${file}")
        message(FATAL_ERROR "HEADSCOPE_TORCH_ROOT: expected the folder \"torch\" of an installed wheel, found no "
                            "${wheel}/${file}; packaging/cuda.sh installs one")
    endif()
endforeach()
file(STRINGS "${wheel}/version.py" version REGEX "^__version__ = ")
string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" Torch_VERSION "${version}")

add_library(headscope_torch_wheel INTERFACE)
target_include_directories(headscope_torch_wheel SYSTEM INTERFACE "${wheel}/include"
                                                                  "${wheel}/include/torch/csrc/api/include")
target_link_libraries(headscope_torch_wheel INTERFACE "${wheel}/lib/libtorch_cpu.so" "${wheel}/lib/libc10.so")
if(HEADSCOPE_TORCH_CUDA)
    # No symbol of ours lies in it: it registers the GPU's operators when it is loaded.
    target_link_libraries(headscope_torch_wheel INTERFACE "-Wl,--no-as-needed" "${wheel}/lib/libtorch_cuda.so"
                                                          "${wheel}/lib/libc10_cuda.so" "-Wl,--as-needed")
endif()
set(TORCH_LIBRARIES headscope_torch_wheel)
