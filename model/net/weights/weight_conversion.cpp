// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/weights/weight_conversion.h"

#include "model/kernels/dequantise.h"
#include "model/kernels/gemm.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace headscope
{
namespace
{

Result<std::vector<float>> numbersOf(const TensorInfo& info, const WeightFiles& files)
{
    std::vector<std::byte> raw(info.bytes);
    HEADSCOPE_CHECK(files.readAt(info.file, info.offset, raw));
    std::vector<float> values(info.elements());
    HEADSCOPE_CHECK(dequantise(info.type, raw, values));
    return values;
}

/// Adds scale B A to rows [begin, end) of a matrix, in float32.
Status addAdapter(const Conversion& conversion, const WeightFiles& files, std::int64_t begin, std::int64_t end)
{
    const LoraPair& pair = *conversion.adapter;
    const std::int64_t rank = pair.a.shape[0];
    HEADSCOPE_TRY(const auto a, numbersOf(pair.a, files));
    HEADSCOPE_TRY(const auto b, numbersOf(pair.b, files));
    gemmNN(end - begin, conversion.cols, rank, static_cast<float>(pair.scale), b.data() + begin * rank, rank, a.data(),
           conversion.cols, 1.0F, conversion.to + begin * conversion.cols, conversion.cols);
    return {};
}

/// Turns rows [begin, end) of a matrix that the file holds with rows and columns exchanged.
Status convertColumns(const Conversion& conversion, const WeightFiles& files, std::int64_t begin, std::int64_t end)
{
    const auto count = static_cast<std::size_t>(end - begin);
    const auto size = static_cast<std::size_t>(tensorTypeInfo(conversion.type).blockBytes);
    std::vector<std::byte> stored(count * size);
    std::vector<float> numbers(count);
    for (std::int64_t col = 0; col < conversion.cols; ++col)
    {
        const auto first = static_cast<std::size_t>(col * conversion.storedCols + begin);
        HEADSCOPE_CHECK(files.readAt(conversion.file, conversion.offset + first * size, stored));
        HEADSCOPE_CHECK(dequantise(conversion.type, stored, numbers));
        for (std::int64_t row = begin; row < end; ++row)
            conversion.to[row * conversion.cols + col] = numbers[static_cast<std::size_t>(row - begin)];
    }
    return {};
}

/// The same of a matrix that lies in rows, or in groups of rows. Vectors come as rows of one number where they are
/// permuted or in groups, so that these biases are rows too.
Status copyRows(const Conversion& conversion, const WeightFiles& files, std::int64_t begin, std::int64_t end)
{
    const std::int64_t group = conversion.groupRows;
    if (group > 0 && (end - 1) / group != begin / group)
    {
        for (std::int64_t row = begin; row < end; row = (row / group + 1) * group)
            HEADSCOPE_CHECK(copyRows(conversion, files, row, std::min(end, (row / group + 1) * group)));
        return {};
    }
    const std::int64_t stored = group > 0 ? begin / group * conversion.groupStep + begin % group : begin;
    const std::size_t rowBytes = conversion.bytes / static_cast<std::size_t>(conversion.rows);
    const auto cols = static_cast<std::size_t>(conversion.cols);
    const std::size_t first = static_cast<std::size_t>(stored) * rowBytes;
    const std::size_t size = static_cast<std::size_t>(end - begin) * rowBytes;
    const std::span<float> to(conversion.to + begin * conversion.cols, static_cast<std::size_t>(end - begin) * cols);
    if (conversion.type == TensorType::F32 && conversion.permutedHeadDim == 0)
        return files.readAt(conversion.file, conversion.offset + first, std::as_writable_bytes(to));
    const auto buffer = std::make_unique_for_overwrite<std::byte[]>(size);
    const std::span<std::byte> from(buffer.get(), size);
    HEADSCOPE_CHECK(files.readAt(conversion.file, conversion.offset + first, from));
    if (conversion.permutedHeadDim == 0)
        return dequantise(conversion.type, from, to);
    for (std::int64_t row = begin; row < end; ++row)
        HEADSCOPE_CHECK(
            dequantise(conversion.type, from.subspan(static_cast<std::size_t>(row - begin) * rowBytes, rowBytes),
                       {conversion.to + unpermutedRow(row, conversion.permutedHeadDim) * conversion.cols, cols}));
    return {};
}

Status convertNumbers(const Conversion& conversion, const WeightFiles& files, std::int64_t begin, std::int64_t end)
{
    HEADSCOPE_CHECK(conversion.storedCols > 0 ? convertColumns(conversion, files, begin, end)
                                              : copyRows(conversion, files, begin, end));
    if (conversion.addend != 0)
        for (float& number : std::span(conversion.to, static_cast<std::size_t>(conversion.rows * conversion.cols))
                                 .subspan(static_cast<std::size_t>(begin * conversion.cols),
                                          static_cast<std::size_t>((end - begin) * conversion.cols)))
            number += conversion.addend;
    return {};
}

} // namespace

Status convertRows(const Conversion& conversion, const WeightFiles& files, std::int64_t begin, std::int64_t end)
{
    HEADSCOPE_CHECK(convertNumbers(conversion, files, begin, end));
    if (conversion.adapter != nullptr)
        HEADSCOPE_CHECK(addAdapter(conversion, files, begin, end));
    if (conversion.packed)
        packWeights(conversion.to + begin * conversion.cols, end - begin, conversion.cols);
    return {};
}

} // namespace headscope
