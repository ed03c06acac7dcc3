// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_text.h"

#include "app/cli/report/report_claims.h"

#include <algorithm>
#include <utility>

namespace headscope::cli
{
namespace
{

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
    return {{"model", "The model, and where its vectors are measured", {ReportTopic::Schema}, sayModel},
            {"topics", "Similarity of topics", {ReportTopic::Similarity}, saySimilarity},
            {"maps", "Maps of all heads", {ReportTopic::Map, ReportTopic::MapPicture}, reportMaps},
            {"probe", "Predicting the head or segment from one vector", {ReportTopic::Probe}, sayProbe},
            {"match", "Documents and their topics", {ReportTopic::Match}, sayMatch},
            {"heatmaps", "Heatmap of heads and documents", {ReportTopic::Heatmap}, sayHeatmap},
            {"heads", "Statistics of the heads", {ReportTopic::Heads}, sayHeads},
            {"label-probe", "Predicting the label from each head", {ReportTopic::LabelProbe}, sayLabelProbe},
            {"layers", "Comparison of layers", {ReportTopic::Layers}, sayLayers},
            {"pruning", "With fewer heads", {ReportTopic::Pruning}, sayPruning},
            {"retrieval", "Retrieval by votes of heads", {ReportTopic::Retrieval}, sayRetrieval},
            {"circuits", "What heads add, and which heads read others", {ReportTopic::Circuits}, sayCircuits}};
}

bool isFigure(const ReportPart& part)
{
    return part.answer != nullptr && part.item.output.starts_with("figures/");
}

} // namespace

bool isGrey(const ReportTable& table, const FrameCell& cell, std::size_t row)
{
    const auto rule = std::ranges::find(table.grey, cell.column->info->key, &GreyColumn::column);
    if (rule == table.grey.end() || cell.slot.facet != Facet::Value)
        return false;
    const Column* tested = table.rows.find(rule->testedBy);
    return tested != nullptr && tested->at(Facet::Q, row) > kSmallQ;
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
