// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/maps/map_making.h"

#include "model/base/fields/fields.h"
#include "model/data/maps/map_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

namespace headscope
{
namespace
{

/// The options of two maps side by side where they differ.
std::string differencesOf(const HeadMap& a, const HeadMap& b)
{
    TsneOptions one = a.options;
    TsneOptions other = b.options;
    one.iterations = a.iteration; // those that were done, whatever ended them
    other.iterations = b.iteration;
    other.autoStop = one.autoStop;
    other.start = one.start; // these are in the text of the start
    other.startJitter = one.startJitter;
    other.seed = one.seed;
    Fields first;
    Fields second;
    fields(first, one);
    fields(second, other);
    std::vector<std::string> parts;
    for (const FieldDifference& each : differences(first, second, kRecordUse))
        parts.push_back(fmt::format("{} {} / {}", each.field->labelInside(), each.first, each.second));
    const auto add = [&parts](std::string_view what, const std::string& x, const std::string& y) {
        if (x != y)
            parts.push_back(fmt::format("{} {} / {}", what, x, y));
    };
    const std::string start = startText(a); // with the seed where that has a part in it
    if (const std::string otherStart = startText(b); start != otherStart)
        parts.push_back(fmt::format("{} / {}", start, otherStart));
    if (a.turns != b.turns)
        parts.emplace_back("changes during the run");
    if (!a.application.empty() && !b.application.empty())
        add("program", a.application, b.application);
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// Whether the points of one cache stand for the same vectors on both maps, as far as both have them.
bool areSameRows(const MapPair& pair)
{
    return !pair.a->origin.hash.empty() && pair.a->origin == pair.b->origin && pair.match == MapMatch::Points &&
           pair.a->stage == pair.b->stage && pair.a->layer == pair.b->layer && pair.a->points != nullptr &&
           pair.b->points != nullptr && !pair.a->points->head.empty() && !pair.b->points->head.empty();
}

} // namespace

MapMaking makingOf(const MapPair& pair)
{
    const bool sameBytes = !pair.a->inputHash.empty() && pair.a->inputHash == pair.b->inputHash;
    const bool both = !pair.a->inputHash.empty() && !pair.b->inputHash.empty();
    MapMaking making;
    making.differs = differencesOf(*pair.a, *pair.b);
    making.isOfSameVectors = sameBytes;
    const bool someAreLeft = pair.onlyInA > 0 || pair.onlyInB > 0;
    if (!sameBytes && areSameRows(pair) && (someAreLeft || !both))
    {
        making.isOfSameVectors = true;
        if (someAreLeft)
            making.differs += std::string(making.differs.empty() ? "" : ", ") + "points that only one of the maps has";
    }
    return making;
}

std::string makingText(const MapMaking& making)
{
    if (making.isOfSameVectors && making.differs.empty())
        return "both maps show the same vectors and were made in the same way: differences show nothing about the data";
    if (making.isOfSameVectors)
        return fmt::format(
            "both maps show the same vectors: differences beyond noise can only come from {}, not from the data",
            making.differs);
    return making.differs.empty()
               ? std::string()
               : fmt::format("the maps were also made in different ways ({}), which may cause some of the differences",
                             making.differs);
}

} // namespace headscope
