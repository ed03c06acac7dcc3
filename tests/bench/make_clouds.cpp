// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the clouds that the benchmarks share with their peers as .npy files:
//   headscope_make_clouds KIND ROWS DIMS HEADS FOLDER
// KIND is headlike, overlap or hard. headlike and overlap also write head.npy and document.npy.

#include "tests/support/clouds.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

namespace
{

using namespace headscope;

/// Version 1.0 of the format: magic, header length, a Python dictionary padded to 64 bytes.
bool writeNpy(const std::string& path, std::string_view type, std::string_view shape, std::span<const char> bytes)
{
    std::string header = "{'descr': '";
    header.append(type).append("', 'fortran_order': False, 'shape': (").append(shape).append("), }");
    constexpr std::size_t prefix = 10;
    header.append(63 - (prefix + header.size()) % 64, ' ').push_back('\n');
    std::ofstream file(path, std::ios::binary);
    file.write("\x93NUMPY\x01\x00", 8);
    file.put(static_cast<char>(header.size() & 0xFF));
    file.put(static_cast<char>(header.size() >> 8));
    file << header;
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file)
        std::fprintf(stderr, "%s: could not be written\n", path.c_str());
    return static_cast<bool>(file);
}

template <typename T>
std::span<const char> bytesOf(const T* data, std::int64_t count)
{
    return {reinterpret_cast<const char*>(data), static_cast<std::size_t>(count) * sizeof(T)};
}

bool writeMatrix(const std::string& folder, const MatrixF& vectors)
{
    const std::string shape = std::to_string(vectors.rows()) + ", " + std::to_string(vectors.cols());
    return writeNpy(folder + "/vectors.npy", "<f4", shape, bytesOf(vectors.data(), vectors.rows() * vectors.cols()));
}

bool writeColumn(const std::string& path, const std::vector<std::int32_t>& values)
{
    const auto count = static_cast<std::int64_t>(values.size());
    return writeNpy(path, "<i4", std::to_string(count) + ",", bytesOf(values.data(), count));
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 6)
    {
        std::fputs("usage: headscope_make_clouds headlike|overlap|hard ROWS DIMS HEADS FOLDER\n", stderr);
        return 2;
    }
    const std::string_view kind = argv[1];
    const std::int64_t rows = std::atoll(argv[2]);
    const std::int64_t dims = std::atoll(argv[3]);
    const std::int64_t heads = std::atoll(argv[4]);
    const std::string folder = argv[5];
    if (kind == "hard")
        return writeMatrix(folder, test::hardCloud(rows, dims)) ? 0 : 4;
    if (kind != "headlike" && kind != "overlap")
    {
        std::fprintf(stderr, "headscope_make_clouds: unknown kind %s\n", argv[1]);
        return 2;
    }
    const test::HeadClouds clouds =
        kind == "headlike" ? test::headLikeClouds(rows, dims, heads) : test::overlappingClouds(rows, dims, heads);
    const bool written = writeMatrix(folder, clouds.vectors) && writeColumn(folder + "/head.npy", clouds.head) &&
                         writeColumn(folder + "/document.npy", clouds.document);
    return written ? 0 : 4;
}
