// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/atlas/measure_attention.h"

#include "app/cli/retrieval_input.h"
#include "app/commands/command_line.h"
#include "app/shell/request_params.h"
#include "model/analysis/statistics/draws.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headscope::desktop
{
namespace
{

using Json = nlohmann::json;

/// What is told of documents, and of ids that are given twice: on natural text common words repeat for other reasons.
constexpr std::array<std::string_view, 7> kOfDocuments = {
    "entropy", "entropy_causal", "first_token", "previous_token", "self_token", "confidence", "largest"};
constexpr std::array<std::string_view, 2> kOfRandomIds = {"induction", "duplicate_token"};

/// Sums over texts of one measure, [L, H].
class Means
{
public:
    Means(std::string_view key, std::int64_t layers, std::int64_t heads)
        : m_measure(measureOf(key, Stage::HeadOutput, layers, heads)), m_sum(layers, heads), m_squares(layers, heads),
          m_count(layers, heads)
    {}

    [[nodiscard]] const std::string& key() const { return m_measure.key; }
    void add(std::int64_t layer, std::int64_t head, double value)
    {
        // Welford's: weights near 1 differ by little.
        const double n = m_count(layer, head) += 1;
        const double before = value - m_sum(layer, head);
        m_sum(layer, head) += before / n;
        m_squares(layer, head) += before * (value - m_sum(layer, head));
    }
    [[nodiscard]] HeadMeasure take(const AtlasAttentionRequest& request, std::int64_t texts) const
    {
        constexpr double kOf95 = 1.959963984540054;
        constexpr double kFewest = 10; // texts, of which an interval says something
        HeadMeasure measure = m_measure;
        measure.low = measure.high = noValues(m_sum.rows(), m_sum.cols());
        for (std::int64_t layer = 0; layer < m_sum.rows(); ++layer)
            for (std::int64_t head = 0; head < m_sum.cols(); ++head)
            {
                const double n = m_count(layer, head);
                if (n < 1)
                    continue;
                measure.value(layer, head) = m_sum(layer, head);
                if (n < kFewest)
                    continue;
                const double error = kOf95 * std::sqrt(m_squares(layer, head) / (n * (n - 1)));
                measure.low(layer, head) = m_sum(layer, head) - error;
                measure.high(layer, head) = m_sum(layer, head) + error;
            }
        measure.count = texts;
        measure.origin = request.origin;
        return measure;
    }

private:
    HeadMeasure m_measure;
    MatrixD m_sum; ///< mean so far
    MatrixD m_squares;
    MatrixD m_count;
};

template <std::size_t N>
std::vector<Means> meansOf(const std::array<std::string_view, N>& keys, const ModelInfo& info)
{
    std::vector<Means> means;
    for (const std::string_view key : keys)
        means.emplace_back(key, info.layers, info.heads);
    return means;
}

Error badAnswer(const std::string& what)
{
    return {ErrorCode::BadFormat,
            "expected attention statistics for every layer and head of the model, found too few or too many",
            {},
            what};
}

/// Adds the statistics of one answer. NaN (null) is a head that the text says nothing of.
Status addTo(std::vector<Means>& means, const Json& answer, const ModelInfo& info)
{
    const Json statistics = answer.value("statistics", Json::object());
    const Json layers = statistics.value("layers", Json::array());
    for (Means& each : means)
    {
        const Json rows = statistics.value(each.key(), Json());
        if (!rows.is_array() || !layers.is_array() || rows.size() != layers.size())
            return badAnswer(each.key());
        for (std::size_t row = 0; row < rows.size(); ++row)
        {
            if (!layers[row].is_number_integer() || layers[row].get<std::int64_t>() < 0 ||
                layers[row].get<std::int64_t>() >= info.layers || !rows[row].is_array() ||
                std::ssize(rows[row]) != info.heads)
                return badAnswer(each.key());
            for (std::size_t head = 0; head < rows[row].size(); ++head)
                if (const Json& value = rows[row][head]; value.is_number())
                    each.add(layers[row].get<std::int64_t>(), static_cast<std::int64_t>(head), value.get<double>());
        }
    }
    return {};
}

/// Whose weights answered.
Status checkModel(const Json& answer, const AtlasAttentionRequest& request)
{
    ModelInfo asking;
    asking.name = answer.value("model", "");
    const Json digests = answer.value("sha256", Json::object());
    for (const auto& [file, digest] : digests.items())
        if (digest.is_string())
            asking.sha256.emplace_back(file, digest.get<std::string>());
    if (const std::string notice = cli::otherModelNotice(request.info, asking); !notice.empty())
        return Error{ErrorCode::InvalidArgument,
                     "expected the model that made the cache, found a model with other weights",
                     request.command.model,
                     {}};
    return {};
}

/// The statistics of a text or of ids, with what the job still reports kept quiet.
Result<Json> answerTo(const AskAttention& ask, commands::AttentionCommand command, JobContext& job)
{
    command.statistics = true;
    command.noWeights = true;
    JobContext quiet(job.stopToken());
    return ask(shell::requestParams(commands::CommandLine<commands::AttentionCommand>{std::move(command), {}}), quiet);
}

std::string joined(const std::vector<std::int32_t>& ids)
{
    std::string text;
    for (const std::int32_t id : ids)
        text += (text.empty() ? "" : ",") + std::to_string(id);
    return text;
}

} // namespace

std::vector<std::int32_t> repeatedIds(std::int64_t vocabulary, std::int64_t count, std::int64_t text,
                                      std::uint64_t seed)
{
    const std::int64_t first = vocabulary / 10;
    const std::int64_t room = std::max<std::int64_t>(1, vocabulary - 2 * first);
    const Draws draws(seed);
    std::vector<std::int32_t> ids;
    for (std::int64_t i = 0; i < count; ++i)
        ids.push_back(
            static_cast<std::int32_t>(first + draws.below(static_cast<std::uint64_t>(text * count + i), room)));
    ids.insert(ids.end(), ids.begin(), ids.begin() + count);
    return ids;
}

Result<std::vector<HeadMeasure>> measureAttention(const AskAttention& ask, const AtlasAttentionRequest& request,
                                                  JobContext& job)
{
    if (request.rows.empty())
        return Error{ErrorCode::InvalidArgument, "the documents have no texts", {}, {}};
    std::vector<Means> ofDocuments = meansOf(kOfDocuments, request.info);
    std::vector<Means> ofRandom = meansOf(kOfRandomIds, request.info);
    const std::int64_t randomTexts = request.info.vocabulary > 0 ? request.randomTexts : 0;
    const auto steps = static_cast<std::uint64_t>(std::ssize(request.rows) + randomTexts);
    std::uint64_t done = 0;
    for (const std::int64_t row : request.rows)
    {
        job.report("attention", done, steps, "texts");
        commands::AttentionCommand command = request.command;
        command.text = request.documents->texts[static_cast<std::size_t>(row)];
        HEADSCOPE_TRY(const Json answer, answerTo(ask, std::move(command), job));
        if (done++ == 0)
            HEADSCOPE_CHECK(checkModel(answer, request));
        HEADSCOPE_CHECK(addTo(ofDocuments, answer, request.info));
        HEADSCOPE_CHECK(job.checkStop());
    }
    for (std::int64_t text = 0; text < randomTexts; ++text)
    {
        job.report("attention on random ids", done++, steps, "texts");
        commands::AttentionCommand command = request.command;
        command.ids = joined(repeatedIds(request.info.vocabulary, request.randomIds, text, request.seed));
        HEADSCOPE_TRY(const Json answer, answerTo(ask, std::move(command), job));
        HEADSCOPE_CHECK(addTo(ofRandom, answer, request.info));
        HEADSCOPE_CHECK(job.checkStop());
    }
    std::vector<HeadMeasure> measures;
    for (const Means& each : ofDocuments)
    {
        measures.push_back(each.take(request, std::ssize(request.rows)));
        measures.back().allCount = request.of;
        measures.back().intervalMethod = "normal approximation over documents";
        measures.back().source =
            fmt::format("attention on documents of this cache, sampled with seed {}", request.seed);
    }
    for (const Means& each : ofRandom)
    {
        if (randomTexts == 0)
            break;
        measures.push_back(each.take(request, randomTexts));
        measures.back().counted = "random texts";
        measures.back().intervalMethod = "normal approximation over random texts";
        measures.back().source =
            fmt::format("attention on {} random ids repeated once, seed {}", request.randomIds, request.seed);
    }
    return measures;
}

} // namespace headscope::desktop
