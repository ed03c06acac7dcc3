// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/page/page.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

namespace headscope::test
{

/// How large a sample is.
struct SampleSize
{
    std::int32_t documents = 300;
    std::int32_t heads = 32;
    std::int32_t topics = 7;
};

/// A colour with a share of white (positive) or black.
inline std::uint32_t shade(std::uint32_t rgb, double share)
{
    std::uint32_t mixed = 0;
    for (const unsigned shift : {16U, 8U, 0U})
    {
        const double part = (rgb >> shift) & 0xFFU;
        const double toward = share > 0 ? 255 : 0;
        mixed |= static_cast<std::uint32_t>(std::lround(part + (toward - part) * std::abs(share))) << shift;
    }
    return mixed;
}

inline constexpr std::array<std::uint32_t, 8> kSampleHues = {0x3A6FB8, 0xC7603A, 0x2F8F6B, 0x9A5AA8,
                                                             0xB58A1E, 0x2B93AD, 0xBF4A74, 0x6E7A2E};

/// Places of a head's cloud that has a bulge for each topic; the same at every call.
inline void addPoint(report::LiveMap& map, std::int32_t document, std::int32_t head, const SampleSize& size)
{
    const double turn = 2 * std::numbers::pi * head / size.heads;
    const double topic = 2 * std::numbers::pi * (document % size.topics) / size.topics;
    const double spread = std::fmod(std::abs(std::sin(12.9898 * document + 78.233 * head)) * 43758.5453, 1.0);
    const double around = std::fmod(std::abs(std::sin(39.346 * document + 11.135 * head)) * 24634.6345, 1.0);
    const double reach = 2.1 * std::sqrt(spread);
    map.x.push_back(static_cast<float>(30 * std::cos(turn) + 3.4 * std::cos(topic) +
                                       reach * std::cos(2 * std::numbers::pi * around)));
    map.y.push_back(static_cast<float>(22 * std::sin(turn) + 3.4 * std::sin(topic) +
                                       reach * std::sin(2 * std::numbers::pi * around)));
    map.head.push_back(head);
    map.document.push_back(document);
}

inline report::LiveMap sampleMap(const SampleSize& size)
{
    report::LiveMap map;
    map.title = "All heads of layer 12, stage 1";
    const std::int32_t groups = (size.heads + 3) / 4;
    for (std::int32_t group = 0; group < groups; ++group)
    {
        const std::uint32_t hue = kSampleHues.at(static_cast<std::size_t>(group) % kSampleHues.size());
        map.groups.push_back({"KV" + std::to_string(group + 1), {hue, shade(hue, 0.3)}});
    }
    for (std::int32_t head = 0; head < size.heads; ++head)
    {
        const std::uint32_t hue = map.groups[static_cast<std::size_t>(head / 4)].color.light;
        const double step = 0.18 * (head % 4) - 0.22;
        map.heads.push_back({std::to_string(head + 1), head / 4, {shade(hue, step), shade(hue, step + 0.25)}});
    }
    for (std::int32_t document = 0; document < size.documents; ++document)
        for (std::int32_t head = 0; head < size.heads; ++head)
            addPoint(map, document, head, size);
    map.numbers = {{"trust", "0.94 (15 neighbours)"}, {"KL divergence", "1.83"}, {"n", std::to_string(map.x.size())}};
    return map;
}

inline report::MapDocuments sampleDocuments(const SampleSize& size)
{
    const std::array<const char*, 8> names = {
        "astronomy", "cooking",  "football", "law",
        "medicine",  "painting", "railways", "weather and the climate of islands"};
    report::MapDocuments documents;
    report::MapColumn topic{.name = "topic", .categories = {}, .codes = {}};
    for (std::int32_t i = 0; i < size.topics; ++i)
    {
        const std::size_t at = static_cast<std::size_t>(i) % names.size();
        topic.categories.push_back({names.at(at), {kSampleHues.at(at), shade(kSampleHues.at(at), 0.25)}});
    }
    for (std::int32_t document = 0; document < size.documents; ++document)
    {
        documents.ids.push_back("doc-" + std::to_string(document));
        documents.quotations.push_back("Text number " + std::to_string(document) +
                                       " begins with words that say what it is about, as do the");
        topic.codes.push_back(document % 11 == 10 ? -1 : document % size.topics);
    }
    documents.columns.push_back(topic);
    return documents;
}

} // namespace headscope::test
