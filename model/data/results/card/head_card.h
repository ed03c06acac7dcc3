// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/circuits/composition_results.h"
#include "model/data/model_info.h"
#include "model/data/origin.h"
#include "model/data/results/importance_results.h"
#include "model/data/results/measures/direction_results.h"
#include "model/data/stage.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace headscope
{

/// A document at an end of a direction.
struct CardDocument
{
    std::string id;
    std::string label; ///< "": none
    std::string text;  ///< its beginning; "": the cache has no texts
    double score = 0;  ///< position along the direction
};

/// One end of a direction.
struct CardEnd
{
    std::vector<CardDocument> documents; ///< the first ones, the most extreme first
    std::vector<ContrastWord> words;     ///< that are more frequent at this end, those of largest |z| first
    std::string label;                   ///< the commonest label of its documents; "": none has one
    std::int64_t ofLabel = 0;            ///< documents of the end that have it
};

/// A principal component of the head's vectors.
struct CardDirection
{
    double share = std::numeric_limits<double>::quiet_NaN(); ///< of the variance
    Interval shareCi95;
    std::int64_t endDocuments = 0; ///< at each end
    CardEnd high;
    CardEnd low;
    std::int64_t vocabulary = 0;     ///< words that were compared; 0: none
    std::int64_t separating = 0;     ///< of them with q below 0.05
    std::vector<double> scores;      ///< of all documents that count
    std::vector<std::int32_t> codes; ///< their labels, -1: none
};

struct CardDirections
{
    std::int64_t documents = 0; ///< that count
    bool varies = false;        ///< otherwise there is no direction
    std::vector<CardDirection> directions;
    std::string noWords; ///< why ends have no words; "": they do
};

struct CardTopics
{
    std::string label;                ///< column
    std::string vectorsText;          ///< what the topics are: "names"
    std::vector<std::string> names;   ///< [C] of the codes
    std::vector<TopicFavour> favours; ///< the largest difference first
};

struct CardSimilarHead
{
    LayerIndex layer;
    HeadIndex head;
    double cka = std::numeric_limits<double>::quiet_NaN(); ///< debiased
    Interval ci95;                                         ///< jackknife by document
};

struct CardSimilarity
{
    std::int64_t documents = 0;
    std::int64_t heads = 0;  ///< that it is compared with
    std::int64_t layers = 0; ///< of which they are
    std::vector<CardSimilarHead> nearest;
};

/// What the probe of the layer, which tells heads by one vector, says of the head.
struct CardProbe
{
    double recall = 0;
    Interval recallCi95;
    std::int64_t testDocuments = 0;
    std::int64_t heads = 0;                 ///< that it distinguishes
    std::optional<HeadIndex> mistakenFor{}; ///< none: no vector is misclassified
    std::int64_t mistaken = 0;              ///< of its test vectors
};

/// What the match of the layer's cached vectors loses without the head.
struct CardCut
{
    double all = 0; ///< match at 1 of all heads
    Interval allCi95;
    double lost = 0; ///< all - without it
    Interval ci95;   ///< NaN: too few documents change
    double p = std::numeric_limits<double>::quiet_NaN();
    std::int64_t documents = 0;
    std::int64_t changed = 0; ///< documents that are matched by one of the two alone
};

/// What the running model loses without the head.
struct CardAblation
{
    std::string ablation; ///< "zero" or "mean"
    std::int64_t documents = 0;
    std::optional<Estimate> cosine; ///< drop of the mean cosine with the unchanged vectors
    std::optional<Estimate> match;  ///< drop of the match at 1
};

struct CardToken
{
    std::string text;
    double logit = 0;
    std::int64_t documents = 0; ///< that list it
    Interval ci95;              ///< of their share of all
};

/// What the head adds to the vectors of documents, in words of the vocabulary.
struct CardLens
{
    std::vector<CardToken> up;
    std::vector<CardToken> down;
    std::int64_t documents = 0;
    std::int64_t top = 0;    ///< tokens in the list of a document
    std::string unembedding; ///< "output head", "token embeddings"
};

struct CardStatistic
{
    std::string key; ///< as `attention --json` has it
    double value = std::numeric_limits<double>::quiet_NaN();
    Interval ci95;         ///< over documents; NaN: not known
    std::int64_t rank = 0; ///< among all heads, 1: the largest
};

/// Where the head attends, means over documents.
struct CardAttention
{
    std::int64_t documents = 0;
    std::int64_t heads = 0;
    std::vector<CardStatistic> statistics;

    /// Null: not there, or not a number.
    [[nodiscard]] const CardStatistic* find(std::string_view key) const
    {
        for (const CardStatistic& each : statistics)
            if (each.key == key && each.value == each.value)
                return &each;
        return nullptr;
    }
};

struct CardPartner
{
    CompositionKind kind = CompositionKind::Q;
    LayerIndex layer;
    HeadIndex head;
    double score = 0;                                         ///< less that of random rotations
    double spread = std::numeric_limits<double>::quiet_NaN(); ///< standard deviation of that
};

/// With whom it composes, by the weights alone.
struct CardPartners
{
    double baseline = 0;             ///< score of random rotations, which is subtracted
    std::int64_t numBefore = 0;      ///< scores that were compared for the first list
    std::int64_t numAfter = 0;       ///< likewise
    std::vector<CardPartner> before; ///< heads it could read from, the highest score first
    std::vector<CardPartner> after;  ///< heads that could read from it
};

/// A part of a card.
enum class CardPart
{
    Place,
    Writes,
    Reads,
    Directions,
    Topics,
    Similar,
    Probe,
    Importance,
    Partners,
};

/// What is missing of a card.
struct CardGap
{
    CardPart part = CardPart::Place;
    std::string why;  ///< a sentence
    std::string help; ///< another: how to get it; "": cannot be had
};

/// What is known of one head.
struct HeadCard
{
    ModelInfo model;
    std::string cache;   ///< its name
    std::string pooling; ///< "last"; "": not known
    LayerIndex layer;
    HeadIndex head;
    std::int64_t documents = 0;
    std::int64_t leftOut = 0; ///< of them with NaN or infinity in its vector
    double meanNorm = std::numeric_limits<double>::quiet_NaN();
    Interval meanNormCi95;                                        ///< over documents
    double meanCosine = std::numeric_limits<double>::quiet_NaN(); ///< of pairs of different documents
    Interval meanCosineCi95;                                      ///< jackknife by document

    std::optional<CardLens> lens;
    std::optional<CardAttention> attention;
    std::optional<CardDirections> directions;
    std::optional<CardTopics> topics;
    std::optional<CardSimilarity> similar;
    std::optional<CardProbe> probe;
    std::optional<CardCut> cut;
    std::optional<CardAblation> ablation;
    std::optional<CardPartners> partners;
    std::vector<CardGap> gaps;

    Origin origin{};
};

} // namespace headscope
