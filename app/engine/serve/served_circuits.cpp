// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/serve/served_circuits.h"

#include "app/commands/command_line.h"
#include "app/engine/circuits/circuit_run.h"
#include "app/engine/circuits/contributions_answer.h"
#include "app/engine/circuits/lens_answer.h"

#include <string>
#include <utility>
#include <vector>

namespace headscope::engine
{
namespace
{

/// The model that stays, with the hashes of its files.
class StayingModel : public CircuitModel
{
public:
    explicit StayingModel(ResidentModel& resident) : m_resident(resident) {}

    [[nodiscard]] Result<const OpenedModel*> open(const std::filesystem::path& path, int threads,
                                                  JobContext& job) override
    {
        return m_resident.open(path, threads, job);
    }
    [[nodiscard]] Status hash(JobContext& /*job*/) override { return {}; }
    [[nodiscard]] Result<const HeadExtractor*> extractor(const ExtractionOptions& options, std::int64_t maxTokens,
                                                         JobContext& job) override
    {
        return m_resident.extractor(options, maxTokens, job);
    }
    /// Asked when it is opened again.
    [[nodiscard]] Status checkUnchanged() const override { return {}; }

private:
    ResidentModel& m_resident;
};

/// @param find  runContributions or runLens
/// @param json  of what it finds
template <class C, class Find, class ToJson>
JobOutcome served(const C& command, const shell::CommonOptions& common, ResidentModel& resident, JobContext& job,
                  Find find, ToJson json)
{
    JobOutcome outcome{std::string()};
    StayingModel model(resident);
    auto found = find(command, {common, commands::CommandLine<C>{command, {}}.text("headscope-engine"), model,
                                [&outcome](const std::vector<std::string>& sentences) {
                                    outcome.notices.insert(outcome.notices.end(), sentences.begin(), sentences.end());
                                },
                                job});
    if (!found)
        outcome.result = std::move(found).error();
    else
        outcome.result = json(*found, Members{{"output", textOrNull(command.output)}}, -1);
    return outcome;
}

} // namespace

JobOutcome servedContributions(const commands::ContributionsCommand& command, const shell::CommonOptions& common,
                               ResidentModel& resident, JobContext& context)
{
    return served(command, common, resident, context, runContributions, contributionsJson);
}

JobOutcome servedLens(const commands::LensCommand& command, const shell::CommonOptions& common, ResidentModel& resident,
                      JobContext& context)
{
    return served(command, common, resident, context, runLens, lensJson);
}

} // namespace headscope::engine
