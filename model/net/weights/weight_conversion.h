// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/base/tensor_type.h"
#include "model/kernels/weight_product.h"
#include "model/net/config/lora_adapter.h"
#include "model/net/weights/weights.h"

#include <algorithm>
#include <cstdint>

namespace headscope
{

/// One tensor to turn into float32.
struct Conversion
{
    TensorType type = TensorType::F32;
    std::int32_t file = 0;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    float* to = nullptr;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t permutedHeadDim = 0; ///< 0 = rows are in order
    std::int64_t storedCols = 0;      ///< as TensorInfo::storedCols
    std::int64_t groupRows = 0;       ///< as TensorInfo::groupRows
    std::int64_t groupStep = 0;
    float addend = 0;                  ///< is added to every number
    const LoraPair* adapter = nullptr; ///< is added, too
    bool packed = false;               ///< at last

    /// Rows that are turned together: a head whose rows change places, or a band.
    [[nodiscard]] std::int64_t rowUnit() const
    {
        return packed ? std::max(permutedHeadDim, kWeightBand) : std::int64_t{1};
    }
};

/// Turns rows [begin, end), whole units, with all that is added to them.
/// @errors those of WeightFiles::readAt; BadFormat (damaged blocks)
[[nodiscard]] Status convertRows(const Conversion& conversion, const WeightFiles& files, std::int64_t begin,
                                 std::int64_t end);

} // namespace headscope
