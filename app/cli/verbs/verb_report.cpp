// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_extraction.h"
#include "app/cli/report/report_latex.h"
#include "app/cli/report/report_page.h"
#include "app/cli/report/report_pair.h"
#include "app/cli/report/report_plan.h"
#include "app/cli/report/report_run.h"
#include "app/cli/report/report_text.h"
#include "app/cli/verb.h"
#include "app/commands/figures/report_command.h"
#include "app/frames/frame_json.h"
#include "app/results/cache_input.h"
#include "model/base/output/output_lock.h"
#include "model/data/frame/frame_text.h"
#include "model/data/model_digests.h"
#include "model/io/circuits/circuit_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <utility>

namespace headscope::cli
{
namespace
{

/// The layers that a cache has vectors of.
std::int64_t countLayers(const CacheReader& cache)
{
    std::set<std::int64_t> layers;
    for (const VectorsInfo& vectors : cache.info().embeddings)
        layers.insert(vectors.layer.value());
    return std::ssize(layers);
}

class ReportVerb : public VerbOf<commands::ReportCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        const std::filesystem::path folder = m_command.output;
        HEADSCOPE_CHECK(checkInput());
        const bool fromTexts = m_command.cache.empty();
        std::vector<ReportSource> sources;
        // What is wrong with the input is said before a folder is made.
        HEADSCOPE_CHECK(readCircuits(job));
        HEADSCOPE_CHECK(fromTexts ? checkTexts(m_command, job) : openAll(sources, job));
        HEADSCOPE_CHECK(makeReportFolders(folder));
        HEADSCOPE_TRY(const OutputLock lock, OutputLock::take(folder / "report.html"));
        if (fromTexts)
        {
            m_command.cache = (folder / "cache.h5").string();
            HEADSCOPE_CHECK(extractForReport(m_command, m_command.cache, common, job));
            HEADSCOPE_CHECK(openAll(sources, job));
        }
        std::vector<ReportItem> items;
        for (const ReportSource& source : sources)
            std::ranges::move(reportPlan(source.subject), std::back_inserter(items));
        HEADSCOPE_CHECK(clearOthers(items, folder, fromTexts, common, job));
        auto made = runReport(items, folder, common, job);
        if (!made && made.error().code == ErrorCode::Cancelled) // the same command goes on
            return std::move(made).error().inFile(folder.string());
        HEADSCOPE_TRY(const auto parts, std::move(made));
        const auto sections = sectionsOf(sources, parts);
        HEADSCOPE_CHECK(writeTables(sections, folder, common, job));
        HEADSCOPE_CHECK(writeReportFile(folder, "report.tex",
                                        reportLatex(sections, title(sources), footer(sources)).bytes(), common, job));
        HEADSCOPE_TRY(const report::HtmlText page,
                      reportPageText(sections, sources, folder, title(sources), footer(sources), job));
        HEADSCOPE_CHECK(writeReportFile(folder, "report.html", page.bytes(), common, job));
        return answerOf(parts);
    }

private:
    /// Of which model the files of circuits are.
    [[nodiscard]] Status readCircuits(JobContext& job)
    {
        for (const std::string& file : m_command.circuits)
        {
            HEADSCOPE_TRY(const CircuitResult circuits, readCircuitFile(file, job));
            m_circuitModels.push_back(circuits.hashes);
        }
        return {};
    }

    /// They are shown next to the first cache.
    [[nodiscard]] Status checkCircuits(const ModelInfo& cache)
    {
        for (std::size_t i = 0; i < m_circuitModels.size(); ++i)
        {
            HEADSCOPE_TRY(std::string notice, checkSameModel(cache, m_circuitModels[i], m_command.circuits[i]));
            if (!notice.empty())
                m_notices.push_back(std::move(notice));
        }
        return {};
    }

    /// The cache, and the one that it is compared with.
    [[nodiscard]] Status openAll(std::vector<ReportSource>& sources, JobContext& job)
    {
        HEADSCOPE_TRY(sources.emplace_back(), open(m_command.cache, m_command.layer, "--layer", job));
        HEADSCOPE_CHECK(checkCircuits(sources[0].input.model()));
        if (m_command.compare.empty())
            return {};
        HEADSCOPE_TRY(sources.emplace_back(), open(m_command.compare, m_command.compareLayer, "--compare-layer", job));
        nameBoth(sources[0], sources[1]);
        return sources[0].subject.origin == sources[1].subject.origin &&
                       sources[0].subject.layer == sources[1].subject.layer
                   ? wrongUse("--compare",
                              "expected another cache or another layer to compare with, found the same cache and layer")
                   : Status();
    }

