// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/cache_input.h"
#include "app/results/card/card_measures.h"
#include "model/analysis/geometry/vector_directions.h"
#include "model/analysis/words/word_counts.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/base/strong_index.h"
#include "model/data/results/card/head_card.h"
#include "model/data/results/measures/geometry_results.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// What a card takes of the vectors.
struct CardOptions
{
    DirectionOptions directions;
    std::int64_t documents = 2; ///< shown at each end of a direction
    std::int64_t words = 5;     ///< likewise
    std::int64_t similar = 5;   ///< most similar heads
    std::uint64_t seed = 1;     ///< of the probe, and of resamples and permutations

    friend bool operator==(const CardOptions&, const CardOptions&) = default;
};

/// Makes the cards of heads from a cache: everything that the vectors, texts and labels say. What belongs to a layer is
/// computed with its first card and kept, and so is what belongs to all.
class CardMaker
{
public:
    /// @param input    stage 1 of some layers; documents and label as chosen
    /// @param choices  as typed: of its label and topics
    /// @errors InvalidArgument (no layer of stage 1), those of CacheReader, Cancelled
    [[nodiscard]] static Result<CardMaker> create(CacheInput input, InputOptions choices, CardOptions options,
                                                  int numThreads, JobContext& job);

    /// Compares all heads with each other at once, which is less work than card by card where all cards are made.
    /// @errors those of layerSimilarity
    /// @cost   that of layerSimilarity; memory: the vectors of all layers
    [[nodiscard]] Status compareAll(JobContext& job);

    /// Whether there is this layer, and this head: before anything is computed.
    /// @errors InvalidArgument, with what there is
    [[nodiscard]] Status check(LayerIndex layer, HeadIndex head) const;

    /// @param layer  in the cache at stage 1
    /// @errors InvalidArgument (no such layer or head, with what there is), those of the analyses
    [[nodiscard]] Result<HeadCard> card(LayerIndex layer, HeadIndex head, JobContext& job);

    /// Layers with stage 1, ascending.
    [[nodiscard]] const std::vector<LayerIndex>& layers() const { return m_layers; }
    [[nodiscard]] const CacheInput& input() const { return m_input; }

private:
    CardMaker() = default;
    [[nodiscard]] Result<const CardLayer*> layerOf(LayerIndex layer, JobContext& job);
    [[nodiscard]] Result<std::shared_ptr<const HeadVectors>> vectorsOf(LayerIndex layer, JobContext& job);
    [[nodiscard]] Status addTopicData(CardLayer& of, LayerIndex layer, JobContext& job);
    [[nodiscard]] Status addProbe(CardLayer& of, LayerIndex layer, JobContext& job) const;

    void addPlace(HeadCard& card, const CardLayer& of) const;
    [[nodiscard]] Status addDirections(HeadCard& card, const CardLayer& of, JobContext& job);
    [[nodiscard]] Status addTopics(HeadCard& card, const CardLayer& of, JobContext& job) const;
    [[nodiscard]] Status addSimilar(HeadCard& card, const CardLayer& of, JobContext& job);
    [[nodiscard]] CardEnd endOf(std::span<const std::int64_t> documents, const VectorDirection& direction) const;

    CacheInput m_input;
    InputOptions m_choices;
    CardOptions m_options;
    int m_numThreads = 1;
    std::vector<LayerIndex> m_layers;
    std::map<std::int64_t, CardLayer> m_made; ///< by layer
    std::map<std::int64_t, std::shared_ptr<const HeadVectors>> m_vectors;
    std::optional<WordCounts> m_words;   ///< of the chosen documents; none: no texts
    std::optional<LabelColumn> m_labels; ///< [rows] of the chosen documents
    std::string m_noLabels;              ///< why there are none
    std::optional<LayerSimilarity> m_similarity;
};

} // namespace headscope
