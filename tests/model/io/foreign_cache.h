// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/random.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace headscope::test
{

/// A cache as another program writes it: vectors of stage 1 of layer 1, without checksums and seal.
/// @param changedRow  a document with other vectors, of the same size; -1: none
[[nodiscard]] inline Status writeForeignCache(const std::filesystem::path& path, std::int64_t changedRow = -1)
{
    constexpr std::int64_t kRows = 200, kForeignHeads = 2, kForeignDims = 4;
    const CounterRandom random(3);
    std::vector<float> values;
    for (std::int64_t row = 0; row < kRows; ++row)
        for (std::int64_t i = 0; i < kForeignHeads * kForeignDims; ++i)
            values.push_back(static_cast<float>(random.normal(values.size()) + (row == changedRow ? 1.0 : 0.0) +
                                                (i < kForeignDims ? 2.0 : 0.0)));
    HEADSCOPE_TRY(auto file, Hdf5Writer::create(path));
    HEADSCOPE_CHECK(file.setAttribute("/", "format", std::string("headscope-cache")));
    HEADSCOPE_CHECK(file.setAttribute("/", "version", std::int64_t{1}));
    HEADSCOPE_CHECK(file.makeGroup("/model"));
    HEADSCOPE_CHECK(file.setAttribute("/model", "layers", std::int64_t{2}));
    HEADSCOPE_CHECK(file.setAttribute("/model", "heads", kForeignHeads));
    HEADSCOPE_CHECK(file.setAttribute("/model", "kv_heads", std::int64_t{1}));
    const std::array shape = {kRows, kForeignHeads, kForeignDims};
    HEADSCOPE_CHECK(
        file.write("/embeddings/layer_001/stage1", shape, NumberType::F32, std::as_bytes(std::span(values))));
    return file.publish();
}

/// Puts one with another document into its place, of the same size and time of change.
inline Status changeForeignCacheUnseen(const std::filesystem::path& path)
{
    const auto time = std::filesystem::last_write_time(path);
    HEADSCOPE_CHECK(writeForeignCache(path, 1)); // of the rows that are looked at to tell caches apart it is none
    std::filesystem::last_write_time(path, time);
    return {};
}

} // namespace headscope::test
