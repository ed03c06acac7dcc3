// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/matrix_file.h"

#include "model/io/hdf5/hdf5_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace headscope
{
namespace
{

Error wrongShape(const ArraySource& source, std::string_view expected, const std::string& found)
{
    return {ErrorCode::BadFormat, fmt::format("expected {}, found {}", expected, found), source.file.string(),
            source.dataset};
}

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

Status expectNumbers(const ArraySource& source, const std::vector<std::int64_t>& shape)
{
    if (std::ranges::find(shape, 0) != shape.end())
        return wrongShape(source, "a matrix of at least one row and one column", shapeText(shape));
    return {};
}

} // namespace

Result<ArraySource> parseArraySource(std::string_view text)
{
    if (text.ends_with(".npy"))
        return ArraySource{std::filesystem::path(text), {}};
    const auto at = text.find(":/");
    if (at == std::string_view::npos || at == 0 || at + 2 == text.size())
        return Error{
            ErrorCode::WrongUse, fmt::format("expected FILE.h5:/path or FILE.npy, found \"{}\"", text), {}, {}};
    return ArraySource{std::filesystem::path(text.substr(0, at)), std::string(text.substr(at + 1))};
}

Result<MatrixF> readMatrix(std::string_view text, JobContext& job)
{
    HEADSCOPE_TRY(const ArraySource source, parseArraySource(text));
    constexpr std::string_view kExpected = "a matrix [N, D] of numbers";
    if (source.dataset.empty())
    {
        HEADSCOPE_TRY(NpyArray<float> array, readNpy<float>(source.file));
        if (array.shape.size() != 2)
            return wrongShape(source, kExpected, shapeText(array.shape));
        HEADSCOPE_CHECK(expectNumbers(source, array.shape));
        return MatrixF(array.shape[0], array.shape[1], std::move(array.values));
    }
    HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(source.file, job));
    HEADSCOPE_TRY(const DatasetInfo info, file.describe(source.dataset));
    if (info.shape.size() != 2 || !info.number)
        return wrongShape(source, kExpected, info.describe());
    HEADSCOPE_CHECK(expectNumbers(source, info.shape));
    if (isFloating(*info.number))
    {
        HEADSCOPE_TRY(auto values, readNumbers<float>(file, source.dataset));
        return MatrixF(info.shape[0], info.shape[1], std::move(values));
    }
    HEADSCOPE_TRY(const auto integers, readNumbers<std::int64_t>(file, source.dataset));
    return MatrixF(info.shape[0], info.shape[1], std::vector<float>(integers.begin(), integers.end()));
}

Result<std::vector<std::int64_t>> readIntegers(std::string_view text, JobContext& job)
{
    HEADSCOPE_TRY(const ArraySource source, parseArraySource(text));
    constexpr std::string_view kExpected = "a vector [N] of integers";
    if (source.dataset.empty())
    {
        HEADSCOPE_TRY(const NpyArray<double> array, readNpy<double>(source.file));
        if (array.shape.size() != 1 || !array.integers)
            return wrongShape(source, kExpected,
                              shapeText(array.shape) + (array.integers ? " integers" : " real numbers"));
        return std::vector<std::int64_t>(array.values.begin(), array.values.end());
    }
    HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(source.file, job));
    HEADSCOPE_TRY(const DatasetInfo info, file.describe(source.dataset));
    if (info.shape.size() != 1 || !info.number || isFloating(*info.number))
        return wrongShape(source, kExpected, info.describe());
    return readNumbers<std::int64_t>(file, source.dataset);
}

} // namespace headscope
