// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_words.h"

#include "app/results/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace headscope::cli
{
namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double numberOf(const Json& json, std::string_view key)
{
    const auto at = json.find(key);
    return at != json.end() && at->is_number() ? at->get<double>() : kNaN;
}

const Json& partOf(const Json& json, std::string_view key)
{
    static const Json none;
    const auto at = json.find(key);
    return at == json.end() ? none : *at;
}

std::string shown(double value)
{
    return std::isfinite(value) ? fmt::format("{:.3f}", value) : std::string("-");
}

/// ", p 0.001 (999 shuffles)" or "".
std::string testText(const Json& json)
{
    const double p = numberOf(json, "p");
    return std::isfinite(p) ? fmt::format(", p {:.2g} ({} shuffles)", p, partOf(json, "permutations").dump())
                            : std::string();
}

double boundOf(const Json& interval, std::size_t at)
{
    return interval.is_array() && interval.size() == 2 && interval[at].is_number() ? interval[at].get<double>() : kNaN;
}

/// Rows of several parts under one header.
class TableMaker
{
public:
    TableMaker(std::string id, std::string caption, std::vector<std::string> header)
        : m_table{std::move(id), std::move(caption), ResultTable(std::move(header))}
    {}
    void add(std::vector<ResultTable::Cell> cells) { m_table.rows.add(std::move(cells)); }
    void moveTo(ReportSection& section)
    {
        if (m_table.rows.rowCount() > 0)
            section.tables.push_back(std::move(m_table));
    }

private:
    ReportTable m_table;
};

using Parts = std::vector<const ReportPart*>;

void sayModel(ReportSection& section, const Parts&, const ReportSubject& subject)
{
    section.claims.push_back(
        subject.groups == subject.heads
            ? fmt::format("The model has {} attention heads a layer, each with keys and values of its own.",
                          subject.heads)
            : fmt::format(
                  "The model has {} query heads a layer that share {} key/value heads: {} query heads each read "
                  "the same keys and values.",
                  subject.heads, subject.groups, subject.heads / std::max<std::int64_t>(1, subject.groups)));
    section.claims.push_back(
        "Stage 1: outputs of the heads, before the output projection. Stage 2: the projection's output, cut into "
        "segments. Stage 3: the layer's output (of a decoder's last layer after the final norm), cut into segments. A "
        "segment is a range of coordinates; no head made "
        "it "
        "alone.");
}

void saySimilarity(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    for (const ReportPart* part : parts)
    {
        const Json& off = partOf(*part->answer, "off_diagonal");
        section.claims.push_back(
            fmt::format("Cosine of two different topics' vectors: mean {}, sd {}, over {} pairs of {} topics.",
                        shown(numberOf(off, "mean")), shown(numberOf(off, "sd")), partOf(off, "pairs").dump(),
                        partOf(*part->answer, "topics").size()));
    }
}

void sayMaps(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    TableMaker table("maps",
                     "What the maps keep: share of the 10 nearest neighbours, trustworthiness, continuity, "
                     "rank correlation of distances, and the divergence from exact neighbours.",
                     {"stage", "points", "10 nearest kept", "trustworthiness", "continuity", "spearman", "KL"});
    for (const ReportPart* part : parts)
    {
        const Json& answer = *part->answer;
        const Json& quality = partOf(answer, "quality");
        if (part->item.topic != ReportTopic::Map || !quality.is_object())
            continue;
        section.claims.push_back(fmt::format(
            "The map of stage {} keeps {} of each point's 10 nearest neighbours in the data, mean over {} of its {} "
            "points (a map that only knows the {}s: {}); trustworthiness {} (a random map: about 0.5).",
            stageOf(answer), shown(numberOf(quality, "knn10")),
            withCommas(partOf(quality, "sampled").get<std::int64_t>()),
            withCommas(partOf(answer, "points").get<std::int64_t>()), stageOf(answer) == "1" ? "head" : "segment",
            shown(numberOf(quality, "knn10_within_heads")), shown(numberOf(quality, "trustworthiness"))));
        table.add({stageOf(answer), partOf(answer, "points").get<std::int64_t>(), numberOf(quality, "knn10"),
                   numberOf(quality, "trustworthiness"), numberOf(quality, "continuity"), numberOf(quality, "spearman"),
                   numberOf(quality, "kl_exact")});
    }
    table.moveTo(section);
}

/// What a baseline of the probe is, at the beginning of a sentence.
std::string baselineText(const std::string& name)
{
    for (const auto& [known, text] :
         {std::pair("means_removed", "Without each head's mean (what is left when offsets are gone)"),
          std::pair("gaussian", "Gaussian noise with the same means and variances"),
          std::pair("random_cut", "The coordinates cut at random instead"),
          std::pair("control_task", "Control task, labels that say nothing")})
        if (name == known)
            return text;
    return name;
}

void sayProbe(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    TableMaker table(
        "probe",
        "A linear probe that tells the head, or the slice, from one vector, on documents it was not "
        "trained on: accuracy with its 95 % interval, chance, and the share of its errors that stay "
        "inside the KV group.",
        {"stage", "accuracy", "low", "high", "chance", "macro F1", "errors in group", "their chance", "p"});
    for (const ReportPart* part : parts)
        for (const Json& result : partOf(*part->answer, "results"))
        {
            const Json& group = partOf(result, "within_group");
            std::string claim =
                fmt::format("Stage {}: accuracy {} on {} vectors of documents that were not trained on; chance {}{}.",
                            stageOf(result), withInterval(partOf(result, "accuracy"), partOf(result, "ci95")),
                            withCommas(partOf(*part->answer, "test").get<std::int64_t>()),
                            shown(numberOf(result, "chance")), testText(result));
            for (const Json& baseline : partOf(result, "baselines"))
                claim += fmt::format(" {}: {}.", baselineText(partOf(baseline, "name").get<std::string>()),
                                     withInterval(partOf(baseline, "accuracy"), partOf(baseline, "ci95")));
            section.claims.push_back(std::move(claim));
            if (group.is_object() && std::isfinite(numberOf(group, "share")))
                section.claims.push_back(fmt::format(
                    "Of its {} errors {} stay inside the KV group; chance {}, the true grouping has rank "
                    "{} of {} groupings.",
                    partOf(group, "errors").dump(), withInterval(partOf(group, "share"), partOf(group, "ci95")),
                    shown(numberOf(group, "chance")), partOf(group, "rank").dump(), partOf(group, "groupings").dump()));
            const Json& ci95 = partOf(result, "ci95");
            table.add({stageOf(result), numberOf(result, "accuracy"), boundOf(ci95, 0), boundOf(ci95, 1),
                       numberOf(result, "chance"), numberOf(result, "macro_f1"),
                       group.is_object() ? numberOf(group, "share") : kNaN,
                       group.is_object() ? numberOf(group, "chance") : kNaN,
                       group.is_object() ? numberOf(group, "p") : kNaN});
        }
    table.moveTo(section);
}

/// The values of a number of an answer's heads, smallest and largest, and how many have a q below 0.05.
struct HeadRange
{
    double low = kNaN;
    double high = kNaN;
    std::int64_t best = 0; ///< the head with the largest
    std::int64_t telling = 0;
};

HeadRange rangeOf(const Json& heads, const std::string& key)
{
    HeadRange range;
    for (const Json& head : heads)
    {
        const double own = numberOf(head, key);
        range.telling += numberOf(partOf(head, "q"), key) < 0.05 ? 1 : 0;
        if (!std::isfinite(own))
            continue;
        range.low = std::isfinite(range.low) ? std::min(range.low, own) : own;
        if (!(own <= range.high))
        {
            range.high = own;
            range.best = partOf(head, "head").get<std::int64_t>();
        }
    }
    return range;
}

/// Whether everything matches at this k, as with as many as there are topics.
bool isCertain(const Json& answer, const std::string& key)
{
    const Json& certain = partOf(answer, "certain");
    return std::ranges::find(certain, Json(key)) != certain.end();
}

void sayMatch(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    TableMaker table("match",
                     "Share of documents whose own topic is among the k nearest, by the full vector and by the head "
                     "or segment that matches most: chosen by these documents, so its number is too good.",
                     {"stage", "k", "full", "low", "high", "chance", "p", "best", "its share"});
    for (const ReportPart* part : parts)
    {
        const Json& answer = *part->answer;
        const Json& full = partOf(answer, "full");
        const std::string stage = stageOf(part->item);
        for (const Json& k : partOf(answer, "k"))
        {
            const std::string key = "top" + k.dump();
            if (isCertain(answer, key))
                continue;
            const HeadRange range = rangeOf(partOf(answer, "heads"), key);
            const Json& interval = partOf(partOf(full, "ci95"), key);
            const double chance = numberOf(partOf(answer, "chance"), key);
            if (part == parts.front())
                section.claims.push_back(
                    fmt::format("By the full vector the own topic is among the {} nearest for {} of {} documents; "
                                "chance {}, p {:.2g} ({} shuffles).",
                                k.dump(), withInterval(partOf(full, key), interval),
                                withCommas(partOf(answer, "documents").get<std::int64_t>()), shown(chance),
                                numberOf(partOf(full, "p"), key), partOf(answer, "permutations").dump()));
            section.claims.push_back(fmt::format("Stage {}, k = {}: the {}s match between {} and {} of the documents "
                                                 "(chance {}); {} of {} are told from "
                                                 "shuffled labels (q < 0.05).",
                                                 stage, k.dump(), stage == "1" ? "head" : "segment", shown(range.low),
                                                 shown(range.high), shown(chance), range.telling,
                                                 partOf(answer, "heads").size()));
            table.add({stage, k.get<std::int64_t>(), numberOf(full, key), boundOf(interval, 0), boundOf(interval, 1),
                       chance, numberOf(partOf(full, "p"), key), range.best, range.high});
        }
    }
    table.moveTo(section);
}

/// How many of the rows have a q below 0.05.
std::int64_t tellingRows(const Json& rows, const std::function<double(const Json&)>& q)
{
    return std::ranges::count_if(rows, [&](const Json& row) { return q(row) < 0.05; });
}

void sayHeatmap(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    for (const ReportPart* part : parts)
    {
        const Json& answer = *part->answer;
        const Json one = Json::array({answer});
        for (const Json& result : answer.contains("results") ? partOf(answer, "results") : one)
        {
            const Json& rows = partOf(result, "rows");
            section.claims.push_back(fmt::format(
                "Stage {}: the contrast of own against other topics exceeds that of shuffled labels for {} of {} rows "
                "(q < 0.05, Benjamini-Hochberg over all rows shown), {} documents of {} topics.",
                stageOf(result), tellingRows(rows, [](const Json& row) { return numberOf(row, "q"); }), rows.size() - 1,
                partOf(result, "documents").dump(), partOf(result, "topics").size()));
        }
    }
}

void sayHeads(ReportSection& section, const Parts& parts, const ReportSubject& subject)
{
    for (const ReportPart* part : parts)
    {
        const Json& answer = *part->answer;
        const std::string stage = stageOf(part->item);
        const Json& heads = partOf(answer, "heads");
        TableMaker table("heads-table-stage" + stage,
                         fmt::format("Stage {}: what describes the {}, with q of what is tested.", stage,
                                     stage == "1" ? "heads" : "segments"),
                         {stage == "1" ? "head" : "segment", "group", "mean norm", "spread", "selectivity",
                          "selectivity q", "match", "match q", "top topic", "top q"});
        for (const Json& head : heads)
        {
            const Json& q = partOf(head, "q");
            const Json& topic = partOf(head, "top_topic");
            const Json& group = partOf(head, "group");
            table.add({partOf(head, "head").get<std::int64_t>(),
                       group.is_number() ? ResultTable::Cell(group.get<std::int64_t>()) : ResultTable::Cell("-"),
                       numberOf(head, "mean_norm"), numberOf(head, "spread"), numberOf(head, "selectivity"),
                       numberOf(q, "selectivity"), numberOf(head, "match"), numberOf(q, "match"),
                       topic.is_string() ? topic.get<std::string>() : std::string("-"), numberOf(q, "top_topic")});
        }
        table.moveTo(section);
        if (subject.topics)
            section.claims.push_back(fmt::format(
                "Stage {}: selectivity is told from shuffled labels for {} of {} (q < 0.05).", stage,
                tellingRows(heads, [](const Json& head) { return numberOf(partOf(head, "q"), "selectivity"); }),
                heads.size()));
        const Json& redundancy = partOf(answer, "redundancy");
        if (redundancy.is_object() && std::isfinite(numberOf(redundancy, "mean")))
            section.claims.push_back(
                fmt::format("Stage {}: {} linear CKA of two of them is {} on average, over {} pairs and {} documents.",
                            stage, partOf(redundancy, "method").get<std::string>(),
                            withInterval(partOf(redundancy, "mean"), partOf(redundancy, "ci95")),
                            partOf(redundancy, "pairs").dump(), partOf(redundancy, "documents").dump()));
    }
}

/// 0 where an answer of an earlier version does not say.
std::int64_t countOf(const Json& of, const std::string& key)
{
    const Json& count = partOf(of, key);
    return count.is_number_integer() ? count.get<std::int64_t>() : 0;
}

void sayLayers(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    TableMaker table("layers-table",
                     "Probe (accuracy on its test documents, 95 % of Wilson over effective rows of these; at any stage "
                     "offsets alone may "
                     "make it large), topic purity and redundancy by layer and stage.",
                     {"layer", "stage", "accuracy", "low", "high", "test documents", "purity", "purity null",
                      "purity q", "redundancy"});
    for (const ReportPart* part : parts)
        for (const Json& row : partOf(*part->answer, "results"))
        {
            const Json& ci95 = partOf(row, "ci95");
            table.add({partOf(row, "layer").get<std::int64_t>(), stageOf(row), numberOf(row, "accuracy"),
                       boundOf(ci95, 0), boundOf(ci95, 1), countOf(row, "test_documents"), numberOf(row, "purity"),
                       numberOf(row, "purity_null_mean"), numberOf(row, "purity_q"), numberOf(row, "redundancy")});
        }
    table.moveTo(section);
}

/// Each unit alone taken away.
void addSingleRemovals(ReportSection& section, const Json& steps)
{
    TableMaker table("pruning-table",
                     "Each head alone taken away: share of documents that match by the vectors of the others, and its "
                     "change with 95 % by bootstrap over documents, p by sign flips, q after Benjamini-Hochberg. The "
                     "model is not run without a head.",
                     {"removed", "value", "change", "low", "high", "p", "q"});
    for (const Json& step : steps)
    {
        const Json& ci95 = partOf(step, "ci95");
        table.add({partOf(step, "removed").get<std::int64_t>(), numberOf(step, "value"), numberOf(step, "difference"),
                   boundOf(ci95, 0), boundOf(ci95, 1), numberOf(step, "p"), numberOf(step, "q")});
    }
    table.moveTo(section);
}

/// One unit after another taken away, the order chosen by these documents.
void addOrder(ReportSection& section, const Json& steps)
{
    TableMaker table("pruning-table",
                     "Heads taken away one after another: share of documents that match by the vectors of those that "
                     "stay. The model is not run without them. Elsewhere: mean change, over halvings, on documents "
                     "that had no part in the choice; low, high: 2.5 and 97.5 % quantiles of the halvings.",
                     {"removed", "value", "chosen", "elsewhere", "low", "high"});
    for (const Json& step : steps)
    {
        const Json& held = partOf(step, "validated");
        const Json& ci95 = partOf(held, "ci95");
        table.add({partOf(step, "removed").get<std::int64_t>(), numberOf(step, "value"), numberOf(held, "chosen"),
                   numberOf(held, "elsewhere"), boundOf(ci95, 0), boundOf(ci95, 1)});
    }
    table.moveTo(section);
}

void sayPruning(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    for (const ReportPart* part : parts)
    {
        const Json& answer = *part->answer;
        const Json& best = partOf(answer, "validated");
        section.claims.push_back(fmt::format("With all heads: {} ({} documents).",
                                             withInterval(partOf(answer, "baseline"), partOf(answer, "baseline_ci95")),
                                             partOf(answer, "documents").dump()));
        if (best.is_object())
            section.claims.push_back(
                fmt::format("The best number of heads, {:.1f} on average, changes it by {} on documents that did not "
                            "choose it (brackets: 2.5 and 97.5 % quantiles of {} halvings).",
                            numberOf(best, "kept"), withInterval(partOf(best, "elsewhere"), partOf(best, "ci95")),
                            partOf(best, "halvings").dump()));
        const Json& steps = partOf(answer, "steps");
        (partOf(answer, "order") == Json("single") ? addSingleRemovals : addOrder)(section, steps);
    }
}

void sayRetrieval(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    TableMaker table("retrieval",
                     "Documents found by votes of heads: share of the results that have the label of the document "
                     "that asked, every document of the cache asking once; itself is left out.",
                     {"strategy", "same label", "low", "high", "chance", "queries"});
    for (const ReportPart* part : parts)
    {
        const Json& same = partOf(*part->answer, "same_label");
        if (!same.is_object())
            continue;
        const Json& ci95 = partOf(same, "ci95");
        table.add({partOf(*part->answer, "strategy").get<std::string>(), numberOf(same, "share"), boundOf(ci95, 0),
                   boundOf(ci95, 1), numberOf(same, "chance"), partOf(same, "queries").get<std::int64_t>()});
    }
    table.moveTo(section);
}

/// A section of every report that has items of its topics.
struct SectionPlan
{
    const char* id;
    const char* heading;
    std::vector<ReportTopic> topics;
    void (*say)(ReportSection& section, const Parts& parts, const ReportSubject& subject);
};

std::vector<SectionPlan> sectionPlans()
{
    return {{"model", "The model and where its vectors are read", {ReportTopic::Schema}, sayModel},
            {"topics", "How alike the topics are", {ReportTopic::Similarity}, saySimilarity},
            {"maps", "Maps of all heads", {ReportTopic::Map, ReportTopic::MapPicture}, sayMaps},
            {"probe", "Can the head be told from one vector?", {ReportTopic::Probe}, sayProbe},
            {"match", "Documents and their topics", {ReportTopic::Match}, sayMatch},
            {"heatmaps", "Heads by documents", {ReportTopic::Heatmap}, sayHeatmap},
            {"heads", "The heads one by one", {ReportTopic::Heads}, sayHeads},
            {"layers", "Over the layers", {ReportTopic::Layers}, sayLayers},
            {"pruning", "With fewer heads", {ReportTopic::Pruning}, sayPruning},
            {"retrieval", "When heads vote", {ReportTopic::Retrieval}, sayRetrieval}};
}

bool isFigure(const ReportPart& part)
{
    return part.answer != nullptr && part.item.output.starts_with("figures/");
}

} // namespace

