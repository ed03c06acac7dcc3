// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/map_io.h"

#include "model/io/cache/cache_schema.h"
#include "model/io/cache/noise_floor_io.h"
#include "model/io/hdf5/field_attributes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

std::string groupOf(const std::string& name)
{
    return fmt::format("{}/{}", schema::kMaps, schema::stepFromName(name));
}

/// Files that do not name their affinities hold maps that were dense up to so many points, in aligned sets
/// up to fewer, and sparse above.
constexpr std::int64_t kDenseUpTo = 4'000;
constexpr std::int64_t kDenseMembersUpTo = 1'000;

Status writeTrust(Hdf5Writer& file, const std::string& group, const MapTrust& trust)
{
    HEADSCOPE_CHECK(file.setAttribute(group, "kl_exact", trust.klExact));
    HEADSCOPE_CHECK(file.setAttribute(group, "knn10", trust.knn10));
    HEADSCOPE_CHECK(file.setAttribute(group, "trustworthiness", trust.trustworthiness));
    HEADSCOPE_CHECK(file.setAttribute(group, "continuity", trust.continuity));
    HEADSCOPE_CHECK(file.setAttribute(group, "spearman", trust.spearman));
    return file.setAttribute(group, "sampled", trust.sampled);
}

std::optional<MapTrust> readTrust(const Hdf5Reader& file, const std::string& group)
{
    const auto sampled = file.integerAttribute(group, "sampled");
    if (!sampled)
        return std::nullopt;
    const auto number = [&](const char* name) {
        return file.numberAttribute(group, name).value_or(std::numeric_limits<double>::quiet_NaN());
    };
    return MapTrust{number("kl_exact"),   number("knn10"),    number("trustworthiness"),
                    number("continuity"), number("spearman"), *sampled};
}

/// "750 exaggeration 4", "800 noise 0.1", "437 fixed 1", "0 start NAME", one a turn.
std::vector<std::string> turnLines(const std::vector<MapTurn>& turns)
{
    std::vector<std::string> lines;
    for (const MapTurn& turn : turns)
    {
        switch (turn.kind)
        {
        case MapTurn::Kind::Exaggeration:
            lines.push_back(fmt::format("{} exaggeration {}", turn.iteration, turn.value));
            break;
        case MapTurn::Kind::Noise:
            lines.push_back(fmt::format("{} noise {}", turn.iteration, turn.value));
            break;
        case MapTurn::Kind::FixedLength:
            lines.push_back(fmt::format("{} fixed 1", turn.iteration));
            break;
        case MapTurn::Kind::Start:
            lines.push_back(fmt::format("{} start {}", turn.iteration, turn.name));
            break;
        }
    }
    return lines;
}

/// Those lines back; what is not understood is left out.
std::vector<MapTurn> turnsFrom(const std::string& text)
{
    std::vector<MapTurn> turns;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
    {
        const auto first = line.find(' ');
        const auto second = first == std::string::npos ? first : line.find(' ', first + 1);
        if (second == std::string::npos)
            continue;
        const std::string_view kind = std::string_view(line).substr(first + 1, second - first - 1);
        const char* value = line.data() + second + 1;
        const char* end = line.data() + line.size();
        MapTurn turn;
        if (std::from_chars(line.data(), line.data() + first, turn.iteration).ec != std::errc{})
            continue;
        if (kind == "start")
        {
            turn.kind = MapTurn::Kind::Start;
            turn.name.assign(value, end);
        }
        else if (kind == "noise" || kind == "exaggeration" || kind == "fixed")
        {
            turn.kind = kind == "noise"          ? MapTurn::Kind::Noise
                        : kind == "exaggeration" ? MapTurn::Kind::Exaggeration
                                                 : MapTurn::Kind::FixedLength;
            if (std::from_chars(value, end, turn.value).ec != std::errc{})
                continue;
        }
        else
            continue;
        turns.push_back(std::move(turn));
    }
    return turns;
}

