// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/io/hdf5/hdf5_handle.h"
#include "model/io/hdf5/number_type.h"

#include <optional>
#include <string>

namespace headscope
{

/// HDF5's type for numbers in memory (F16: the raw half type; Bf16: uint16); invalid where HDF5 fails.
/// Hold an Hdf5Guard.
[[nodiscard]] Hdf5Handle memoryType(NumberType type);

/// The same little-endian, as files hold it. Hold an Hdf5Guard.
[[nodiscard]] Hdf5Handle fileType(NumberType type);

/// A text as HDF5 keeps it: a NUL ends a string there, so U+2400, the symbol for NUL, stands in its place.
[[nodiscard]] std::string withoutNul(const std::string& text);

/// Variable-length UTF-8 strings. Hold an Hdf5Guard.
[[nodiscard]] Hdf5Handle textType();

/// What kind of number an HDF5 type is, if it is one of ours to the last bit; never Bf16, which only an attribute
/// of the dataset tells from uint16. Hold an Hdf5Guard.
[[nodiscard]] std::optional<NumberType> numberTypeOf(Hdf5Id type);

} // namespace headscope
