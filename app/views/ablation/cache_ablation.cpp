// SPDX-License-Identifier: GPL-3.0-or-later
// What the cached vectors say of a head that is cut out of them.
#include "app/results/topic_loading.h"
#include "app/views/ablation/measure_importance.h"
#include "model/analysis/heads/head_set_measures.h"
#include "model/analysis/importance/player_values.h"
#include "model/data/head_vectors.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// The heads of every player. [players][members]
std::vector<std::vector<std::int64_t>> playersOf(const ModelInfo& model, bool groups)
{
    const std::int64_t size = groups ? std::max<std::int64_t>(1, model.groupSize()) : 1;
    std::vector<std::vector<std::int64_t>> players(static_cast<std::size_t>(model.heads / size));
    for (std::int64_t head = 0; head < model.heads; ++head)
        players[static_cast<std::size_t>(head / size)].push_back(head);
    return players;
}

double square(std::span<const float> vector)
{
    return std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0, std::plus(),
                              [](float a, float b) { return static_cast<double>(a) * static_cast<double>(b); });
}

Result<CacheAblation> addEstimates(ImportanceMeasure measure, const MatrixD& rows, std::uint64_t seed, JobContext& job)
{
    CacheAblation values{measure, rows.cols(), {}};
    HEADSCOPE_TRY(values.lost,
                  meansOverDocuments(rows, std::vector<bool>(static_cast<std::size_t>(rows.rows()), true), seed, job));
    return values;
}

/// 1 - the cosine of all heads one after another with the same without a player.
Result<CacheAblation> cosineCuts(const HeadVectors& vectors, const std::vector<std::int64_t>& documents,
                                 const std::vector<std::vector<std::int64_t>>& players, std::uint64_t seed,
                                 JobContext& job)
{
    MatrixD rows(std::ssize(players), std::ssize(documents));
    for (std::int64_t column = 0; column < rows.cols(); ++column)
    {
        HEADSCOPE_CHECK(job.checkStop());
        const DocumentIndex document(documents[static_cast<std::size_t>(column)]);
        const double whole = square(vectors.full(document));
        for (std::int64_t row = 0; row < rows.rows(); ++row)
        {
            double part = 0;
            for (const std::int64_t head : players[static_cast<std::size_t>(row)])
                part += square(vectors.vector(document, HeadIndex(head)));
            rows(row, column) = whole > 0 ? 1 - std::sqrt(std::max(0.0, 1 - part / whole)) : 0;
        }
    }
    return addEstimates(ImportanceMeasure::Cosine, rows, seed, job);
}

/// Match at 1 with all heads less that without a player.
Result<CacheAblation> matchCuts(const HeadMatch& match, const std::vector<std::vector<std::int64_t>>& players,
                                const ImportanceRequest& ask, JobContext& job)
{
    std::vector<std::vector<std::int64_t>> flips(1);
    flips.insert(flips.end(), players.begin(), players.end());
    const std::vector<bool> all(static_cast<std::size_t>(match.heads()), true);
    HEADSCOPE_TRY(const auto scores, match.scores(all, flips, ask.threads, job));
    MatrixD rows(std::ssize(players), match.scored());
    for (std::int64_t row = 0; row < rows.rows(); ++row)
        std::ranges::transform(scores.front(), scores[static_cast<std::size_t>(row + 1)], rows.row(row).begin(),
                               [](std::int32_t with, std::int32_t without) {
                                   return static_cast<double>(with) - static_cast<double>(without);
                               });
    return addEstimates(ImportanceMeasure::Match, rows, ask.seed, job);
}

/// The labels of these documents alone; the others have none.
std::vector<std::int32_t> codesOf(const LabelColumn& column, const std::vector<std::int64_t>& documents)
{
    std::vector<std::int32_t> codes(column.codes.size(), -1);
    for (const std::int64_t document : documents)
        codes[static_cast<std::size_t>(document)] = column.codes[static_cast<std::size_t>(document)];
    return codes;
}

} // namespace

Result<std::vector<CacheAblation>> cutValues(const ImportanceRequest& ask, const std::vector<std::int64_t>& documents,
                                             std::string& missing, JobContext& job)
{
    std::vector<CacheAblation> cuts;
    CacheReader& reader = *ask.reader;
    const ModelInfo& model = reader.info().header.model;
    const VectorsInfo* there = reader.find(ask.layer(), Stage::HeadOutput);
    if (there == nullptr || there->heads != model.heads)
    {
        missing = "The cache has no stage 1 of this layer, so there are no head vectors to set to zero.";
        return cuts;
    }
    HEADSCOPE_TRY(const auto vectors, reader.load(ask.layer(), Stage::HeadOutput, {}, job));
    const auto players = playersOf(model, ask.byGroups());
    HEADSCOPE_TRY(auto cosines, cosineCuts(*vectors, documents, players, ask.seed, job));
    cuts.push_back(std::move(cosines));
    const LabelColumn* labels = ask.labels.column.empty() ? nullptr : ask.labels.documents->label(ask.labels.column);
    const std::string column = labels == nullptr ? std::string() : ask.labels.topicColumn;
    if (auto lack =
            whyNoTopics(reader, column, ask.layer(), Stage::HeadOutput, "the match after cache-only ablation is"))
    {
        missing = std::move(*lack);
        return cuts;
    }
    HEADSCOPE_TRY(const auto loaded, loadTopics(reader, ask.layer(), Stage::HeadOutput, ask.labels.topicChoice(), job));
    HEADSCOPE_TRY(const auto match, HeadMatch::create(*vectors, *loaded.topics.vectors, codesOf(*labels, documents), 1,
                                                      ask.threads, job));
    if (match.labelled() == 0)
        return cuts;
    HEADSCOPE_TRY(auto matches, matchCuts(match, players, ask, job));
    cuts.push_back(std::move(matches));
    return cuts;
}

} // namespace headscope::desktop
