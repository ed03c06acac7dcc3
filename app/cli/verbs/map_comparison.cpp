// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs/map_comparison.h"

#include "app/results/floor_text.h"
#include "model/analysis/maps/map_difference.h"
#include "model/analysis/maps/measure_noise_floor.h"
#include "model/analysis/neighbors/neighbors.h"
#include "model/data/frame/method_names.h"
#include "model/data/frame/text_table.h"
#include "model/io/cache/cache_schema.h"
#include "model/io/cache/map_io.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/results/matrix_file.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::cli
{
namespace
{

/// "/maps/NAME/xy" as the map's name; nothing for other datasets.
std::string mapName(const std::string& dataset)
{
    constexpr std::string_view kBefore = "/maps/";
    constexpr std::string_view kAfter = "/xy";
    if (!dataset.starts_with(kBefore) || !dataset.ends_with(kAfter) || dataset.size() <= 9)
        return {};
    return dataset.substr(kBefore.size(), dataset.size() - kBefore.size() - kAfter.size());
}

} // namespace

Result<std::optional<HeadMap>> readNamedMap(const std::string& source, JobContext& job)
{
    HEADSCOPE_TRY(const ArraySource array, parseArraySource(source));
    const std::string name = mapName(array.dataset);
    if (name.empty())
        return std::optional<HeadMap>();
    HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(array.file, job));
    if (!file.has("/maps/" + name + "/document"))
        return std::optional<HeadMap>();
    const bool ofHeads = file.has("/maps/" + name + "/head");
    HEADSCOPE_TRY(HeadMap map, readMapGroup(file, schema::nameFromStep(name)));
    if (!ofHeads)
        map.points = std::make_shared<const PointIds>(PointIds{map.points->document, {}});
    return std::optional<HeadMap>(std::move(map));
}

Result<MapComparison> compareWith(const std::string& map, const std::string& other, int numThreads, JobContext& job)
{
    MapComparison against;
    against.other = other;
    HEADSCOPE_TRY(std::optional<HeadMap> a, readNamedMap(map, job));
    HEADSCOPE_TRY(std::optional<HeadMap> b, readNamedMap(other, job));
    HEADSCOPE_TRY(MatrixF xyB, readMatrix(other, job));
    if (a && b)
    {
        auto pair = pairMaps(std::make_shared<const HeadMap>(std::move(*a)),
                             std::make_shared<const HeadMap>(std::move(*b)), numThreads, job);
        if (!pair)
            return std::move(pair).error().inFile(other);
        against.byPoint = pair->match == MapMatch::Points;
        against.ofOtherRows = against.byPoint && (pair->a->stage != pair->b->stage || pair->a->layer != pair->b->layer);
        const PairFloors floors(*pair);
        against.floor = floors.a;
        against.otherFloor = floors.b;
        against.exceeds = floors.exceeded();
        against.finding = floors.finding;
        against.correlation = floors.correlation;
        against.making = makingOf(*pair);
        against.ofMap = floors.ofA;
        against.ofOther = floors.ofB;
        against.points = pair->points->count();
        against.agreement = pair->agreement();
        against.keptCi95 = keptInterval(pair->difference, pair->points->document);
        against.units = unitName(pair->a->stage) == unitName(pair->b->stage)
                            ? fmt::format("{}s", unitName(pair->a->stage))
                            : "heads or segments";
        return against;
    }
    HEADSCOPE_TRY(const MatrixF xyA, readMatrix(map, job));
    if (xyA.rows() != xyB.rows() || xyB.cols() != 2)
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected a map of shape [{}, 2], found [{}, {}]", xyA.rows(), xyB.rows(), xyB.cols()),
                     other,
                     {}};
    if (auto finite = checkFinite(xyB.view()); !finite)
        return std::move(finite).error().inFile(other);
    against.points = xyA.rows();
    auto agreement = mapAgreement(xyA.view(), xyB.view(), numThreads, job);
    if (!agreement)
        return std::move(agreement).error().inFile(map);
    against.agreement = *agreement;
    return against;
}

Members againstMembers(const MapComparison& against)
{
    const bool isKnown = std::isfinite(against.keptCi95.low);
    const auto floorOf = [&](const std::optional<NoiseFloor>& floor) {
        return floor ? Node(floorMembers(*floor, against.points)) : Node();
    };
    Members members = agreementMembers(against.agreement, against.points);
    members.insert(members.end(), {{"map", against.other},
                                   {"kept_ci95", against.keptCi95},
                                   {"kept_ci95_method", isKnown ? Node(kJackknife) : Node()},
                                   {"points", against.points},
                                   {"matched_by", against.byPoint ? "point" : "document"},
                                   {"noise_floor", floorOf(against.floor)},
                                   {"other_noise_floor", floorOf(against.otherFloor)},
                                   {"exceeds_noise", against.exceeds ? Node(*against.exceeds) : Node()},
                                   {"noise_finding", against.finding ? Node(findingName(*against.finding)) : Node()},
                                   {"same_vectors", against.making ? Node(against.making->isOfSameVectors) : Node()},
                                   {"made_differently", against.making ? Node(against.making->differs) : Node()},
                                   {"noise_difference", verdictNode(against.ofMap)},
                                   {"other_noise_difference", verdictNode(against.ofOther)}});
    return members;
}

FactLines againstLines(const MapComparison& against)
{
    FactLines facts = {
        {"against", against.other},
        {"matched",
         fmt::format("{} points, by {}", withCommas(against.points),
                     against.ofOtherRows ? "document and number: the same number on the two maps is not the same head "
                                           "or segment, and other pairings would give other proportions"
                     : against.byPoint   ? "document and head"
                                         : "document")},
        {"shared by both", agreementText(against.agreement, against.points, against.units)}};
    if (std::isfinite(against.keptCi95.low))
        facts.emplace_back("",
                           fmt::format("of the nearest neighbours, 95%: {:.1f} to {:.1f}% ({}, with the maps as given)",
                                       100 * against.keptCi95.low, 100 * against.keptCi95.high, kJackknife));
    const auto add = [&](const char* whose, const std::optional<NoiseFloor>& floor) {
        facts.emplace_back(fmt::format("noise floor, {}", whose),
                           floor ? floorLines(*floor, against.points, against.units).front().second
                                 : "not known for these points (tsne --noise-floor 3 stores it with a map)");
    };
    add("map", against.floor);
    add("other", against.otherFloor);
    if (against.ofMap)
        facts.emplace_back("map's replicates minus other", verdictText(*against.ofMap, against.floor->twins));
    if (against.ofOther)
        facts.emplace_back("other's replicates minus map", verdictText(*against.ofOther, against.otherFloor->twins));
    if (against.finding)
        facts.emplace_back("difference", findingText(*against.finding, against.correlation));
    if (const std::string making = against.making ? makingText(*against.making) : std::string(); !making.empty())
        facts.emplace_back(against.finding ? "" : "difference", making);
    return facts;
}

} // namespace headscope::cli
