// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace headscope::test
{

/// A float32 tensor for a file that a test writes.
struct MadeTensor
{
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> values;
};

/// Numbers between -1 and 1 that look like none in particular, other ones for each seed.
inline std::vector<float> madeNumbers(std::int64_t count, int seed)
{
    std::vector<float> values;
    std::uint32_t state = 2463534242U + 97U * static_cast<std::uint32_t>(seed);
    for (std::int64_t i = 0; i < count; ++i)
    {
        state ^= state << 13U;
        state ^= state >> 17U;
        state ^= state << 5U;
        values.push_back(static_cast<float>(state % 20001U) / 10000.0F - 1.0F);
    }
    return values;
}

/// A tensor of made numbers.
inline MadeTensor madeTensor(const std::string& name, const std::vector<std::int64_t>& shape, int seed)
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape)
        count *= size;
    return {name, shape, madeNumbers(count, seed)};
}

/// Writes a safetensors file: the length of its header, the header, the numbers.
inline void writeSafetensors(const std::filesystem::path& path, const std::vector<MadeTensor>& tensors)
{
    std::string header = "{";
    std::string data;
    for (const MadeTensor& tensor : tensors)
    {
        std::string shape;
        for (const std::int64_t size : tensor.shape)
            shape += (shape.empty() ? "" : ", ") + std::to_string(size);
        const std::size_t begin = data.size();
        data.append(reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size() * sizeof(float));
        header += (header.size() > 1 ? ", \"" : "\"") + tensor.name + R"(": {"dtype": "F32", "shape": [)" + shape +
                  "], \"data_offsets\": [" + std::to_string(begin) + ", " + std::to_string(data.size()) + "]}";
    }
    header += "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    const auto length = static_cast<std::uint64_t>(header.size());
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&length), sizeof length);
    file << header << data;
}

} // namespace headscope::test
