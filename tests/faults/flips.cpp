// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/flips.h"

#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace headscope::faults
{
namespace
{

constexpr std::size_t kFooter = 64;

/// Offsets and sizes of "regions=O+L,O+L".
std::vector<std::pair<std::size_t, std::size_t>> regionsIn(const std::string& body)
{
    std::vector<std::pair<std::size_t, std::size_t>> regions;
    const std::size_t begin = body.find("regions=") + 8;
    const std::size_t end = body.find(' ', begin);
    for (std::size_t at = begin; at < end;)
    {
        char* behind = nullptr;
        const std::size_t offset = std::strtoull(body.c_str() + at, &behind, 10);
        const std::size_t size = std::strtoull(behind + 1, &behind, 10);
        regions.emplace_back(offset, size);
        at = static_cast<std::size_t>(behind - body.c_str()) + 1;
    }
    return regions;
}

} // namespace

std::vector<Flip> flipsOf(const std::string& bytes)
{
    const std::size_t footer = bytes.size() - kFooter;
    if (bytes.size() < kFooter || bytes.compare(footer, 8, "HSSEAL1 ") != 0)
        throw std::runtime_error("expected a sealed file, found none");
    const std::size_t bodySize = std::strtoull(bytes.substr(footer + 8, 8).c_str(), nullptr, 10);
    const std::size_t body = footer - bodySize;
    const auto regions = regionsIn(bytes.substr(body, bodySize));
    std::vector<Flip> flips;
    for (const auto& [offset, size] : regions)
        flips.push_back({"numbers from byte " + std::to_string(offset), offset + size / 2});
    constexpr std::size_t kOfTheRest = 4;
    const auto covered = [&](std::size_t at) {
        for (const auto& [offset, size] : regions)
            if (at >= offset && at < offset + size)
                return offset + size;
        return at;
    };
    for (std::size_t i = 0; i < kOfTheRest; ++i)
        if (const std::size_t at = covered(body * (2 * i + 1) / (2 * kOfTheRest)); at < body)
            flips.push_back({"the rest", at});
    flips.push_back({"the seal", body + 5});             // the size
    flips.push_back({"the seal", body + bodySize - 10}); // the digest
    flips.push_back({"the seal", footer + 20});
    return flips;
}

std::string flipped(std::string bytes, const Flip& flip)
{
    bytes[flip.at] = static_cast<char>(bytes[flip.at] ^ 0x10);
    return bytes;
}

} // namespace headscope::faults