std::string stageOf(const Json& result)
{
    const Json& stage = partOf(result, "stage");
    return stage.is_string() ? stage.get<std::string>() : stage.dump();
}

std::string stageOf(const ReportItem& item)
{
    const auto at = std::ranges::find(item.words, "--stage");
    return at == item.words.end() ? std::string() : *(at + 1);
}

std::string withInterval(const Json& value, const Json& interval)
{
    const double number = value.is_number() ? value.get<double>() : kNaN;
    const double low = boundOf(interval, 0);
    return std::isfinite(low) ? fmt::format("{} [{:.3f}, {:.3f}]", shown(number), low, boundOf(interval, 1))
                              : shown(number);
}

double lowOf(const Json& interval)
{
    return boundOf(interval, 0);
}

double highOf(const Json& interval)
{
    return boundOf(interval, 1);
}

std::vector<ReportSection> reportSections(std::span<const ReportPart> parts, const ReportSubject& subject)
{
    std::vector<ReportSection> sections;
    for (const SectionPlan& plan : sectionPlans())
    {
        ReportSection section{plan.id, plan.heading, {}, {}, {}, {}};
        Parts said;
        for (const ReportPart& part : parts)
        {
            if (std::ranges::find(plan.topics, part.item.topic) == plan.topics.end())
                continue;
            (isFigure(part) ? section.figures : section.others).push_back(&part);
            if (part.answer != nullptr)
                said.push_back(&part);
        }
        if (said.empty() && section.others.empty())
            continue;
        plan.say(section, said, subject);
        sections.push_back(std::move(section));
    }
    return sections;
}

} // namespace headscope::cli
