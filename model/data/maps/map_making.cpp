// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/maps/map_making.h"

#include "model/data/maps/map_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

namespace headscope
{
namespace
{

std::string perplexityText(const TsneOptions& options)
{
    return fmt::format("{}", fmt::join(options.perplexities, "+"));
}

/// The options of two maps side by side where they differ.
class Differences
{
public:
    void add(std::string_view what, const std::string& a, const std::string& b)
    {
        if (a != b)
            m_text += fmt::format("{}{} {} / {}", m_text.empty() ? "" : ", ", what, a, b);
    }
    void add(std::string_view what, double a, double b) { add(what, fmt::format("{:g}", a), fmt::format("{:g}", b)); }
    void add(std::string_view what) { m_text += fmt::format("{}{}", m_text.empty() ? "" : ", ", what); }
    [[nodiscard]] const std::string& text() const { return m_text; }

private:
    std::string m_text;
};

std::string differencesOf(const HeadMap& a, const HeadMap& b)
{
    const TsneOptions& one = a.options;
    const TsneOptions& other = b.options;
    Differences differences;
    differences.add("perplexity", perplexityText(one), perplexityText(other));
    differences.add("affinities", std::string(affinitiesName(one.affinities)),
                    std::string(affinitiesName(other.affinities)));
    differences.add("metric", std::string(metricName(one.metric)), std::string(metricName(other.metric)));
    differences.add("degrees of freedom", one.degreesOfFreedom, other.degreesOfFreedom);
    differences.add("iterations", a.iteration, b.iteration);
    differences.add("exaggeration", one.exaggeration, other.exaggeration);
    differences.add("exaggerated iterations", one.exaggerationIterations, other.exaggerationIterations);
    differences.add("late exaggeration", one.lateExaggeration, other.lateExaggeration);
    differences.add("learning rate", one.learningRate, other.learningRate);
    differences.add("momentum", one.momentum, other.momentum);
    differences.add("longest step", one.maxStep, other.maxStep);
    differences.add("start", startText(a), startText(b)); // with the seed where that has a part in it
    if (a.turns != b.turns)
        differences.add("what was changed on the way");
    if (!a.application.empty() && !b.application.empty())
        differences.add("program", a.application, b.application);
    return differences.text();
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
            making.differs += std::string(making.differs.empty() ? "" : ", ") + "points that one of them alone has";
    }
    return making;
}

std::string makingText(const MapMaking& making)
{
    if (making.isOfSameVectors && making.differs.empty())
        return "both maps are of the same vectors and were made alike: what differs says nothing about the data";
    if (making.isOfSameVectors)
        return fmt::format(
            "both maps are of the same vectors: what differs beyond noise can only come from {}, and not "
            "from the data",
            making.differs);
    return making.differs.empty() ? std::string()
                                  : fmt::format("the maps were made differently, too ({}): what differs may come from "
                                                "that",
                                                making.differs);
}

} // namespace headscope
