// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/opened_model.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/net/run/head_extractor.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace headscope::engine
{

/// Whether a run needs the hashes of its model's files, for what it writes.
enum class Hashes
{
    Needed,
    NotNeeded,
};

/// Where a verb has the model from that it runs: opened for this run alone, or the one that `serve` keeps.
class ModelSource
{
public:
    ModelSource() = default;
    virtual ~ModelSource() = default;
    ModelSource(const ModelSource&) = delete;
    ModelSource& operator=(const ModelSource&) = delete;

    /// The model of a path, with its tokenizer. Verbs open it by openModelOf().
    /// @return  valid until the next opening
    /// @errors those of openModelAndTokenizer
    [[nodiscard]] virtual Result<const OpenedModel*> open(const std::filesystem::path& path, int threads,
                                                          JobContext& job) = 0;
    /// Finds the hashes of the opened model's files, where they are not known.
    [[nodiscard]] virtual Status hash(JobContext& job) = 0;
    /// An extractor of the opened model. Its weights are loaded where those that are there are not enough: if they fit
    /// into memory, and after its hashes were found.
    /// @param maxTokens  of a text
    /// @return  valid until the next call of this function
    /// @errors those of checkMemoryOfRun and HeadExtractor::create
    [[nodiscard]] virtual Result<const HeadExtractor*>
    extractor(const ExtractionOptions& options, std::int64_t maxTokens, Hashes hashes, JobContext& job) = 0;
    /// Whether its files are still those that were read.
    [[nodiscard]] virtual Status checkUnchanged() const = 0;
    /// Whether it stays for later runs: its files' warnings are in the answer to `open` then, and no notices of a run.
    [[nodiscard]] virtual bool stays() const = 0;
};

/// Extractors of one model, which share its weights once they are loaded.
class LoadedWeights
{
public:
    /// Whether the weights have to be loaded for these options.
    [[nodiscard]] bool loadsFor(const ExtractionOptions& options) const;
    /// Lets go weights that do not suit the options, and looks whether those that do will fit into memory.
    /// @errors those of extractionBlocks and checkMemoryOfRun
    [[nodiscard]] Status makeRoom(const ModelFiles& files, const ExtractionOptions& options, std::int64_t maxTokens);
    /// @return  valid until the next call
    /// @errors those of HeadExtractor::create and withOptions
    [[nodiscard]] Result<const HeadExtractor*> extractor(const ModelFiles& files, const ExtractionOptions& options,
                                                         JobContext& job);
    void release();
    /// Bytes that the weights take; 0: none are loaded.
    [[nodiscard]] std::uint64_t bytes() const { return m_loaded ? m_loaded->weightBytes() : 0; }
    [[nodiscard]] Status checkUnchanged() const { return m_loaded ? m_loaded->checkUnchanged() : Status(); }

private:
    std::optional<HeadExtractor> m_loaded; ///< owner of the weights
    std::optional<HeadExtractor> m_chosen; ///< the same weights with the options asked for last
    ExtractionOptions m_options;           ///< of m_chosen
};

/// A model that is opened for one run. Outlives what is found.
class OwnModel : public ModelSource
{
public:
    [[nodiscard]] Result<const OpenedModel*> open(const std::filesystem::path& path, int threads,
                                                  JobContext& job) override;
    [[nodiscard]] Status hash(JobContext& job) override;
    [[nodiscard]] Result<const HeadExtractor*> extractor(const ExtractionOptions& options, std::int64_t maxTokens,
                                                         Hashes hashes, JobContext& job) override;
    [[nodiscard]] Status checkUnchanged() const override { return m_weights.checkUnchanged(); }
    [[nodiscard]] bool stays() const override { return false; }

private:
    std::optional<OpenedModel> m_model;
    bool m_hashed = false;
    LoadedWeights m_weights;
};

} // namespace headscope::engine
