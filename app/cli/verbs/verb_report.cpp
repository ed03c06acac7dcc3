// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_latex.h"
#include "app/cli/report/report_page.h"
#include "app/cli/report/report_plan.h"
#include "app/cli/report/report_run.h"
#include "app/cli/report/report_words.h"
#include "app/cli/verb.h"
#include "app/commands/figures/report_command.h"
#include "app/results/cache_input.h"
#include "model/base/output/output_lock.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>
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
        std::optional<Opened> opened;
        if (!fromTexts) // what is wrong with it is said before a folder is made
        {
            HEADSCOPE_TRY(opened, open(job));
        }
        HEADSCOPE_CHECK(makeReportFolders(folder));
        HEADSCOPE_TRY(const OutputLock lock, OutputLock::take(folder / "report.html"));
        if (fromTexts)
        {
            m_command.cache = (folder / "cache.h5").string();
            HEADSCOPE_CHECK(extractForReport(m_command, m_command.cache, common, job));
            HEADSCOPE_TRY(opened, open(job));
        }
        const auto& [input, subject] = *opened;
        const auto items = reportPlan(subject, folder);
        HEADSCOPE_TRY(const auto parts,
                      runReport(items, m_command.cache, input.cache->origin().hash, folder, common, job));
        const auto sections = reportSections(parts, subject);
        HEADSCOPE_CHECK(writeTables(sections, folder, common, job));
        HEADSCOPE_CHECK(
            writeReportFile(folder, "report.tex", reportLatex(sections, title(input), footer(input)), common, job));
        HEADSCOPE_TRY(const std::string page,
                      reportPageText(sections, subject, input, folder, title(input), footer(input), job));
        HEADSCOPE_CHECK(writeReportFile(folder, "report.html", page, common, job));
        return answerOf(parts);
    }

private:
    struct Opened
    {
        CacheInput input;
        ReportSubject subject;
    };
    [[nodiscard]] Result<Opened> open(JobContext& job) const
    {
        HEADSCOPE_TRY(CacheInput input, openInput(job));
        HEADSCOPE_TRY(ReportSubject subject, subjectOf(input));
        return Opened{std::move(input), std::move(subject)};
    }

    [[nodiscard]] Status checkInput() const
    {
        if (m_command.cache.empty() == m_command.model.empty())
            return wrongUse(m_command.cache.empty() ? "CACHE" : "--model",
                            m_command.cache.empty() ? "expected a cache, or --model and --documents, found neither"
                                                    : "expected a cache or a model, found both");
        const bool ofTexts = !m_command.documents.empty() || m_command.layers != commands::ReportCommand().layers;
        if (m_command.model.empty() && ofTexts)
            return wrongUse(m_command.documents.empty() ? "--layers" : "--documents",
                            "expected --model beside it, found a cache");
        return {};
    }

    [[nodiscard]] Result<CacheInput> openInput(JobContext& job) const
    {
        InputOptions options;
        options.cache = m_command.cache;
        options.layer = m_command.layer;
        HEADSCOPE_TRY(CacheInput input, openCacheInput(options, job));
        if (input.layers.size() != 1)
            return wrongUse("--layer", fmt::format("expected one layer, found \"{}\"", m_command.layer));
        return input;
    }

    /// What of the cache decides the plan.
    [[nodiscard]] Result<ReportSubject> subjectOf(const CacheInput& input) const
    {
        ReportSubject subject;
        subject.cache = m_command.cache;
        subject.layer = input.layers.front();
        for (const Stage stage : kStages)
            if (input.cache->find(subject.layer, stage) != nullptr)
                subject.stages.push_back(stage);
        if (subject.stages.empty())
            return Error{
                ErrorCode::InvalidArgument,
                fmt::format("expected vectors of stage 1, 2 or 3 at layer {}, found none", subject.layer.value()),
                m_command.cache, "--layer"};
        subject.heads = input.model().heads;
        subject.groups = input.model().kvHeads;
        subject.layers = countLayers(*input.cache);
        subject.labelMap = m_command.labelMap;
        subject.preset = m_command.preset;
        if (!m_command.label.empty() || input.documents->labels.size() == 1)
        {
            HEADSCOPE_TRY(const LabelColumn column, chooseLabel(input, m_command.label));
            subject.label = column.name;
            subject.topics = std::ranges::all_of(
                subject.stages, [&](Stage stage) { return input.cache->hasTopics(column.name, subject.layer, stage); });
        }
        return subject;
    }

    [[nodiscard]] std::string title(const CacheInput& input) const
    {
        return !m_command.title.empty() ? m_command.title : fmt::format("Heads of {}", input.model().name);
    }
    [[nodiscard]] std::string footer(const CacheInput& input) const
    {
        return fmt::format("Made by Headscope {} from a cache of {} documents (origin {}). Every figure carries the "
                           "command that makes it again; data holds what every number was read from.",
                           HEADSCOPE_VERSION, input.documents->count(), input.cache->origin().hash);
    }

    [[nodiscard]] static Status writeTables(std::span<const ReportSection> sections,
                                            const std::filesystem::path& folder, const CommonOptions& common,
                                            JobContext& job)
    {
        for (const ReportSection& section : sections)
            for (const ReportTable& table : section.tables)
            {
                HEADSCOPE_CHECK(writeReportFile(folder, fmt::format("tables/{}.csv", table.id),
                                                table.rows.csv(CsvTexts::Safe), common, job));
                HEADSCOPE_CHECK(
                    writeReportFile(folder, fmt::format("tables/{}.tex", table.id), table.rows.latex(), common, job));
            }
        return {};
    }

    [[nodiscard]] Answer answerOf(std::span<const ReportPart> parts) const
    {
        Answer answer;
        Json items = Json::array();
        std::int64_t kept = 0;
        for (const ReportPart& part : parts)
        {
            items.push_back({{"id", part.item.id},
                             {"command", commandOf(part.item, m_command.cache, m_command.output)},
                             {"kept", part.isKept},
                             {"files", part.files},
                             {"left_out", part.leftOut.empty() ? Json() : Json(part.leftOut)},
                             {"notices", part.notices}});
            kept += part.isKept ? 1 : 0;
            if (!part.leftOut.empty())
                answer.notices.push_back(fmt::format("{} is left out: {}", part.item.id, part.leftOut));
        }
        *answer.json = {{"output", m_command.output},
                        {"cache", m_command.cache},
                        {"items", items},
                        {"kept", kept},
                        {"notices", answer.notices}};
        answer.text = fmt::format("{} parts, {} of them as an earlier run left them; written to {}\n", parts.size(),
                                  kept, m_command.output);
        return answer;
    }
};

} // namespace

std::unique_ptr<Verb> makeReportVerb()
{
    return std::make_unique<ReportVerb>();
}

} // namespace headscope::cli
