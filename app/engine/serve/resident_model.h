// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/model_source.h"
#include "model/base/input/disk_stamp.h"
#include "model/net/run/token_means.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headscope::engine
{

/// The one model that stays in memory from request to request: its headers and tokenizer once it was opened, its
/// weights once they were needed. Another model takes its place; a model of whose files one changed, came or went is
/// opened again.
/// @threads one, but for weightBytes()
class ResidentModel : public ModelSource
{
public:
    /// The model, opened where it is not this one, with the hashes of its files.
    /// @errors those of openModelAndTokenizer and addHashes; Resource (a file changes meanwhile)
    [[nodiscard]] Result<const OpenedModel*> open(const std::filesystem::path& path, int threads,
                                                  JobContext& job) override;
    [[nodiscard]] Status hash(JobContext& /*job*/) override { return {}; }

    /// The model if it is open already, else null.
    [[nodiscard]] const OpenedModel* find(const std::filesystem::path& path) const;

    /// @return  valid until the next call of any function
    /// @errors those of ModelSource; Resource (a file changed since the opening)
    [[nodiscard]] Result<const HeadExtractor*> extractor(const ExtractionOptions& options, std::int64_t maxTokens,
                                                         Hashes hashes, JobContext& job) override;
    /// Asked when it is opened again.
    [[nodiscard]] Status checkUnchanged() const override { return {}; }
    [[nodiscard]] bool stays() const override { return true; }

    /// Configuration of the opened model.
    [[nodiscard]] const ModelConfig& config() const { return m_model->files.config; }
    /// Means of heads that were kept, or null. They go with the model.
    /// @param key  empty: none
    [[nodiscard]] const TokenMeans* means(const std::string& key) const;
    /// Keeps them in place of the former ones.
    void keepMeans(const std::string& key, TokenMeans means);

    /// Lets weights, tokenizer and headers go, and gives their memory back.
    void release();
    /// Bytes that the weights take; 0: none are loaded.
    [[nodiscard]] std::uint64_t weightBytes() const { return m_weightBytes; }
    [[nodiscard]] bool isLoaded() const { return m_model.has_value(); }

private:
    /// The state of each file that the model is read from, or would be; nothing: it is not there.
    using FileStates = std::vector<std::pair<std::filesystem::path, std::optional<DiskStamp>>>;
    [[nodiscard]] static FileStates statesOf(const ModelFiles& files);

    std::filesystem::path m_path; ///< without links
    FileStates m_states;          ///< that the model was opened in
    std::optional<OpenedModel> m_model;
    LoadedWeights m_weights;
    std::string m_meansKey;
    TokenMeans m_means;
    std::atomic<std::uint64_t> m_weightBytes = 0;
};

} // namespace headscope::engine