Status writeMapAt(Hdf5Writer& file, const std::string& group, const HeadMap& map)
{
    const std::int64_t points = map.xy.rows();
    const std::array xyShape = {points, std::int64_t{2}};
    const std::array idShape = {points};
    const PointIds none;
    const PointIds& ids = map.points ? *map.points : none;
    HEADSCOPE_CHECK(file.makeGroup(group));
    HEADSCOPE_CHECK(file.write(group + "/xy", xyShape, NumberType::F32, std::as_bytes(std::span(map.xy.values()))));
    if (ids.count() == points) // a map of a plain matrix has no documents and heads
    {
        HEADSCOPE_CHECK(
            file.write(group + "/document", idShape, NumberType::I32, std::as_bytes(std::span(ids.document))));
        if (ids.head.size() == ids.document.size()) // the full vector is of no head
            HEADSCOPE_CHECK(file.write(group + "/head", idShape, NumberType::I32, std::as_bytes(std::span(ids.head))));
        HEADSCOPE_CHECK(file.setAttribute(group, "stage", std::string(stageName(map.stage))));
        HEADSCOPE_CHECK(file.setAttribute(group, "layer", map.layer.value()));
    }
    HEADSCOPE_CHECK(writeTsneOptions(file, group, map.options));
    HEADSCOPE_CHECK(file.setAttribute(group, "iterations_done", std::int64_t{map.iteration}));
    HEADSCOPE_CHECK(file.setAttribute(group, "kl", map.kl));
    HEADSCOPE_CHECK(file.setAttribute(group, "hash", map.hash));
    HEADSCOPE_CHECK(file.setAttribute(group, "input_hash", map.inputHash));
    HEADSCOPE_CHECK(file.setAttribute(group, "left_out", map.leftOut));
    if (!map.application.empty())
        HEADSCOPE_CHECK(file.setAttribute(group, "application", map.application));
    if (!map.turns.empty())
        HEADSCOPE_CHECK(file.setAttribute(group, "turns", fmt::format("{}", fmt::join(turnLines(map.turns), "\n"))));
    if (map.floor)
        HEADSCOPE_CHECK(writeNoiseFloor(file, group, *map.floor));
    return map.trust ? writeTrust(file, group, *map.trust) : Status();
}

} // namespace

Status writeTsneOptions(Hdf5Writer& file, const std::string& object, const TsneOptions& options, unsigned who)
{
    TsneOptions written = options;
    Fields rows;
    fields(rows, written);
    return writeFields(file, object, rows, who);
}

TsneOptions readTsneOptions(const Hdf5Reader& file, const std::string& object, TsneAffinities unnamed, unsigned who)
{
    TsneOptions options;
    options.affinities = unnamed;
    Fields rows;
    fields(rows, options);
    readFields(file, object, rows, who);
    return options;
}

Status writeMapGroup(Hdf5Writer& file, const HeadMap& map)
{
    return writeMapAt(file, groupOf(map.name), map);
}

Status writeMapSetGroup(Hdf5Writer& file, const HeadMapSet& set)
{
    const std::string group = groupOf(set.name);
    const std::array shape = {set.start.rows(), std::int64_t{2}};
    HEADSCOPE_CHECK(file.makeGroup(group));
    HEADSCOPE_CHECK(file.write(group + "/start", shape, NumberType::F32, std::as_bytes(std::span(set.start.values()))));
    HEADSCOPE_CHECK(file.setAttribute(group, "aligned", static_cast<std::int64_t>(set.maps.size())));
    HEADSCOPE_CHECK(file.setAttribute(group, "hash", set.hash));
    HEADSCOPE_CHECK(file.setAttribute(group, "full", set.fullSource));
    for (const MapOfSet& each : set.maps)
    {
        const std::string member = fmt::format("{}/{}", group, schema::stepFromName(each.map.name));
        HEADSCOPE_CHECK(writeMapAt(file, member, each.map));
        HEADSCOPE_CHECK(file.setAttribute(member, "correlation", each.correlation));
        if (each.others)
            HEADSCOPE_CHECK(writeOthers(file, member, *each.others, each.othersByPoint));
    }
    return {};
}

bool isMapSet(const Hdf5Reader& file, const std::string& group)
{
    return file.integerAttribute(group, "aligned").has_value();
}

std::string mapGroup(const Hdf5Reader& file, const std::string& name)
{
    const std::string whole = groupOf(name);
    const auto slash = name.rfind('/');
    if (slash == std::string::npos || file.has(whole + "/xy"))
        return whole;
    const std::string set = groupOf(name.substr(0, slash));
    return isMapSet(file, set) ? fmt::format("{}/{}", set, schema::stepFromName(name.substr(slash + 1))) : whole;
}

