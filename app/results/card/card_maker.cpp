// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/card/card_maker.h"

#include "app/results/card/card_measures.h"
#include "app/results/card/card_model_parts.h"
#include "model/analysis/geometry/layer_similarity.h"
#include "model/analysis/probe/probe.h"
#include "model/analysis/topics/topic_favour.h"
#include "model/analysis/words/word_contrast.h"
#include "model/base/size_of.h"
#include "model/base/text/one_line.h"
#include "model/data/matrix_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope
{
namespace
{

constexpr Stage kStage = Stage::HeadOutput;
constexpr std::int64_t kMinDocuments = 2; ///< of a word that is compared
constexpr double kSmallQ = 0.05;
constexpr std::size_t kTextCharacters = 200; ///< of a document's beginning

/// Why an analysis gave nothing, as a sentence; its other errors are errors of the card.
Result<std::string> reasonOf(Error error)
{
    if (error.code != ErrorCode::InvalidArgument && error.code != ErrorCode::ShapeMismatch)
        return error;
    return asSentence(std::move(error.message));
}

/// The words of both ends that are used there: one that only other texts use may have a z, too, as the ends are of
/// unequal length.
void takeWords(const WordContrast& contrast, std::size_t most, CardDirection& direction)
{
    const auto take = [most](const ContrastWord& word, std::int64_t uses, CardEnd& end) {
        if (uses > 0 && end.words.size() < most)
            end.words.push_back(word);
    };
    for (const ContrastWord& word : contrast.words)
        if (word.z > 0)
            take(word, word.highCount, direction.high);
    for (auto word = contrast.words.rbegin(); word != contrast.words.rend(); ++word)
        if (word->z < 0)
            take(*word, word->lowCount, direction.low);
}

} // namespace

Result<CardMaker> CardMaker::create(CacheInput input, InputOptions choices, CardOptions options, int numThreads,
                                    JobContext& job)
{
    CardMaker maker;
    maker.m_input = std::move(input);
    maker.m_choices = std::move(choices);
    maker.m_options = options;
    maker.m_numThreads = numThreads;
    for (const VectorsInfo& each : maker.m_input.cache->info().embeddings)
        if (each.stage == kStage)
            maker.m_layers.push_back(each.layer);
    std::ranges::sort(maker.m_layers);
    if (maker.m_layers.empty())
        return Error{ErrorCode::InvalidArgument,
                     "expected vectors of stage 1, the outputs of the heads, found none in this cache",
                     maker.m_input.cache->path().string(),
                     {}};
    const DocumentSet& documents = *maker.m_input.documents;
    if (!documents.texts.empty())
    {
        std::vector<std::string> texts;
        for (const std::int64_t row : maker.m_input.rows)
            texts.push_back(documents.texts[sizeOf(row)]);
        HEADSCOPE_TRY(maker.m_words, countWords(texts, kMinDocuments, numThreads, job));
    }
    if (documents.labels.empty() && maker.m_choices.label.empty())
        maker.m_noLabels = "The cache has no labels.";
    else if (auto chosen = loadLabels(maker.m_input, maker.m_choices); chosen)
    {
        maker.m_labels = std::move(chosen->labels);
        std::vector<std::int32_t> codes;
        for (const std::int64_t row : maker.m_input.rows)
            codes.push_back(maker.m_labels->codes[sizeOf(row)]);
        maker.m_labels->codes = std::move(codes);
    }
    else if (!maker.m_choices.label.empty())
        return std::move(chosen).error();
    else
    {
        HEADSCOPE_TRY(maker.m_noLabels, reasonOf(std::move(chosen).error()));
    }
    return maker;
}

Result<std::shared_ptr<const HeadVectors>> CardMaker::vectorsOf(LayerIndex layer, JobContext& job)
{
    auto& kept = m_vectors[layer.value()];
    if (kept == nullptr)
    {
        JobContext inner(job.stopToken());
        HEADSCOPE_TRY(const auto all, m_input.cache->load(layer, kStage, {}, inner));
        kept = std::ssize(m_input.rows) < all->documents() ? takeRows(all, m_input.rows) : all;
    }
    return kept;
}

Status CardMaker::addTopicData(CardLayer& of, LayerIndex layer, JobContext& job)
{
    if (!m_labels)
    {
        of.noTopics = m_noLabels;
        return {};
    }
    InputOptions choices = m_choices;
    // Without vectors of the names, topics are the means of their documents.
    if (!m_input.cache->hasTopics(m_labels->name, layer, kStage))
        choices.topics.kind = TopicVectorKind::Centroids;
    JobContext inner(job.stopToken());
    auto data = loadTopicData(m_input, choices, layer, kStage, inner, false, m_numThreads);
    if (data && std::ranges::none_of(data->labels.codes, [](std::int32_t code) { return code >= 0; }))
        of.noTopics = "None of the documents has a label.";
    else if (data)
        of.topics = std::move(*data);
    else
    {
        HEADSCOPE_TRY(of.noTopics, reasonOf(std::move(data).error()));
    }
    return {};
}

Status CardMaker::addProbe(CardLayer& of, LayerIndex layer, JobContext& job) const
{
    if (of.vectors->heads() < 2)
    {
        of.noProbe = "The layer has one head, so there is nothing to distinguish it from.";
        return {};
    }
    const std::vector<std::int64_t> heads = allIndices(of.vectors->heads());
    const HeadPoints points = gatherPoints(*of.vectors, allIndices(of.vectors->documents()), heads, m_numThreads);
    ProbeOptions options;
    options.seed = m_options.seed;
    JobContext inner(job.stopToken());
    auto probe = probeHeads(points, heads, m_input.model().groupSize(), kStage, layer, options, m_numThreads, inner);
    if (probe)
        of.probe = std::move(*probe);
    else
    {
        HEADSCOPE_TRY(of.noProbe, reasonOf(std::move(probe).error()));
    }
    return {};
}

Result<const CardLayer*> CardMaker::layerOf(LayerIndex layer, JobContext& job)
{
    if (const auto known = m_made.find(layer.value()); known != m_made.end())
        return &known->second;
    CardLayer of;
    HEADSCOPE_TRY(of.vectors, vectorsOf(layer, job));
    HEADSCOPE_CHECK(addTopicData(of, layer, job));
    HEADSCOPE_CHECK(addProbe(of, layer, job));
    return &m_made.emplace(layer.value(), std::move(of)).first->second;
}

Status CardMaker::compareAll(JobContext& job)
{
    std::vector<std::shared_ptr<const HeadVectors>> layers;
    for (const LayerIndex layer : m_layers)
    {
        HEADSCOPE_TRY(auto vectors, vectorsOf(layer, job));
        layers.push_back(std::move(vectors));
    }
    auto similarity = layerSimilarity(layers, allIndices(layers.front()->heads()), m_numThreads, job);
    if (similarity)
        m_similarity = std::move(*similarity);
    else if (similarity.error().code != ErrorCode::InvalidArgument)
        return std::move(similarity).error();
    return {};
}

void CardMaker::addPlace(HeadCard& card, const CardLayer& of) const
{
    card.model = m_input.model();
    card.cache = m_input.cache->path().filename().string();
    card.pooling = m_input.cache->info().header.pooling;
    card.documents = of.vectors->documents();
    card.origin = m_input.cache->origin();
    addLengths(card, of);
}

CardEnd CardMaker::endOf(std::span<const std::int64_t> documents, const VectorDirection& direction) const
{
    const DocumentSet& all = *m_input.documents;
    CardEnd end;
    std::vector<std::int64_t> counts(m_labels ? m_labels->categories.size() : 0);
    for (const std::int64_t document : documents)
    {
        const std::int32_t code = m_labels ? m_labels->codes[sizeOf(document)] : -1;
        if (code >= 0)
            ++counts[static_cast<std::size_t>(code)];
        if (std::ssize(end.documents) >= m_options.documents)
            continue;
        const std::int64_t row = m_input.rows[sizeOf(document)];
        end.documents.push_back(
            {.id = all.ids[sizeOf(row)],
             .label = code >= 0 ? m_labels->categories[static_cast<std::size_t>(code)] : std::string(),
             .text = all.texts.empty() ? std::string() : beginningOnOneLine(all.texts[sizeOf(row)], kTextCharacters),
             .score = direction.scores[sizeOf(document)]});
    }
    if (const auto most = std::ranges::max_element(counts); most != counts.end() && *most > 0)
    {
        end.label = m_labels->categories[sizeOf(most - counts.begin())];
        end.ofLabel = *most;
    }
    return end;
}

Status CardMaker::addDirections(HeadCard& card, const CardLayer& of, JobContext& job)
{
    auto found = vectorDirections(of.vectors->head(card.head), m_options.directions, m_numThreads, job);
    if (!found)
    {
        HEADSCOPE_TRY(std::string why, reasonOf(std::move(found).error()));
        card.gaps.push_back({CardPart::Directions, std::move(why), {}});
        return {};
    }
    CardDirections directions{.documents = found->documents, .varies = found->varies, .directions = {}, .noWords = {}};
    if (!m_words)
        directions.noWords = "The cache has no texts, so no words can be compared.";
    for (const VectorDirection& each : found->directions)
    {
        CardDirection direction;
        direction.share = each.share;
        direction.shareCi95 = each.shareCi95;
        direction.endDocuments = std::ssize(each.high);
        direction.high = endOf(each.high, each);
        direction.low = endOf(each.low, each);
        for (std::int64_t document = 0; document < of.vectors->documents(); ++document)
            if (std::isfinite(each.scores[sizeOf(document)]))
            {
                direction.scores.push_back(each.scores[sizeOf(document)]);
                direction.codes.push_back(m_labels ? m_labels->codes[sizeOf(document)] : -1);
            }
        if (m_words)
        {
            const WordContrast contrast = contrastWords(*m_words, each.high, each.low);
            direction.vocabulary = std::ssize(contrast.words);
            direction.separating =
                std::ranges::count_if(contrast.words, [](const ContrastWord& word) { return word.q < kSmallQ; });
            takeWords(contrast, sizeOf(m_options.words), direction);
        }
        directions.directions.push_back(std::move(direction));
    }
    card.directions = std::move(directions);
    return {};
}

Status CardMaker::addTopics(HeadCard& card, const CardLayer& of, JobContext& job) const
{
    if (!of.topics)
    {
        card.gaps.push_back(
            {CardPart::Topics, of.noTopics,
             m_input.documents->labels.size() > 1
                 ? "Choose one with --label."
                 : "Labels come with headscope extract --label-columns, or in the window by Join labels."});
        return {};
    }
    HEADSCOPE_TRY(std::vector<TopicFavour> favours, topicFavours(of.topics->input(), card.head, job));
    card.topics = CardTopics{.label = of.topics->labels.name,
                             .vectorsText = of.topics->vectorsText,
                             .names = of.topics->labels.categories,
                             .favours = std::move(favours)};
    return {};
}

Status CardMaker::addSimilar(HeadCard& card, const CardLayer& of, JobContext& job)
{
    CardSimilarity similarity{.documents = card.documents - card.leftOut, .heads = -1, .layers = 0, .nearest = {}};
    std::vector<CardSimilarHead> all;
    for (std::size_t layer = 0; layer < m_layers.size(); ++layer)
    {
        std::vector<double> row;
        if (m_similarity)
        {
            const auto heads = std::ssize(m_similarity->heads);
            const auto own = std::ranges::find(m_layers, card.layer) - m_layers.begin();
            for (std::int64_t head = 0; head < heads; ++head)
                row.push_back(m_similarity->headCka(own * heads + card.head.value(),
                                                    static_cast<std::int64_t>(layer) * heads + head));
        }
        else
        {
            HEADSCOPE_TRY(const auto vectors, vectorsOf(m_layers[layer], job));
            auto found = similarityToHead(*of.vectors, card.head, vectors, m_numThreads, job);
            if (!found)
            {
                HEADSCOPE_TRY(std::string why, reasonOf(std::move(found).error()));
                card.gaps.push_back({CardPart::Similar, std::move(why), {}});
                return {};
            }
            row = std::move(*found);
        }
        ++similarity.layers;
        similarity.heads += std::ssize(row);
        for (std::size_t head = 0; head < row.size(); ++head)
            if (std::isfinite(row[head]) && (m_layers[layer] != card.layer || head != card.head.index()))
                all.push_back({m_layers[layer], HeadIndex(static_cast<std::int64_t>(head)), row[head], {}});
    }
    std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.cka > b.cka; });
    all.resize(std::min(all.size(), sizeOf(m_options.similar)));
    std::vector<std::shared_ptr<const HeadVectors>> layers;
    for (const CardSimilarHead& each : all)
    {
        HEADSCOPE_TRY(auto vectors, vectorsOf(each.layer, job));
        layers.push_back(std::move(vectors));
    }
    HEADSCOPE_CHECK(addIntervals(all, *of.vectors, card.head, layers, m_numThreads, job));
    similarity.nearest = std::move(all);
    card.similar = std::move(similarity);
    return {};
}

