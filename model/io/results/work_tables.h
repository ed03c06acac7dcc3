// SPDX-License-Identifier: GPL-3.0-or-later
// Lists and tables of kept work; empty ones are not written.
#pragma once

#include "model/base/result.h"
#include "model/data/matrix.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headscope::work
{

template <class T>
inline constexpr NumberType kTypeOf = NumberType::F64;
template <>
inline constexpr NumberType kTypeOf<float> = NumberType::F32;
template <>
inline constexpr NumberType kTypeOf<std::int64_t> = NumberType::I64;
template <>
inline constexpr NumberType kTypeOf<std::int32_t> = NumberType::I32;

template <class T>
[[nodiscard]] Status writeList(Hdf5Writer& file, const std::string& dataset, const std::vector<T>& values)
{
    if (values.empty())
        return {};
    const std::array shape = {static_cast<std::int64_t>(values.size())};
    return file.write(dataset, shape, kTypeOf<T>, std::as_bytes(std::span(values)));
}

template <class T>
[[nodiscard]] Status writeTable(Hdf5Writer& file, const std::string& dataset, const Matrix<T>& values)
{
    if (values.empty())
        return {};
    const std::array shape = {values.rows(), values.cols()};
    return file.write(dataset, shape, kTypeOf<T>, std::as_bytes(std::span(values.values())));
}

/// Empty where there is none.
template <class T>
[[nodiscard]] Result<std::vector<T>> readList(const Hdf5Reader& file, const std::string& dataset)
{
    if (!file.has(dataset))
        return std::vector<T>();
    return readNumbers<T>(file, dataset);
}

/// Empty where there is none.
template <class T>
[[nodiscard]] Result<Matrix<T>> readTable(const Hdf5Reader& file, const std::string& dataset)
{
    if (!file.has(dataset))
        return Matrix<T>();
    HEADSCOPE_TRY(const DatasetInfo info, file.describe(dataset));
    if (info.shape.size() != 2)
        return Error{ErrorCode::BadFormat, "expected a table, found " + info.describe(), file.path().string(), dataset};
    HEADSCOPE_TRY(auto values, readNumbers<T>(file, dataset));
    return Matrix<T>(info.shape[0], info.shape[1], std::move(values));
}

} // namespace headscope::work
