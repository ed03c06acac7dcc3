// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/circuits/contributions_command.h"
#include "app/commands/circuits/lens_command.h"
#include "app/engine/circuits/contributions_job.h"
#include "app/engine/circuits/lens_job.h"
#include "app/engine/opened_model.h"
#include "app/shell/common_options.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/net/run/head_extractor.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headscope::engine
{

using SayNotices = std::function<void(const std::vector<std::string>& sentences)>;

/// The model of a run: opened for this run alone, or the one that stays.
class CircuitModel
{
public:
    CircuitModel() = default;
    virtual ~CircuitModel() = default;
    CircuitModel(const CircuitModel&) = delete;
    CircuitModel& operator=(const CircuitModel&) = delete;

    [[nodiscard]] virtual Result<const OpenedModel*> open(const std::filesystem::path& path, int threads,
                                                          JobContext& job) = 0;
    /// Finds the hashes of its files, where they are not known.
    [[nodiscard]] virtual Status hash(JobContext& job) = 0;
    /// One that fits into memory, of a model with hashes.
    [[nodiscard]] virtual Result<const HeadExtractor*> extractor(const ExtractionOptions& options,
                                                                 std::int64_t maxTokens, JobContext& job) = 0;
    /// Whether its files are still those that were read.
    [[nodiscard]] virtual Status checkUnchanged() const = 0;
};

/// A model that is opened for one run. Outlives what is found.
class OwnModel : public CircuitModel
{
public:
    /// @param say  of what the model's files say
    explicit OwnModel(SayNotices say) : m_say(std::move(say)) {}

    [[nodiscard]] Result<const OpenedModel*> open(const std::filesystem::path& path, int threads,
                                                  JobContext& job) override;
    [[nodiscard]] Status hash(JobContext& job) override;
    [[nodiscard]] Result<const HeadExtractor*> extractor(const ExtractionOptions& options, std::int64_t maxTokens,
                                                         JobContext& job) override;
    [[nodiscard]] Status checkUnchanged() const override;

private:
    SayNotices m_say;
    std::optional<OpenedModel> m_model;
    std::optional<HeadExtractor> m_extractor;
};

/// What a run needs besides its command.
struct CircuitRun
{
    const shell::CommonOptions& common;
    std::string line; ///< the command as it was typed, for the file
    CircuitModel& model;
    SayNotices say; ///< of the run
    JobContext& job;
};

/// contributions: from its options to the file that they name.
/// @errors WrongUse; those of CircuitModel, findContributions and writeContributions
[[nodiscard]] Result<ContributionsFindings> runContributions(commands::ContributionsCommand command,
                                                             const CircuitRun& run);

/// lens: likewise.
/// @errors WrongUse; those of CircuitModel, decodeDocuments, decodeWeights and writeLens
[[nodiscard]] Result<LensFindings> runLens(commands::LensCommand command, const CircuitRun& run);

} // namespace headscope::engine