Status CardMaker::check(LayerIndex layer, HeadIndex head) const
{
    if (!std::ranges::binary_search(m_layers, layer))
    {
        std::vector<std::int64_t> numbers;
        for (const LayerIndex each : m_layers)
            numbers.push_back(each.value());
        return Error{
            ErrorCode::InvalidArgument,
            fmt::format("expected a layer of this cache ({}), found {}", fmt::join(numbers, ", "), layer.value()),
            m_input.cache->path().string(), "--layer"};
    }
    if (const std::int64_t heads = m_input.model().heads; head.value() < 0 || head.value() >= heads)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected a head from 1 to {}, found {}", heads, head.value() + 1),
                     m_input.cache->path().string(), "--head"};
    return {};
}

Result<HeadCard> CardMaker::card(LayerIndex layer, HeadIndex head, JobContext& job)
{
    HEADSCOPE_CHECK(check(layer, head));
    HEADSCOPE_TRY(const CardLayer* of, layerOf(layer, job));
    HeadCard card;
    card.layer = layer;
    card.head = head;
    addPlace(card, *of);
    HEADSCOPE_CHECK(addDirections(card, *of, job));
    HEADSCOPE_CHECK(addTopics(card, *of, job));
    HEADSCOPE_CHECK(addSimilar(card, *of, job));
    addProbeOf(card, *of);
    HEADSCOPE_CHECK(addCut(card, *of, m_options.seed, m_numThreads, job));
    return card;
}

} // namespace headscope
