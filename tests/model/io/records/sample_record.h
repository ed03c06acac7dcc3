// SPDX-License-Identifier: GPL-3.0-or-later
// A value with a part of every kind that a record can have.
#pragma once

#include "model/data/records/record_fields.h"
#include "model/data/stage.h"

#include <array>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::test
{

struct SampleRow
{
    std::int64_t head = 0;
    double share = 0;
    bool isTop = false;
    double later = 5; ///< of a later version

    bool operator==(const SampleRow&) const = default;
};

inline void fields(RecordFields& record, SampleRow& row)
{
    record("head", row.head).required().countFrom(0);
    record("share", row.share).required().within(0, 1);
    record("is_top", row.isTop).required();
    record("later", row.later);
}

struct SamplePart
{
    std::string name;
    std::vector<std::int32_t> numbers;

    bool operator==(const SamplePart&) const = default;
};

inline void fields(RecordFields& record, SamplePart& part)
{
    record("name", part.name).required();
    record.numbers("numbers", part.numbers);
}

struct SampleFacts
{
    double mean = 0;
    std::int64_t draws = 0;

    bool operator==(const SampleFacts&) const = default;
};

inline void fields(RecordFields& record, SampleFacts& facts)
{
    record("mean", facts.mean).required().within(0, 1);
    record("draws", facts.draws).required().countFrom(1);
}

enum class SampleKind
{
    Plain,
    Rare,
};

struct SampleValue
{
    std::string text = "text";
    std::string unset;
    std::int64_t count = 7;
    std::uint64_t seed = std::numeric_limits<std::uint64_t>::max();
    double number = 0.1;
    bool isOn = true;
    SampleKind kind = SampleKind::Rare;
    LayerIndex layer{3};
    Stage stage = Stage::ProjectedSegment;
    std::optional<double> known = 0.25;
    std::optional<double> unknown;
    std::vector<double> reals = {1.5, -2};
    MatrixF table{2, 3, {1, 2, 3, 4, 5, 6}};
    std::vector<std::string> names = {"a", "\xc3\xa4\n\"b\""};
    std::vector<std::pair<std::string, std::string>> digests = {{"x", "1"}, {"y/z", "2"}};
    SamplePart part{"inner", {4, 5}};
    std::optional<SamplePart> perhaps = SamplePart{"there", {}};
    std::shared_ptr<const SamplePart> absent;
    std::optional<SampleFacts> facts = SampleFacts{0.5, 3};
    std::vector<SamplePart> list = {{"first", {1}}, {"second", {}}};
    SampleRow row{1, 0.75, true, 2};
    std::vector<SampleRow> rows = {{0, 0.5, false, 1}, {3, 1, true, 2}};

    bool operator==(const SampleValue&) const = default;
};

inline constexpr std::array<FieldWord, 2> kSampleKinds = {{{"plain", {}}, {"rare", {}}}};

inline std::string sampleStageText(const Stage& stage)
{
    return std::string(stageName(stage));
}

inline std::string takeSampleStage(Stage& stage, const std::string& text)
{
    const auto read = stageFromName(text);
    stage = read.value_or(stage);
    return read ? "" : "a stage";
}

inline void fields(RecordFields& record, SampleValue& value)
{
    record("text", value.text).required();
    record("unset", value.unset).omitEmpty();
    record("count", value.count).required().within(1, 10);
    record("seed", value.seed);
    record("number", value.number);
    record("is_on", value.isOn);
    record("kind", value.kind, kSampleKinds);
    record("layer", value.layer);
    record.text<&sampleStageText, &takeSampleStage>("stage", value.stage);
    record("known", value.known).within(0, 1);
    record("unknown", value.unknown);
    record.numbers("reals", value.reals);
    record.numbers("table", value.table);
    record.texts("names", value.names);
    record.names("digests", value.digests);
    record.group("part", value.part);
    record.perhaps("perhaps", value.perhaps);
    record.perhaps("absent", value.absent);
    record.perhapsHere(value.facts);
    record.list("list", value.list);
    record.row("row", value.row);
    record.table("rows", value.rows);
}

/// One in which nothing is as in SampleValue.
inline SampleValue otherValue()
{
    SampleValue value;
    value.text.clear();
    value.count = 1;
    value.seed = 0;
    value.number = 0;
    value.isOn = false;
    value.kind = SampleKind::Plain;
    value.layer = LayerIndex(0);
    value.stage = Stage::HeadOutput;
    value.known.reset();
    value.reals.clear();
    value.table = MatrixF();
    value.names.clear();
    value.digests.clear();
    value.part = {};
    value.perhaps.reset();
    value.facts.reset();
    value.list.clear();
    value.row = {};
    value.rows.clear();
    return value;
}

} // namespace headscope::test
