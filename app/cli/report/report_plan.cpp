// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace headscope::cli
{
namespace
{

using Words = std::vector<std::string>;

/// The strategies whose answers are compared: those of multi-head RAG, and the two that it lacks.
constexpr std::array<std::string_view, 5> kStrategies = {"standard", "multirag", "decay", "rrf", "borda"};
constexpr std::int64_t kMaxZoomed = 4;
/// Removing heads one after another tries their square; beyond, each alone is taken away.
constexpr std::int64_t kMaxGreedy = 16;
/// A noise floor is three more maps: up to so many points they take seconds.
constexpr std::int64_t kMaxTwinned = 5'000;

/// Adds the items of a report, one function a section.
class Planner
{
public:
    explicit Planner(const ReportSubject& subject) : m_subject(subject) {}

    std::vector<ReportItem> plan()
    {
        addFigure("schema", ReportTopic::Schema, "inspect", {"--layer", layer()}, "--figure");
        if (m_subject.topics)
            addFigure("topic-similarity", ReportTopic::Similarity, "similarity",
                      labelled(placed(m_subject.stages.back())));
        for (const Stage stage : m_subject.stages)
            addMaps(stage);
        addProbe();
        if (m_subject.topics)
            addTopics();
        for (const Stage stage : m_subject.stages)
            addFigure(suffixed("heads", stage), ReportTopic::Heads, "heads", labelled(placed(stage)));
        if (m_subject.topics)
            for (const Stage stage : m_subject.stages)
                add(suffixed("label-probe", stage), ReportTopic::LabelProbe, "label-probe", labelled(placed(stage)));
        if (m_subject.layers > 1)
            addFigure("layers", ReportTopic::Layers, "layers", labelled({"--layer", "all", "--stage", allStages()}));
        if (m_subject.topics)
            addChoices();
        for (std::size_t i = 0; i < m_subject.circuits.size(); ++i)
        {
            addFigure(fmt::format("circuits-{}", i + 1), ReportTopic::Circuits, "circuits", {});
            m_items.back().cache = m_subject.circuits[i]; // what the engine wrote, in place of the cache
        }
        return std::move(m_items);
    }

private:
    [[nodiscard]] std::string layer() const { return std::to_string(m_subject.layer.value()); }
    [[nodiscard]] std::string allStages() const
    {
        std::string text;
        for (const Stage stage : m_subject.stages)
            text += (text.empty() ? "" : ",") + std::string(stageName(stage));
        return text;
    }
    [[nodiscard]] static std::string suffixed(std::string_view id, Stage stage)
    {
        return fmt::format("{}-stage{}", id, stageName(stage));
    }
    [[nodiscard]] Words placed(const std::string& stages) const { return {"--layer", layer(), "--stage", stages}; }
    [[nodiscard]] Words placed(Stage stage) const { return placed(std::string(stageName(stage))); }
    /// With the choice of the labels.
    [[nodiscard]] Words labelled(Words words) const
    {
        if (!m_subject.label.empty())
            words.insert(words.end(), {"--label", m_subject.label});
        if (!m_subject.labelMap.empty())
            words.insert(words.end(), {"--label-map", m_subject.labelMap});
        return words;
    }

    void add(const std::string& id, ReportTopic topic, const std::string& verb, Words words,
             const std::string& option = {}, const std::string& output = {})
    {
        m_items.push_back({named(id), m_subject.cache, m_subject.origin, m_subject.number, topic, verb,
                           std::move(words), option, output});
    }
    /// An id of this cache's.
    [[nodiscard]] std::string named(const std::string& id) const { return m_subject.prefix + id; }
    void addFigure(const std::string& id, ReportTopic topic, const std::string& verb, Words words,
                   const std::string& option = "-o")
    {
        words.insert(words.end(), {"--recipe", "--also", "svg", "--preset", m_subject.preset});
        if (m_subject.palette != "standard")
            words.insert(words.end(), {"--palette", m_subject.palette});
        add(id, topic, verb, std::move(words), option, fmt::format("figures/{}.pdf", named(id)));
    }

    /// With its baselines, however many numbers they are made of: an accuracy without them says little.
    void addProbe()
    {
        Words words = placed(allStages());
        words.insert(words.end(), {"--baselines", "on"});
        addFigure("probe", ReportTopic::Probe, "probe", words);
    }

    /// A map, and the pictures of it that the study has.
    void addMaps(Stage stage)
    {
        const std::string id = suffixed("map", stage);
        Words run = placed(stage);
        run.emplace_back("--quality");
        if (m_subject.documents * m_subject.heads <= kMaxTwinned)
            run.insert(run.end(), {"--noise-floor", "3"});
        add(id + "-data", ReportTopic::Map, "tsne", run, "-o", fmt::format("data/{}.h5", named(id)));
        const std::string kept = fmt::format("data/{}.h5:/maps/map/xy", named(id)); // below the folder
        // The first picture says what the map is; the others, in what they differ from it.
        const auto picture = [&](const std::string& suffix, const Words& more, const std::string& caption) {
            Words words = {"--map", kept};
            words.insert(words.end(), more.begin(), more.end());
            if (!caption.empty())
                words.insert(words.end(),
                             {"--caption", fmt::format("The map of stage {} above, {}.", stageName(stage), caption)});
            addFigure(id + suffix, ReportTopic::MapPicture, "tsne", words);
        };
        const std::string_view unit = unitName(stage);
        const std::int64_t few = std::min(m_subject.heads, kMaxZoomed);
        picture("", {}, {});
        if (m_subject.heads > kMaxZoomed)
            picture("-zoom", {"--show-heads", fmt::format("1-{}", kMaxZoomed)},
                    fmt::format("{0}s 1 to {1} of {2} only; the axes are fitted to these {0}s", unit, few,
                                m_subject.heads));
        if (stage == Stage::OutputSegment)
        {
            picture("-strength", {"--color", "strength"}, "coloured by the norm of each vector");
            if (m_subject.heads > 1)
                picture("-single",
                        {"--color", "strength", "--panels", "heads", "--show-heads", fmt::format("1-{}", few)},
                        fmt::format("coloured by the norm of each vector: one panel per {} (1 to {} of {}), all with "
                                    "the same axes",
                                    unit, few, m_subject.heads));
        }
        if (!m_subject.label.empty())
            picture("-topics", {"--color", m_subject.label}, fmt::format("coloured by \"{}\"", m_subject.label));
    }

    void addTopics()
    {
        for (const Stage stage : m_subject.stages)
            addFigure(suffixed("match", stage), ReportTopic::Match, "match", labelled(placed(stage)));
        addFigure("heatmaps", ReportTopic::Heatmap, "heatmap", labelled(placed(allStages())));
    }

    /// What happens with fewer heads, and how heads vote.
    void addChoices()
    {
        const Stage stage = m_subject.stages.front();
        if (m_subject.heads > 1)
        {
            Words words = labelled(placed(stage));
            words.insert(words.end(),
                         {"--measure", "match1", "--order", m_subject.heads <= kMaxGreedy ? "backward" : "single"});
            addFigure("pruning", ReportTopic::Pruning, "prune", words);
        }
        for (const std::string_view strategy : kStrategies)
        {
            Words words = placed(stage);
            words.insert(words.end(), {"--queries", m_subject.cache, "--label", m_subject.label, "--strategy",
                                       std::string(strategy)});
            add(fmt::format("retrieval-{}", strategy), ReportTopic::Retrieval, "retrieve", words);
        }
    }

    const ReportSubject& m_subject;
    std::vector<ReportItem> m_items;
};

} // namespace

std::vector<ReportItem> reportPlan(const ReportSubject& subject)
{
    return Planner(subject).plan();
}

std::vector<std::string> wordsOf(const ReportItem& item, const std::filesystem::path& folder)
{
    std::vector<std::string> words = {item.cache};
    for (const std::string& word : item.words)
        words.push_back(words.back() == "--map" ? (folder / word).string() : word);
    if (!item.output.empty())
        words.insert(words.end(), {item.option, (folder / item.output).string()});
    return words;
}

} // namespace headscope::cli