    static void nameBoth(ReportSource& first, ReportSource& second)
    {
        const auto modelName = [](const ReportSource& source) { return source.input.model().name; };
        const auto layerOf = [](const ReportSource& source) {
            return fmt::format("layer {}", source.subject.layer.value());
        };
        const auto fileName = [](const ReportSource& source) {
            return std::filesystem::path(source.subject.cache).filename().string();
        };
        const bool sameModel = modelName(first) == modelName(second);
        const bool sameLayer = first.subject.layer == second.subject.layer;
        const bool sameChanges = first.subject.changed == second.subject.changed;
        for (ReportSource* source : {&first, &second})
        {
            const std::string& changed = source->subject.changed;
            source->subject.name = !sameModel   ? fmt::format("{}, {}", modelName(*source), layerOf(*source))
                                   : !sameLayer ? layerOf(*source)
                                                : fileName(*source);
            if (!sameChanges)
                source->subject.name += changed.empty() ? " (model unchanged)" : fmt::format(" ({})", changed);
        }
        if (first.subject.name == second.subject.name)
            second.subject.name += " (B)";
        first.subject.isOtherLayer = second.subject.isOtherLayer = first.subject.origin == second.subject.origin;
        second.subject.prefix = "b-";
        second.subject.number = 1;
    }

    [[nodiscard]] Result<ReportSource> open(const std::string& cache, const std::string& layer, const char* option,
                                            JobContext& job) const
    {
        HEADSCOPE_TRY(CacheInput input, openInput(cache, layer, option, job));
        HEADSCOPE_TRY(ReportSubject subject, subjectOf(input, cache, option));
        return ReportSource{std::move(input), std::move(subject)};
    }

    [[nodiscard]] static std::vector<ReportSection> sectionsOf(std::span<const ReportSource> sources,
                                                               std::span<const ReportPart> parts)
    {
        if (sources.size() == 1)
            return reportSections(parts, sources.front().subject);
        const auto second = std::ranges::find_if(parts, [](const ReportPart& part) { return part.item.of == 1; });
        const auto count = static_cast<std::size_t>(second - parts.begin());
        return pairedSections({&sources[0].subject, parts.first(count), sources[0].input.documents.get()},
                              {&sources[1].subject, parts.subspan(count), sources[1].input.documents.get()});
    }

    [[nodiscard]] Status checkInput() const
    {
        if (m_command.cache.empty() == m_command.model.empty())
            return wrongUse(m_command.cache.empty() ? "CACHE" : "--model",
                            m_command.cache.empty() ? "expected a cache, or --model and --documents, found neither"
                                                    : "expected a cache or a model, found both");
        if (m_command.compare.empty() && m_command.compareLayer != commands::ReportCommand().compareLayer)
            return wrongUse("--compare-layer", "this option needs --compare");
        const bool ofTexts = !m_command.documents.empty() || m_command.layers != commands::ReportCommand().layers;
        if (m_command.model.empty() && ofTexts)
            return wrongUse(m_command.documents.empty() ? "--layers" : "--documents",
                            "this option needs --model instead of a cache");
        return {};
    }

    [[nodiscard]] static Result<CacheInput> openInput(const std::string& cache, const std::string& layer,
                                                      const char* option, JobContext& job)
    {
        InputOptions options;
        options.cache = cache;
        options.layer = layer;
        HEADSCOPE_TRY(CacheInput input, openCacheInput(options, job));
        if (input.layers.size() != 1)
            return wrongUse(option, fmt::format("expected one layer, found \"{}\"", layer));
        return input;
    }

