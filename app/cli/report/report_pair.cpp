// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_pair.h"

#include "app/cli/report/report_numbers.h"
#include "model/data/documents/document_set.h"
#include "model/data/frame/text_table.h"
#include "model/data/stage.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <utility>

namespace headscope::cli
{
namespace
{

using enum Facet;

// clang-format off
constexpr ColumnInfo kColumns[] = {
    {"number", "Number", "", "Quantity that is compared", "", Shown::Text},
    {"stage", "Stage", "", "Stage at which the quantity is measured, or the full vector", "", Shown::Text},
    {"a", "A", "", "Value of A"},
    {"b", "B", "", "Value of B"},
};
constexpr Slot kCompared[] = {{"number"}, {"stage", Value, "of stage"}, {"a", Value, "A"}, {"a", Low, "A low"},
    {"a", High, "A high"}, {"a", Chance, "A chance"}, {"b", Value, "B"}, {"b", Low, "B low"}, {"b", High, "B high"},
    {"b", Chance, "B chance"}};
constexpr FrameInfo kComparedTable = {.key = "compared", .columns = kColumns, .file = kCompared};
// clang-format on
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A number of an answer with its interval and what it is by chance; all may be missing.
struct Compared
{
    double value = kNaN;
    Interval ci95;
    double chance = kNaN;
};

Compared compared(double value, const Interval& ci95, double chance)
{
    return std::isfinite(value) ? Compared{value, ci95, chance} : Compared();
}

/// A kind of number that both sides may have.
struct Measure
{
    const char* title;
    ReportTopic topic;
    Compared (*in)(const Json& answer);
};

Compared accuracyIn(const Json& result)
{
    return compared(numberOf(result, "accuracy"), intervalOf(partOf(result, "ci95")), numberOf(result, "chance"));
}

Compared neighborsIn(const Json& map)
{
    Compared number = compared(numberOf(partIfThere(map, "quality"), "knn10"), {}, kNaN);
    if (const double points = numberOf(map, "points"); points > 1)
        number.chance = std::min(1.0, 10 / (points - 1));
    return number;
}

Compared similarityIn(const Json& heads)
{
    const Json& redundancy = partOf(heads, "redundancy");
    return compared(numberOf(redundancy, "mean"), intervalOf(partOf(redundancy, "ci95")), kNaN);
}

Compared fullMatchIn(const Json& match)
{
    const Json& full = partOf(match, "full");
    return compared(numberIfThere(full, "top1"), intervalOf(partIfThere(partOf(full, "ci95"), "top1")),
                    numberIfThere(partOf(match, "chance"), "top1"));
}

constexpr Measure kMeasures[] = {
    {"probe accuracy", ReportTopic::Probe, accuracyIn},
    {"10 nearest neighbours preserved by the map", ReportTopic::Map, neighborsIn},
    {"mean CKA of two heads or segments", ReportTopic::Heads, similarityIn},
};

/// The answer of this topic at a stage: of several results the one of the stage.
const Json* answerAt(const ReportSide& side, ReportTopic topic, std::string_view stage)
{
    for (const ReportPart& part : side.parts)
    {
        if (part.item.topic != topic || part.answer == nullptr)
            continue;
        if (part.answer->contains("results") && topic == ReportTopic::Probe)
        {
            for (const Json& result : (*part.answer)["results"])
                if (stageOf(result) == stage)
                    return &result;
            continue;
        }
        if (stageOf(part.item) == stage)
            return part.answer.get();
    }
    return nullptr;
}

Compared comparedOf(const ReportSide& side, const Measure& measure, std::string_view stage)
{
    const Json* answer = answerAt(side, measure.topic, stage);
    return answer == nullptr ? Compared() : measure.in(*answer);
}

/// How often results have the label of the document that asked, by a strategy.
Compared sameLabelOf(const ReportSide& side, const std::string& strategy)
{
    for (const ReportPart& part : side.parts)
        if (part.item.topic == ReportTopic::Retrieval && part.answer != nullptr &&
            partOf(*part.answer, "strategy") == Json(strategy))
        {
            const Json& same = partIfThere(*part.answer, "same_label");
            return compared(numberOf(same, "share"), intervalOf(partOf(same, "ci95")), numberOf(same, "chance"));
        }
    return {};
}

ReportTable comparedTable(const ReportSide& first, const ReportSide& second)
{
    Column::Texts names;
    Column::Texts stages;
    std::array<std::vector<Compared>, 2> sides;
    const auto add = [&](const std::string& title, std::string_view stage, const Compared& a, const Compared& b) {
        if (!std::isfinite(a.value) && !std::isfinite(b.value))
            return;
        names.push_back(title);
        stages.emplace_back(stage);
        sides[0].push_back(a);
        sides[1].push_back(b);
    };
    for (const Measure& measure : kMeasures)
        for (const Stage stage : kStages)
            add(measure.title, stageName(stage), comparedOf(first, measure, stageName(stage)),
                comparedOf(second, measure, stageName(stage)));
    // The full vector is of no stage: the answers of all stages hold the same.
    constexpr Measure kFull{"match at 1", ReportTopic::Match, fullMatchIn};
    const auto ofAny = [&](const ReportSide& side) {
        const auto& stages = side.subject->stages;
        return stages.empty() ? Compared() : comparedOf(side, kFull, stageName(stages.front()));
    };
    // Of one cache it is the same vector, of the last layer, whichever layers are compared.
    if (first.subject->origin != second.subject->origin)
    {
        add(kFull.title, "full vector (last layer)", ofAny(first), ofAny(second));
        add("same label among 10 results", "full vector (last layer)", sameLabelOf(first, "standard"),
            sameLabelOf(second, "standard"));
    }
    const auto voting = [](const ReportSide& side) { return stageName(side.subject->stages.front()); };
    if (voting(first) == voting(second))
        add("same label among 10 results, votes (multirag)", voting(first), sameLabelOf(first, "multirag"),
            sameLabelOf(second, "multirag"));
    Frame frame(kComparedTable);
    frame.add("number", std::move(names));
    frame.add("stage", std::move(stages));
    for (const std::size_t side : {0, 1})
        frame.add(side == 0 ? "a" : "b", columnValues(sides[side], &Compared::value))
            .interval(columnValues(sides[side], &Compared::ci95))
            .set(Chance, columnValues(sides[side], &Compared::chance));
    return {"compared",
            fmt::format("A: {}. B: {}. Low and high: 95% for A and for B. Chance may differ between A and B, because "
                        "it depends on the classes, points, documents and labels: compare the excess over chance, not "
                        "only the values. Debiased CKA of unrelated vectors is 0 on average.",
                        first.subject->name, second.subject->name),
            std::move(frame)};
}

std::string commonText(const DocumentSet& first, const DocumentSet& second)
{
    if (first.ids == second.ids)
        return fmt::format("A and B use the same {} documents (compared by id).", withCommas(first.count()));
    const std::set<std::string> ids(first.ids.begin(), first.ids.end());
    const auto common = std::ranges::count_if(second.ids, [&ids](const std::string& id) { return ids.contains(id); });
    return fmt::format("A uses {} documents, and B uses {}; {} documents are in both caches (compared by id). "
                       "Differences may come from the documents.",
                       withCommas(first.count()), withCommas(second.count()), withCommas(common));
}

ReportSection comparedSection(const ReportSide& first, const ReportSide& second)
{
    ReportSection section{"compared", "Side by side", {}, {}, {}, {}};
    section.claims = {fmt::format("A is {}, B is {}.", first.subject->name, second.subject->name),
                      commonText(*first.documents, *second.documents),
                      "Every interval is for A or for B only. Differences between A and B are not tested here. For the "
                      "same documents, a paired difference is more precise than either value, so intervals may overlap "
                      "even if the difference is clear.",
                      "Heads of two models, and segments of two layers, correspond only by number: the same number "
                      "does not mean the same unit."};
    section.tables.push_back(comparedTable(first, second));
    return section;
}

void nameAll(ReportSection& section, const ReportSubject& subject)
{
    for (std::string& claim : section.claims)
        claim = subject.name + ": " + claim;
    for (ReportTable& table : section.tables)
    {
        table.id = subject.prefix + table.id;
        table.caption = subject.name + ". " + table.caption;
    }
}

/// One from here, one from there, and the rest.
template <class T>
std::vector<T> alternating(std::vector<T> first, std::vector<T> second)
{
    std::vector<T> all;
    for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i)
        for (std::vector<T>* from : {&first, &second})
            if (i < from->size())
                all.push_back(std::move((*from)[i]));
    return all;
}

void join(ReportSection& first, ReportSection second)
{
    first.isPair = true;
    std::ranges::move(second.claims, std::back_inserter(first.claims));
    first.figures = alternating(std::move(first.figures), std::move(second.figures));
    first.tables = alternating(std::move(first.tables), std::move(second.tables));
    std::ranges::move(second.others, std::back_inserter(first.others));
}

} // namespace

std::vector<ReportSection> pairedSections(const ReportSide& first, const ReportSide& second)
{
    std::vector<ReportSection> sections = reportSections(first.parts, *first.subject);
    std::vector<ReportSection> others = reportSections(second.parts, *second.subject);
    for (ReportSection& section : sections)
        nameAll(section, *first.subject);
    for (ReportSection& other : others)
    {
        nameAll(other, *second.subject);
        const auto same = std::ranges::find(sections, other.id, &ReportSection::id);
        if (same == sections.end())
            sections.push_back(std::move(other));
        else
            join(*same, std::move(other));
    }
    sections.insert(sections.begin() + std::min<std::ptrdiff_t>(1, std::ssize(sections)),
                    comparedSection(first, second));
    return sections;
}

} // namespace headscope::cli
