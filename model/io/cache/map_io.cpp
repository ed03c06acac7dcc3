// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/map_io.h"

#include "model/io/cache/cache_schema.h"
#include "model/io/frames/frame_file.h"
#include "model/io/hdf5/field_attributes.h"
#include "model/io/records/record_hdf5.h"

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

constexpr std::array<std::string_view, 4> kTurnWords = {"exaggeration", "noise", "start", "fixed"};

/// "750 exaggeration 4", "800 noise 0.1", "437 fixed 1", "0 start NAME", one a line.
std::string turnLines(const std::vector<MapTurn>& turns)
{
    std::vector<std::string> lines;
    for (const MapTurn& turn : turns)
    {
        const std::string value = turn.kind == MapTurn::Kind::Start         ? turn.name
                                  : turn.kind == MapTurn::Kind::FixedLength ? "1"
                                                                            : fmt::format("{}", turn.value);
        lines.push_back(
            fmt::format("{} {} {}", turn.iteration, kTurnWords[static_cast<std::size_t>(turn.kind)], value));
    }
    return fmt::format("{}", fmt::join(lines, "\n"));
}

/// One of those lines; nothing where it is not understood.
std::optional<MapTurn> turnFrom(const std::string& line)
{
    const auto first = line.find(' ');
    const auto second = first == std::string::npos ? first : line.find(' ', first + 1);
    if (second == std::string::npos)
        return std::nullopt;
    const std::string_view word = std::string_view(line).substr(first + 1, second - first - 1);
    const auto kind = std::ranges::find(kTurnWords, word);
    MapTurn turn;
    if (kind == kTurnWords.end() || std::from_chars(line.data(), line.data() + first, turn.iteration).ec != std::errc{})
        return std::nullopt;
    turn.kind = static_cast<MapTurn::Kind>(kind - kTurnWords.begin());
    const char* end = line.data() + line.size();
    if (turn.kind == MapTurn::Kind::Start)
        turn.name.assign(line.data() + second + 1, end);
    else if (std::from_chars(line.data() + second + 1, end, turn.value).ec != std::errc{})
        return std::nullopt;
    return turn;
}

/// What is not understood is left out.
std::string takeTurns(std::vector<MapTurn>& turns, const std::string& text)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (auto turn = turnFrom(line))
            turns.push_back(std::move(*turn));
    return {};
}

void agreementFields(RecordFields& record, const std::string& prefix, MapAgreement& agreement)
{
    record(prefix + "_neighbors", agreement.neighbors).required().countFrom(0);
    record(prefix + "_kept", agreement.kept).required().within(0, 1);
    record(prefix + "_correlation", agreement.correlation).required().within(0, 1);
    record(prefix + "_kept_within_heads", agreement.keptWithin).within(0, 1);
    record(prefix + "_correlation_shuffled", agreement.shuffledCorrelation).within(0, 1);
}

} // namespace

void fields(RecordFields& record, MapTrust& trust)
{
    record("kl_exact", trust.klExact);
    record("knn10", trust.knn10);
    record("trustworthiness", trust.trustworthiness);
    record("continuity", trust.continuity);
    record("spearman", trust.spearman);
    record("sampled", trust.sampled);
    record.attributes().requireAll();
}

void fields(RecordFields& record, NoiseFloor& floor)
{
    record("noise_floor", floor.noise).required().within({0, std::numeric_limits<double>::max(), true, false});
    record("noise_floor_twins", floor.twins).required().countFrom(1);
    record("noise_floor_seed", floor.noiseSeed);
    record("noise_floor_least", floor.leastKept).required();
    record("noise_floor_most", floor.mostKept).required();
    agreementFields(record, "noise_floor", floor.mean);
    record("noise_floor_sd", floor.keptSd).within(0, 1);
    record("noise_floor_correlation_least", floor.leastCorrelation).within(0, 1);
    record("noise_floor_correlation_most", floor.mostCorrelation).within(0, 1);
    record.numbers("noise_floor_by_point", floor.keptByPoint);
}

void fields(RecordFields& record, MapAgreement& agreement)
{
    agreementFields(record, "others", agreement);
}

void fields(RecordFields& record, HeadMap& map)
{
    fields(record.attributes(), map.options);
    record("iterations_done", map.iteration).countFrom(0);
    record("kl", map.kl);
    record("hash", map.hash);
    record("input_hash", map.inputHash);
    record("left_out", map.leftOut).countFrom(0);
    record("equal_points", map.equalPoints).countFrom(0).omitEmpty();
    record("application", map.application).omitEmpty();
    record.text<&turnLines, &takeTurns>("turns", map.turns);
    record.perhapsHere(map.floor);
    record.perhapsHere(map.trust);
}

void fields(RecordFields& record, MapOfSet& each)
{
    record("correlation", each.correlation);
    record.perhapsHere(each.others);
    record.numbers("others_by_point", each.othersByPoint);
}

void fields(RecordFields& record, HeadMapSet& set)
{
    record("hash", set.hash);
    record("full", set.fullSource);
}

namespace
{

/// Shares by point, or nothing where they are none.
void keepShares(std::vector<float>& shares, std::int64_t points)
{
    if (std::ssize(shares) != points ||
        !std::ranges::all_of(shares, [](float share) { return share >= 0 && share <= 1; }))
        shares.clear();
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
        HEADSCOPE_CHECK(
            writeFacts(file, group, {{"stage", std::string(stageName(map.stage))}, {"layer", map.layer.value()}}));
    }
    return writeRecord(file, group, recordOf(map));
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
    HEADSCOPE_CHECK(writeFacts(file, group, {{"aligned", set.maps.size()}}));
    HEADSCOPE_CHECK(writeRecord(file, group, recordOf(set)));
    for (const MapOfSet& each : set.maps)
    {
        const std::string member = fmt::format("{}/{}", group, schema::stepFromName(each.map.name));
        HEADSCOPE_CHECK(writeMapAt(file, member, each.map));
        HEADSCOPE_CHECK(writeRecord(file, member, recordOf(each)));
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
    map.options.affinities = unnamed;
    map.kl = std::numeric_limits<double>::quiet_NaN();
    HEADSCOPE_CHECK(readRecord(file, group, recordOf(map)));
    if (map.floor)
        keepShares(map.floor->keptByPoint, info.rows());
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
    HEADSCOPE_CHECK(readRecord(file, group, recordOf(set)));
    for (const std::string& member : mapSetMembers(file, name))
    {
        MapOfSet each;
        HEADSCOPE_TRY(each.map, readMapGroup(file, member));
        const std::string object = mapGroup(file, member);
        if (each.map.points == nullptr)
            return Error{ErrorCode::BadFormat, "this map does not contain the documents of its points",
                         file.path().string(), object};
        HEADSCOPE_CHECK(readRecord(file, object, recordOf(each)));
        keepShares(each.othersByPoint, each.map.xy.rows());
        set.maps.push_back(std::move(each));
    }
    if (set.maps.empty())
        return Error{ErrorCode::BadFormat, "the aligned set contains no maps", file.path().string(), group};
    HEADSCOPE_TRY(const DatasetInfo info, file.describe(group + "/start"));
    if (info.shape.size() != 2 || info.shape[1] != 2)
        return Error{ErrorCode::BadFormat, "expected points [N, 2], found " + info.describe(), file.path().string(),
                     group + "/start"};
    HEADSCOPE_TRY(auto start, readNumbers<float>(file, group + "/start"));
    set.start = MatrixF(info.rows(), 2, std::move(start));
    return set;
}

} // namespace headscope