Result<HeadMap> readMapGroup(const Hdf5Reader& file, const std::string& name)
{
    const std::string group = mapGroup(file, name);
    HEADSCOPE_TRY(const DatasetInfo info, file.describe(group + "/xy"));
    if (info.shape.size() != 2 || info.shape[1] != 2)
        return Error{ErrorCode::BadFormat, "expected points [P, 2], found " + info.describe(), file.path().string(),
                     group + "/xy"};
    HeadMap map;
    map.name = name;
    HEADSCOPE_TRY(auto xy, readNumbers<float>(file, group + "/xy"));
    map.xy = MatrixF(info.rows(), 2, std::move(xy));
    if (file.has(group + "/document") || file.has(group + "/head"))
    {
        PointIds ids;
        HEADSCOPE_TRY(ids.document, readNumbers<std::int32_t>(file, group + "/document"));
        if (file.has(group + "/head"))
        {
            HEADSCOPE_TRY(ids.head, readNumbers<std::int32_t>(file, group + "/head"));
        }
        else
            ids.head.assign(ids.document.size(), 0);
        if (ids.count() != info.rows() || ids.head.size() != ids.document.size())
            return Error{ErrorCode::BadFormat,
                         fmt::format("expected one document and head for each of {} points, found {} and {}",
                                     info.rows(), ids.document.size(), ids.head.size()),
                         file.path().string(), group};
        map.points = std::make_shared<const PointIds>(std::move(ids));
    }
    if (const auto text = file.textAttribute(group, "stage"))
        map.stage = stageFromName(*text).value_or(map.stage);
    map.layer = LayerIndex(file.integerAttribute(group, "layer").value_or(0));
    const bool ofSet = isMapSet(file, group.substr(0, group.rfind('/')));
    const TsneAffinities unnamed =
        info.rows() <= (ofSet ? kDenseMembersUpTo : kDenseUpTo) ? TsneAffinities::Dense : TsneAffinities::Sparse;
    map.options = readTsneOptions(file, group, unnamed);
    map.iteration = static_cast<int>(file.integerAttribute(group, "iterations_done").value_or(0));
    map.kl = file.numberAttribute(group, "kl").value_or(std::numeric_limits<double>::quiet_NaN());
    map.hash = file.textAttribute(group, "hash").value_or("");
    map.inputHash = file.textAttribute(group, "input_hash").value_or("");
    map.leftOut = file.integerAttribute(group, "left_out").value_or(0);
    map.application = file.textAttribute(group, "application").value_or("");
    map.trust = readTrust(file, group);
    HEADSCOPE_TRY(map.floor, readNoiseFloor(file, group));
    if (map.floor && map.floor->keptByPoint.size() != static_cast<std::size_t>(info.rows()))
        map.floor->keptByPoint.clear();
    map.turns = turnsFrom(file.textAttribute(group, "turns").value_or(""));
    return map;
}

std::vector<std::string> mapSetMembers(const Hdf5Reader& file, const std::string& name)
{
    const std::string group = groupOf(name);
    std::vector<std::string> members;
    for (const std::string& step : file.names(group))
        if (file.has(fmt::format("{}/{}/xy", group, step)))
            members.push_back(schema::nameFromStep(step));
    std::sort(members.begin(), members.end(), [](const std::string& a, const std::string& b) {
        return std::pair(a != "full", a) < std::pair(b != "full", b);
    });
    for (std::string& member : members)
        member = fmt::format("{}/{}", name, member);
    return members;
}

Result<HeadMapSet> readMapSetGroup(const Hdf5Reader& file, const std::string& name)
{
    const std::string group = groupOf(name);
    HeadMapSet set;
    set.name = name;
    set.fullSource = file.textAttribute(group, "full").value_or("");
    set.hash = file.textAttribute(group, "hash").value_or("");
    for (const std::string& member : mapSetMembers(file, name))
    {
        MapOfSet each;
        HEADSCOPE_TRY(each.map, readMapGroup(file, member));
        const std::string object = mapGroup(file, member);
        if (each.map.points == nullptr)
            return Error{ErrorCode::BadFormat, "expected a map that says which document each point is, found none",
                         file.path().string(), object};
        each.correlation = file.numberAttribute(object, "correlation").value_or(0);
        HEADSCOPE_TRY(each.others, readOthers(file, object, each.othersByPoint));
        set.maps.push_back(std::move(each));
    }
    if (set.maps.empty())
        return Error{ErrorCode::BadFormat, "expected maps in the aligned set, found none", file.path().string(), group};
    HEADSCOPE_TRY(const DatasetInfo info, file.describe(group + "/start"));
    if (info.shape.size() != 2 || info.shape[1] != 2)
        return Error{ErrorCode::BadFormat, "expected points [N, 2], found " + info.describe(), file.path().string(),
                     group + "/start"};
    HEADSCOPE_TRY(auto start, readNumbers<float>(file, group + "/start"));
    set.start = MatrixF(info.rows(), 2, std::move(start));
    return set;
}

} // namespace headscope
