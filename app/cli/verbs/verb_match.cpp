// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_notices.h"
#include "app/cli/figure_files.h"
#include "app/cli/pooling.h"
#include "app/cli/verb.h"
#include "app/cli/verbs/match_picture.h"
#include "app/commands/match_command.h"
#include "app/commands/prune_command.h"
#include "app/frames/frame_json.h"
#include "app/results/cache_input.h"
#include "app/results/frame_output.h"
#include "app/results/label_presence.h"
#include "app/results/provenance.h"
#include "app/results/smallest_q.h"
#include "app/results/topics/match_frame.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/permutations.h"
#include "model/analysis/topics/prepared_topics.h"
#include "model/analysis/topics/topics.h"
#include "model/base/text/fixed_text.h"
#include "model/data/frame/frame_text.h"
#include "model/data/frame/method_names.h"
#include "model/data/frame/text_table.h"
#include "model/data/key_sharing.h"
#include "model/data/results/head_measures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace headscope::cli
{
namespace
{

std::vector<std::int64_t> hitsOf(const MatchResult& result, std::int64_t row)
{
    const auto hits = result.hits.row(row);
    return {hits.begin(), hits.end()};
}

std::vector<PermutationNull> nullOf(const MatchResult& result, std::int64_t row)
{
    if (result.null.empty())
        return {};
    const auto null = result.null.row(row);
    return {null.begin(), null.end()};
}

/// q of the heads at each k, over the heads that are shown.
void addFalseDiscoveryRates(std::vector<MatchRow>& rows, std::size_t kCount)
{
    for (MatchRow& row : rows)
        if (row.head && !row.null.empty())
            row.q.resize(kCount);
    for (std::size_t k = 0; k < kCount; ++k)
    {
        std::vector<double> p;
        for (const MatchRow& row : rows)
            if (!row.q.empty())
                p.push_back(row.null[k].p);
        const auto q = benjaminiHochberg(p);
        std::size_t at = 0;
        for (MatchRow& row : rows)
            if (!row.q.empty())
                row.q[k] = q[at++];
    }
}

/// The rows' q, [1 + H, K]; NaN where a row has none, and where nothing could be otherwise.
MatrixD qOf(const std::vector<MatchRow>& rows, const MatchResult& result)
{
    MatrixD q = noValues(result.hits.rows(), result.hits.cols());
    for (const MatchRow& row : rows)
        for (std::size_t k = 0; row.head && k < row.q.size(); ++k)
            if (result.k[k] < result.topics)
                q(1 + *row.head, static_cast<std::int64_t>(k)) = row.q[k];
    return q;
}

class MatchVerb : public VerbOf<commands::MatchCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_command.input.check());
        m_picture = viz::figureFormat(m_command.output).has_value();
        if (!m_picture)
            HEADSCOPE_CHECK(checkTableOutput(m_command.output, common, OutputKinds::TablesAndFigures));
        HEADSCOPE_CHECK(FigureFiles::check(m_command.output, m_command.figure, common, figureRecipe(common).inputs));
        const bool allPools = m_command.pool == std::vector<std::string>{"all"};
        if (allPools)
            m_command.pool = {"concat", "mean", "score", "best:4", "groups"};
        std::vector<HeadPooling> poolings;
        for (const std::string& name : m_command.pool)
        {
            HEADSCOPE_TRY(poolings.emplace_back(), poolingFromText(name));
        }
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_command.input, job));
        HEADSCOPE_CHECK(oneLayerAndStage(input, "match"));
        if (allPools && !hasKvGroups(input.model(), input.stages.front()))
        {
            // Of groups of one head the pool is that of all heads one after another, and segments belong to none.
            poolings.pop_back();
            m_command.pool.pop_back();
        }
        HEADSCOPE_TRY(const TopicData data,
                      loadTopicData(input, m_command.input, input.layers.front(), input.stages.front(), job));
        HEADSCOPE_TRY(const auto heads, input.headsOf(*data.documents, m_command.input.heads));
        for (std::size_t i = 0; allPools && i < poolings.size(); ++i)
            if (poolings[i].kind == PoolingKind::Best && poolings[i].best > std::ssize(heads))
            {
                // A mask or --heads may leave fewer than the four that nobody asked for.
                poolings[i].best = std::ssize(heads);
                m_command.pool[i] = fmt::format("best:{}", poolings[i].best);
            }
        m_labels = labelPresence(data.labels);
        m_maskIsChosen = choseHere(input, data);
        m_unit = unitName(input.stages.front());
        TopicInput topicInput = data.input();
        auto result = measured(topicInput, common, job);
        if (!result)
            return std::move(result).error().inFile(m_command.input.cache);
        std::vector<MatchRow> rows = {
            {"full", {}, result->measured[0], hitsOf(*result, 0), {}, false, nullOf(*result, 0), {}}};
        for (std::size_t i = 0; i < poolings.size(); ++i)
        {
            HEADSCOPE_TRY(PooledPair pooled, poolHeads(poolings[i], data, input.model(), heads, *result, input.rows,
                                                       common.numThreads(), job));
            HEADSCOPE_TRY(const MatchResult match, matchOfPool(pooled, topicInput, common, job));
            // The best heads were chosen by the same labels: shuffled ones would have chosen others.
            const bool chosenByLabels =
                (poolings[i].kind == PoolingKind::Best && poolings[i].best < std::ssize(heads)) || m_maskIsChosen;
            rows.push_back({m_command.pool[i],
                            {},
                            match.measured[1],
                            hitsOf(match, 1),
                            pooled.heads,
                            chosenByLabels,
                            chosenByLabels ? std::vector<PermutationNull>() : nullOf(match, 1),
                            {}});
        }
        for (const std::int64_t head : heads)
            rows.push_back({fmt::format("{} {}", unitName(input.stages.front()), shownNumber(HeadIndex(head))),
                            head,
                            result->measured[static_cast<std::size_t>(1 + head)],
                            hitsOf(*result, 1 + head),
                            {},
                            m_maskIsChosen,
                            m_maskIsChosen ? std::vector<PermutationNull>() : nullOf(*result, 1 + head),
                            {}});
        addFalseDiscoveryRates(rows, m_command.match.k.size());
        const Provenance provenance = provenanceOf(input, data, *result, common);
        HEADSCOPE_TRY(Answer answer, answerFor(*result, rows, data.vectorsText, provenance));
        answer.text = headingOf(*data.documents) + "; " + answer.text;
        answer.notices = data.notices;
        const auto more = topicNotices(data);
        answer.notices.insert(answer.notices.end(), more.begin(), more.end());
        if (m_maskIsChosen)
            answer.notices.push_back(maskNotice(*input.mask));
        if (result->alone > 0)
            answer.notices.push_back(fmt::format("{} excluded: no other document has the same label, so the label has "
                                                 "no centroid without the document itself",
                                                 result->alone == 1 ? std::string("1 document is")
                                                                    : fmt::format("{} documents are", result->alone)));
        if (m_picture)
        {
            TopicMatch match;
            match.q = qOf(rows, *result);
            match.vectorsText = data.vectorsText;
            match.headsAreChosen = m_maskIsChosen;
            match.unequalMajority = m_labels.isUnequal() ? m_labels.majority() : 0;
            match.result = std::move(*result);
            HEADSCOPE_CHECK(writePicture(std::move(match), input, heads, provenance, common, answer, job));
        }
        return answer;
    }

