// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// The parts of which an AnnData file is made, each with the attributes by which others know it.
/// @errors Resource
namespace headscope::anndata
{

/// Says what an object is.
[[nodiscard]] Status describe(Hdf5Writer& file, const std::string& object, const char* type, const char* version);

/// A column of texts.
[[nodiscard]] Status writeTexts(Hdf5Writer& file, const std::string& object, const std::vector<std::string>& values);

/// An array of numbers.
template <class T>
[[nodiscard]] Status writeArray(Hdf5Writer& file, const std::string& object, std::span<const std::int64_t> shape,
                                NumberType type, std::span<const T> values)
{
    HEADSCOPE_CHECK(file.write(object, shape, type, std::as_bytes(values)));
    return describe(file, object, "array", "0.2.0");
}

/// A column of numbers.
template <class T>
[[nodiscard]] Status writeColumn(Hdf5Writer& file, const std::string& object, NumberType type,
                                 const std::vector<T>& values)
{
    const std::array shape = {static_cast<std::int64_t>(values.size())};
    return writeArray(file, object, shape, type, std::span<const T>(values));
}

/// Makes a data frame of a group that holds these columns and the names of its rows, `_index`.
[[nodiscard]] Status writeTable(Hdf5Writer& file, const std::string& group, const std::vector<std::string>& columns);

} // namespace headscope::anndata