    /// What of the cache decides the plan.
    [[nodiscard]] Result<ReportSubject> subjectOf(const CacheInput& input, const std::string& cache,
                                                  const char* option) const
    {
        ReportSubject subject;
        subject.cache = cache;
        subject.origin = input.cache->origin().hash;
        subject.layer = input.layers.front();
        for (const Stage stage : kStages)
            if (input.cache->find(subject.layer, stage) != nullptr)
                subject.stages.push_back(stage);
        if (subject.stages.empty())
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("there are no vectors of stage 1, 2 or 3 at layer {}", subject.layer.value()),
                         cache, option};
        subject.changed = input.model().changes.words(input.model().kvHeads);
        subject.documents = input.documents->count();
        subject.heads = input.model().heads;
        subject.groups = input.model().kvHeads;
        subject.layers = countLayers(*input.cache);
        subject.labelMap = m_command.labelMap;
        subject.preset = m_command.preset;
        subject.palette = m_command.palette;
        if (std::string_view(option) == "--layer") // once, where two caches are compared
            subject.circuits = m_command.circuits;
        if (!m_command.label.empty() || !input.documents->labels.empty())
        {
            HEADSCOPE_TRY(const LabelColumn column, chooseLabel(input, m_command.label));
            subject.label = column.name;
            subject.topics = std::ranges::all_of(
                subject.stages, [&](Stage stage) { return input.cache->hasTopics(column.name, subject.layer, stage); });
        }
        return subject;
    }

    [[nodiscard]] std::string title(std::span<const ReportSource> sources) const
    {
        if (!m_command.title.empty())
            return m_command.title;
        return sources.size() == 1
                   ? fmt::format("Heads of {}", sources[0].input.model().name)
                   : fmt::format("Heads of {} and {}", sources[0].subject.name, sources[1].subject.name);
    }
    [[nodiscard]] std::string footer(std::span<const ReportSource> sources) const
    {
        std::vector<std::string> caches;
        std::vector<std::string> files;
        const auto needs = [&files](const std::string& file) {
            const std::string name = std::filesystem::path(file).filename().string();
            if (!name.empty() && std::ranges::find(files, name) == files.end())
                files.push_back(name);
        };
        for (const ReportSource& source : sources)
        {
            caches.push_back(fmt::format("a cache of {} documents (origin {})", source.input.documents->count(),
                                         source.subject.origin));
            needs(source.subject.cache);
        }
        needs(m_command.labelMap);
        for (const std::string& file : m_command.circuits)
            needs(file);
        return fmt::format("Made by Headscope {} from {}. Every figure contains the command that makes it again. The "
                           "commands run in the folder of this report; copy its input files ({}), or links to them, "
                           "into this folder first. The subfolder data contains the files that all values were read "
                           "from.",
                           HEADSCOPE_VERSION, fmt::join(caches, " and "), fmt::join(files, ", "));
    }

    [[nodiscard]] static Status writeTables(std::span<const ReportSection> sections,
                                            const std::filesystem::path& folder, const CommonOptions& common,
                                            JobContext& job)
    {
        for (const ReportSection& section : sections)
            for (const ReportTable& table : section.tables)
            {
                HEADSCOPE_CHECK(writeReportFile(folder, fmt::format("tables/{}.csv", table.id),
                                                frameCsv(table.rows).bytes(), common, job));
                HEADSCOPE_CHECK(writeReportFile(folder, fmt::format("tables/{}.tex", table.id),
                                                frameLatex(table.rows).bytes(), common, job));
            }
        return {};
    }

    [[nodiscard]] Answer answerOf(std::span<const ReportPart> parts) const
    {
        Answer answer;
        answer.notices = m_notices;
        Json items = Json::array();
        std::int64_t kept = 0;
        for (const ReportPart& part : parts)
        {
            items.push_back({{"id", part.item.id},
                             {"command", commandOf(part.item, m_command.output)},
                             {"kept", part.isKept},
                             {"files", part.files},
                             {"left_out", textJson(part.leftOut)},
                             {"notices", part.notices}});
            kept += part.isKept ? 1 : 0;
            if (!part.leftOut.empty())
                answer.notices.push_back(fmt::format("{} is omitted: {}", part.item.id, part.leftOut));
        }
        *answer.json = {{"output", m_command.output},
                        {"cache", m_command.cache},
                        {"compared_with", textJson(m_command.compare)},
                        {"items", items},
                        {"kept", kept},
                        {"notices", answer.notices}};
        answer.text = fmt::format("{} parts ({} unchanged since the previous run) written to {}\n", parts.size(), kept,
                                  m_command.output);
        return answer;
    }

    std::vector<NamedDigests> m_circuitModels; ///< of each file of --circuits
    std::vector<std::string> m_notices;
};

} // namespace

std::unique_ptr<Verb> makeReportVerb()
{
    return std::make_unique<ReportVerb>();
}

} // namespace headscope::cli