private:
    /// Whether the mask was chosen by labels on these very vectors.
    [[nodiscard]] bool choseHere(const CacheInput& input, const TopicData& data) const
    {
        return input.mask && !input.mask->inputHash.empty() && m_command.input.documents.empty() &&
               input.mask->inputHash == hashOfVectors(std::array{data.documents.get(), data.topics.vectors.get()});
    }

    [[nodiscard]] static std::string maskNotice(const HeadMask& mask)
    {
        return fmt::format("the mask was selected by {} on these documents: matches of its heads, together or alone, "
                           "are optimistically biased and have no interval or p{}",
                           mask.measure.empty() ? std::string("labels") : commands::measureName(mask.measure),
                           mask.validated ? fmt::format("; orders found on half of the documents change the match by "
                                                        "{} on the other half",
                                                        signedText(mask.validated->elsewhere, 4))
                                          : std::string());
    }

    [[nodiscard]] Provenance provenanceOf(const CacheInput& input, const TopicData& data, const MatchResult& result,
                                          const CommonOptions& common) const
    {
        Provenance provenance("match", input, m_command.input);
        provenance.setLabel(data.labels.name);
        tell(provenance, common, {"k", "pool"});
        provenance.add("topics", data.vectorsText);
        tell(provenance, common, {"permutations", "seed"});
        provenance.setInputHash(result.inputHash);
        return provenance;
    }

    [[nodiscard]] Status writePicture(TopicMatch match, const CacheInput& input, const std::vector<std::int64_t>& heads,
                                      const Provenance& provenance, const CommonOptions& common, Answer& answer,
                                      JobContext& job) const
    {
        HEADSCOPE_TRY(FigureFiles files, FigureFiles::create(m_command.output, m_command.figure, common,
                                                             figureRecipe(common), provenance, input.cache.get(), job));
        HEADSCOPE_CHECK(files.draw(matchPicture(std::move(match), input, heads)));
        return files.finish(answer, [&](const std::filesystem::path& path) {
            return writeFrameFile(path, m_table, provenance, {}, csvTexts(m_command.plainCsv));
        });
    }

    /// Match with its null.
    [[nodiscard]] Result<MatchResult> measured(const TopicInput& input, const CommonOptions& common,
                                               JobContext& job) const
    {
        HEADSCOPE_TRY(MatchResult result, matchTopics(input, m_command.match.k, common.numThreads(), job));
        if (m_command.shuffles.permutations > 0 && m_labels.present > 1)
        {
            HEADSCOPE_TRY(result.null, matchNull(input, result, {m_command.shuffles.permutations, common.seed},
                                                 common.numThreads(), job));
        }
        return result;
    }

    /// Row 1 is that of the pooled vectors.
    [[nodiscard]] Result<MatchResult> matchOfPool(PooledPair& pooled, TopicInput input, const CommonOptions& common,
                                                  JobContext& job) const
    {
        Matrix<std::int64_t> members;
        if (input.members != nullptr)
        {
            ClassCentroids centroids = classCentroids(*pooled.documents, *input.labels, true, common.numThreads());
            const std::int64_t classes = centroids.members.cols();
            members = Matrix<std::int64_t>(2, classes);
            for (std::int64_t code = 0; code < classes; ++code)
                members(0, code) = members(1, code) = centroids.members(0, code);
            pooled.topics = std::move(centroids.vectors);
            input.members = &members;
        }
        input.documents = pooled.documents.get();
        input.topics = pooled.topics.get();
        const auto whole = [](const HeadVectors& all) {
            return ConstMatrixView(all.values().data(), all.documents(), all.heads() * all.dims());
        };
        input.fullDocuments = whole(*pooled.documents);
        input.fullTopics = whole(*pooled.topics);
        return measured(input, common, job);
    }

    [[nodiscard]] Result<Answer> answerFor(const MatchResult& result, const std::vector<MatchRow>& rows,
                                           const std::string& vectorsText, const Provenance& provenance)
    {
        const Frame table = matchFrame(rows, result);
        Answer answer;
        Json& json = *answer.json;
        json = nodeJson(factsOf(result, rows, vectorsText));
        Json pools = Json::array();
        const std::span<const MatchRow> all(rows);
        const auto heads = std::ranges::find_if(all, [](const MatchRow& row) { return row.head.has_value(); });
        const auto firstHead = static_cast<std::size_t>(heads - all.begin());
        json["full"] = frameJson(matchFrame(all.first(1), result)).front();
        for (std::size_t i = 1; i < firstHead; ++i)
            pools.push_back(pooledJson(all[i], frameJson(matchFrame(all.subspan(i, 1), result)).front()));
        if (!pools.empty())
        {
            json["pool"] = pools.front();
            json["pools"] = std::move(pools);
        }
        json["heads"] = frameJson(matchFrame(all.subspan(firstHead), result));
        json["output"] = textJson(m_command.output);
        provenance.writeTo(json);
        if (!m_command.output.empty() && !m_picture)
            HEADSCOPE_CHECK(writeFrameFile(m_command.output, table, provenance, {}, csvTexts(m_command.plainCsv)));
        answer.text = fmt::format("{} labelled documents, {} topics ({}); full: {}\n\n{}\n{}",
                                  withCommas(result.documents), result.topics, vectorsText, result.fullSource,
                                  frameText(shownMatchFrame(rows, result)), explanation(result));
        m_table = table;
        return answer;
    }

    /// What is said of all rows.
    [[nodiscard]] Members factsOf(const MatchResult& result, const std::vector<MatchRow>& rows,
                                  const std::string& vectorsText) const
    {
        Members chance;
        Members ofPresent;
        NodeList certain; // nothing could be otherwise
        for (const std::int64_t k : result.k)
        {
            const std::string key = fmt::format("top{}", k);
            chance.emplace_back(key, result.chance(k));
            ofPresent.emplace_back(key, m_labels.chance(k));
            if (k >= result.topics)
                certain.emplace_back(key);
        }
        const bool isTested = std::ranges::any_of(rows, [](const MatchRow& row) { return !row.null.empty(); });
        return {{"null", textOrNull(isTested ? kLabelsPermuted : "")},
                {"labels_present", m_labels.present},
                {"chance_of_present", ofPresent},
                {"certain", certain},
                {"documents", result.documents},
                {"topics", result.topics},
                {"k", NodeList(result.k.begin(), result.k.end())},
                {"topic_vectors", vectorsText},
                {"ci95_method", kWilson},
                {"chance", chance},
                {"permutations", m_command.shuffles.permutations},
                {"majority", m_labels.majority()}};
    }

    /// What the columns are.
    [[nodiscard]] std::string explanation(const MatchResult& result) const
    {
        std::vector<std::string> chances;
        for (const std::int64_t k : result.k)
            chances.push_back(fmt::format("{:.3f} (top {})", result.chance(k), k));
        std::string text = fmt::format(
            "top k: proportion of the documents whose true topic is among the k nearest topics by cosine; "
            "low and high: 95%, Wilson{}.\nChance is k of {} topics: {}.\n",
            m_command.input.topics.kind == TopicVectorKind::Centroids
                ? ", with the centroids as given: somewhat too narrow, because the centroids use the same documents"
                : "",
            result.topics, fmt::join(chances, ", "));
        text += presentText(m_labels, result.k, result.topics);
        if (m_labels.present == 1)
            text += "All these documents have one label: there is nothing to test.\n";
        text += majorityText(m_labels);
        if (std::ranges::any_of(result.k, [&](std::int64_t k) { return k >= result.topics; }))
            text += fmt::format("With k of {} or more, all topics are among the nearest: every document matches, and "
                                "there is nothing to test.\n",
                                result.topics);
        if (m_command.shuffles.permutations == 0)
            return text;
        std::vector<std::string> means;
        for (std::size_t k = 0; k < result.k.size() && !result.null.empty(); ++k)
            means.push_back(
                fmt::format("{:.3f} (top {})", result.null(0, static_cast<std::int64_t>(k)).mean, result.k[k]));
        text += fmt::format(
            "null: mean over permuted labels. p: (1 + permutations that match at least as often) / (1 + {}), with the "
            "labels permuted among these documents (seed in --json){}. With permuted labels, the full row matches {} "
            "on average.\nq: p over all {}s shown, after Benjamini and Hochberg.{}\n",
            m_command.shuffles.permutations,
            m_command.input.topics.kind == TopicVectorKind::Centroids ? ", with centroids recomputed each time" : "",
            fmt::join(means, ", "), m_unit,
            std::any_of(m_command.pool.begin(), m_command.pool.end(),
                        [](const std::string& name) { return name.starts_with("best"); })
                ? " best:K was selected by the same labels: its proportion is optimistically biased and has no "
                  "interval or p."
                : "");
        text += smallestQText(result.hits.rows() - 1, m_command.shuffles.permutations);
        return text;
    }

    [[nodiscard]] static Json pooledJson(const MatchRow& row, const Json& shares)
    {
        Json heads = Json::array();
        for (const std::int64_t head : row.poolHeads)
            heads.push_back(shownNumber(HeadIndex(head)));
        Json object = {{"name", row.name}, {"heads", heads}};
        object.update(shares);
        return object;
    }

    LabelPresence m_labels;
    bool m_maskIsChosen = false; ///< by labels of these documents
    std::string m_unit;          ///< "head" or "segment"
    Frame m_table;               ///< what is written
    bool m_picture = false;
};

} // namespace

std::unique_ptr<Verb> makeMatchVerb()
{
    return std::make_unique<MatchVerb>();
}

} // namespace headscope::cli
