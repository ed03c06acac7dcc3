// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/maps/map_pair.h"

#include "model/data/maps/map_making.h"

#include <span>

namespace headscope
{
namespace
{

FloorVerdict verdictOf(const MapPair& pair, const HeadMap& map, const NoiseFloor& floor)
{
    std::vector<float> kept;
    kept.reserve(pair.difference.changed.size());
    for (const float changed : pair.difference.changed)
        kept.push_back(1 - changed);
    const std::span<const std::int32_t> own =
        map.points != nullptr ? std::span(map.points->document) : std::span<const std::int32_t>();
    return floorVerdict(pair.agreement(), kept, pair.points->document, floor, own);
}

/// What two findings say together; what forbids a verdict comes first.
FloorFinding together(FloorFinding a, FloorFinding b)
{
    for (const FloorFinding each : {FloorFinding::Unstable, FloorFinding::FewTwins, FloorFinding::Unknown,
                                    FloorFinding::Contradict, FloorFinding::Undecided, FloorFinding::Within})
        if (a == each || b == each)
            return each;
    return FloorFinding::Above;
}

} // namespace

PairFloors::PairFloors(const MapPair& pair)
    : a(pair.onlyInA == 0 ? pair.a->floor : std::nullopt), b(pair.onlyInB == 0 ? pair.b->floor : std::nullopt)
{
    if (a)
        ofA = verdictOf(pair, *pair.a, *a);
    if (b)
        ofB = verdictOf(pair, *pair.b, *b);
    if (ofA && ofB)
        finding = together(ofA->finding, ofB->finding);
    else if (ofA || ofB)
        finding = ofA ? ofA->finding : ofB->finding;
    if (finding == FloorFinding::Above && makingOf(pair).isOfSameVectors)
        finding = FloorFinding::Method;
    for (const auto& verdict : {ofA, ofB})
        if (verdict && correlation != CorrelationFinding::Undecided)
            correlation = verdict->correlation;
}

std::optional<bool> PairFloors::exceeded() const
{
    if (finding == FloorFinding::Above)
        return true;
    return finding == FloorFinding::Within ? std::optional(false) : std::nullopt;
}

} // namespace headscope
