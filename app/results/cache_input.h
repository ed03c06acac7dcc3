// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/input_options.h"
#include "model/analysis/topics/topics.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/data/head_vectors.h"
#include "model/data/topic_vectors.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/cache/full_vectors.h"
#include "model/io/results/mask_file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

using commands::InputOptions;

/// A cache with the choices resolved against what it holds.
struct CacheInput
{
    std::shared_ptr<CacheReader> cache;
    std::shared_ptr<const DocumentSet> documents;
    std::vector<LayerIndex> layers;
    std::vector<Stage> stages;
    std::vector<std::int64_t> rows; ///< chosen documents, ascending
    std::optional<HeadMask> mask;

    [[nodiscard]] const ModelInfo& model() const { return cache->info().header.model; }
    /// The chosen heads of a stage that the mask keeps, 0-based: of a stage that is kept uncut the one there is.
    /// @errors WrongUse, InvalidArgument (no such head, none left, a mask for a stage that is kept uncut)
    [[nodiscard]] Result<std::vector<std::int64_t>> headsOf(const HeadVectors& vectors, const std::string& text) const;
};

/// @errors those of CacheReader; WrongUse (a choice that is not understood), InvalidArgument (one that is not there)
[[nodiscard]] Result<CacheInput> openCacheInput(const InputOptions& options, JobContext& job);

/// The label column that is asked for, or the only one: chooseLabelColumn.
/// @errors InvalidArgument, with the names
[[nodiscard]] Result<LabelColumn> chooseLabel(const CacheInput& input, const std::string& name);
/// Its name; "" where there is none.
[[nodiscard]] std::string usedLabel(const CacheInput& input, const std::string& name);

/// A label column as the options want it: renamed by the label map, and -1 for documents that are not
/// chosen, so that row numbers keep their meaning.
struct ChosenLabels
{
    LabelColumn labels;
    std::vector<std::int64_t> topicRows; ///< of each category: the row of its topic vector; empty: its code
    std::vector<std::string> notices;    ///< on the label map
};
/// @errors those of chooseLabel and readLabelMap
[[nodiscard]] Result<ChosenLabels> loadLabels(const CacheInput& input, const InputOptions& options);

/// Everything that topic analyses need of one layer and stage, for the chosen documents.
struct TopicData
{
    LabelColumn labels;
    TopicVectors topics;
    std::shared_ptr<const HeadVectors> documents;
    FullPair full;
    Matrix<std::int64_t> members;     ///< as TopicVectorSet::members
    std::string vectorsText;          ///< what the topics are (topicVectorsText)
    std::vector<std::string> notices; ///< on the label map, and on names that say nothing

    [[nodiscard]] TopicInput input() const;
};
/// @param fewAreTaken  as TopicChoice::fewAreTaken
[[nodiscard]] Result<TopicData> loadTopicData(const CacheInput& input, const InputOptions& options, LayerIndex layer,
                                              Stage stage, JobContext& job, bool fewAreTaken = false,
                                              int numThreads = 1);

/// "layer 31, stage 1 (heads)", "layer 31, stage 3 (segments, after the final norm)".
[[nodiscard]] std::string headingOf(const HeadVectors& vectors);

/// Refuses several layers or stages where a verb takes one.
/// @errors WrongUse
[[nodiscard]] Status oneLayerAndStage(const CacheInput& input, std::string_view verb);

/// "0-99,120" or "label=value" as rows, ascending; "" = all.
/// @errors WrongUse, InvalidArgument (no such label or value)
[[nodiscard]] Result<std::vector<std::int64_t>> parseDocumentFilter(const std::string& text,
                                                                    const DocumentSet& documents);

/// A plain matrix as points: document = row, head = 0. Rows that hold NaN or infinity are left out
/// and counted.
/// @errors those of readMatrix
[[nodiscard]] Result<HeadPoints> readPoints(const std::string& source, JobContext& job);

/// A sentence that counts the vectors left out, and for those of a matrix (readPoints) names the first rows.
[[nodiscard]] std::string leftOutNotice(const HeadPoints& points, bool ofMatrix);

} // namespace headscope
