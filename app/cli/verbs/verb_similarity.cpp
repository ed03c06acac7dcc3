// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_notices.h"
#include "app/cli/figure_files.h"
#include "app/cli/verb.h"
#include "app/commands/similarity_command.h"
#include "app/frames/frame_json.h"
#include "app/results/cache_input.h"
#include "app/results/frame_output.h"
#include "app/results/provenance.h"
#include "app/results/topics/similarity_frame.h"
#include "model/analysis/topics/propose_merge.h"
#include "model/analysis/topics/topics.h"
#include "model/base/output/output_file.h"
#include "model/base/text/fixed_text.h"
#include "model/data/frame/text_table.h"
#include "model/data/head_ranges.h"
#include "model/io/results/result_writer.h"
#include "viz/color/color_scale.h"
#include "viz/export/figure_text.h"
#include "viz/export/heatmap_figures.h"
#include "viz/heatmap/heatmap_scale.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace headscope::cli
{
namespace
{

/// Above this many topics the table shows the likest pairs, and not all of them.
constexpr std::size_t kMaxInTable = 40;
constexpr std::size_t kPairsShown = 20;

std::string cell(double value, int decimals = 2)
{
    return std::isfinite(value) ? fixedText(value, decimals) : "-";
}

std::string squareText(const TopicSimilarity& similarity)
{
    std::vector<std::string> header = {"topic"};
    header.insert(header.end(), similarity.names.begin(), similarity.names.end());
    TextTable table(header);
    const int decimals = viz::similarityDecimals(similarity.values);
    for (std::size_t t = 0; t < similarity.names.size(); ++t)
    {
        std::vector<std::string> cells = {similarity.names[t]};
        for (const double value : similarity.values.row(static_cast<std::int64_t>(t)))
            cells.push_back(cell(value, decimals));
        table.add(std::move(cells));
    }
    return table.text();
}

/// The likest pairs, from the likest.
std::string pairsText(const TopicSimilarity& similarity)
{
    struct Pair
    {
        double value;
        std::size_t a;
        std::size_t b;
    };
    std::vector<Pair> pairs;
    const auto before = [](const Pair& x, const Pair& y) { return x.value > y.value; };
    for (std::size_t a = 0; a < similarity.names.size(); ++a)
        for (std::size_t b = a + 1; b < similarity.names.size(); ++b)
        {
            const double value = similarity.values(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
            if (std::isnan(value) || (pairs.size() == kPairsShown && value <= pairs.back().value))
                continue;
            const Pair pair{value, a, b};
            pairs.insert(std::upper_bound(pairs.begin(), pairs.end(), pair, before), pair);
            pairs.resize(std::min(pairs.size(), kPairsShown), pair);
        }
    TextTable table({"cosine", "topic", "topic"});
    const int decimals = viz::similarityDecimals(similarity.values);
    for (const Pair& pair : pairs)
        table.add({cell(pair.value, decimals), similarity.names[pair.a], similarity.names[pair.b]});
    return fmt::format("the {} most similar pairs (-o FILE holds all)\n\n{}", pairs.size(), table.text());
}

/// What a cosine of two topics is to be held against.
struct OffDiagonal
{
    double mean = std::numeric_limits<double>::quiet_NaN(); ///< of the pairs of different topics
    double sd = std::numeric_limits<double>::quiet_NaN();
    double least = std::numeric_limits<double>::quiet_NaN();
    double most = std::numeric_limits<double>::quiet_NaN();
    std::int64_t pairs = 0;
};

OffDiagonal offDiagonal(const MatrixD& values)
{
    std::vector<double> cosines;
    for (std::int64_t a = 0; a < values.rows(); ++a)
        for (std::int64_t b = a + 1; b < values.cols(); ++b)
            if (std::isfinite(values(a, b)))
                cosines.push_back(values(a, b));
    OffDiagonal off;
    off.pairs = std::ssize(cosines);
    if (cosines.empty())
        return off;
    off.least = *std::ranges::min_element(cosines);
    off.most = *std::ranges::max_element(cosines);
    double sum = 0;
    for (const double cosine : cosines)
        sum += cosine;
    off.mean = sum / static_cast<double>(cosines.size());
    double squares = 0;
    for (const double cosine : cosines)
        squares += (cosine - off.mean) * (cosine - off.mean);
    if (cosines.size() > 1)
        off.sd = std::sqrt(squares / static_cast<double>(cosines.size() - 1));
    return off;
}

/// What the mean of the pairs is of vectors of equal length that sum to zero, whatever they are about.
double centredMean(std::size_t topics)
{
    return topics > 1 ? -1.0 / static_cast<double>(topics - 1) : std::numeric_limits<double>::quiet_NaN();
}

std::string offDiagonalText(const OffDiagonal& off, bool centred, std::size_t topics, int decimals)
{
    if (off.pairs < 1)
        return {};
    std::string text = fmt::format(
        "Mean over the {} pairs of different topics: {}{}.", withCommas(off.pairs), cell(off.mean, decimals),
        off.pairs > 1 ? fmt::format(", standard deviation {}, from {} to {}", cell(off.sd, decimals),
                                    cell(off.least, decimals), cell(off.most, decimals))
                      : std::string());
    if (centred)
        text += fmt::format(" Vectors of equal length that sum to zero have a mean cosine of {}, -1 / (topics - 1), "
                            "for any topics: compare a pair with this value, not with 0.",
                            cell(centredMean(topics)));
    if (!centred && off.mean > 0.3)
        text += " The topics share a direction that contributes to every cosine: compare a pair with this mean, not "
                "with 0 (--center subtracts the mean vector of the topics first).";
    return text + "\n";
}

/// The table as the window shows it: names at the left, their letters below. The colours span what differs: every topic
/// is like itself.
viz::MatrixFigure figureOf(const TopicSimilarity& similarity)
{
    viz::MatrixFigure figure;
    figure.values = similarity.values;
    figure.scaleTitle = QStringLiteral("cosine");
    for (std::int64_t topic = 0; topic < similarity.values.rows(); ++topic)
    {
        const QString letter = viz::topicLetter(topic);
        figure.columnNames << letter;
        figure.rowNames << QString::fromStdString(similarity.names[static_cast<std::size_t>(topic)]) +
                               QStringLiteral("  ") + letter;
    }
    figure.style.square = true;
    figure.style.decimals = viz::similarityDecimals(similarity.values);
    figure.style.scale = viz::scaleOf(viz::similarityScale(similarity.values), viz::InkTheme::Light);
    return figure;
}

class SimilarityVerb : public VerbOf<commands::SimilarityCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_command.input.check());
        const bool map = std::filesystem::path(m_command.output).extension() == ".json";
        if (map && !m_command.merge)
            return wrongUse("--merge", "a label map needs a threshold");
        const bool picture = viz::figureFormat(m_command.output).has_value();
        HEADSCOPE_CHECK(map || picture ? checkOutputPath(m_command.output, common.overwrite)
                                       : checkTableOutput(m_command.output, common, OutputKinds::TablesAndFigures));
        HEADSCOPE_CHECK(FigureFiles::check(m_command.output, m_command.figure, common, figureRecipe(common).inputs));
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_command.input, job));
        HEADSCOPE_CHECK(oneLayerAndStage(input, "similarity"));
        HEADSCOPE_TRY(const TopicData data,
                      loadTopicData(input, m_command.input, input.layers.front(), input.stages.front(), job));
        std::string source = data.full.topics.source;
        auto vectors = data.full.topics.vectors;
        if ((!m_command.input.heads.empty() && m_command.input.heads != "all") || input.mask)
        {
            HEADSCOPE_TRY(const auto heads, input.headsOf(*data.topics.vectors, m_command.input.heads));
            vectors = takeHeads(data.topics.vectors, heads);
            source = fmt::format("concatenated {}s {} of layer {} stage {}", unitName(vectors->stage()),
                                 formatHeadRanges(heads), vectors->layer().value(), stageName(vectors->stage()));
        }
        const ConstMatrixView rows(vectors->values().data(), vectors->documents(), vectors->heads() * vectors->dims());
        HEADSCOPE_TRY(const TopicSimilarity similarity, topicSimilarity(rows, data.topics.names, common.numThreads()));
        std::string topics = data.vectorsText; // no document is compared here, and none left out of its centroid
        if (constexpr std::string_view kLeft = ", without the compared document";
            topics.find(kLeft) != std::string::npos)
            topics.erase(topics.find(kLeft), kLeft.size());
        source += "; topics are " + topics;
        const TopicMerge merge = m_command.merge ? proposeMerge(similarity, *m_command.merge) : TopicMerge();
        Provenance provenance("similarity", input, m_command.input);
        provenance.setLabel(usedLabel(input, m_command.input.label));
        provenance.add("vectors", source);
        tell(provenance, common, {"merge"});
        provenance.setInputHash(similarity.inputHash);
        if (map)
            HEADSCOPE_CHECK(writeFileAtomically(
                m_command.output, Json(merge.labelMap).dump(2, ' ', false, Json::error_handler_t::replace) + "\n"));
        else if (!m_command.output.empty() && !picture)
            HEADSCOPE_CHECK(write(similarity, provenance));
        Answer answer = answerFor(similarity, merge, source);
        provenance.writeTo(*answer.json);
        answer.notices = data.notices;
        const auto more = topicNotices(data);
        answer.notices.insert(answer.notices.end(), more.begin(), more.end());
        if (picture)
            HEADSCOPE_CHECK(writePicture(similarity, source, input, provenance, common, answer, job));
        return answer;
    }

private:
    [[nodiscard]] QString captionOf(const TopicSimilarity& similarity, const std::string& source,
                                    const ModelInfo& model) const
    {
        QString caption = QStringLiteral("%1. Cosines between the topics\u2019 vectors (%2).")
                              .arg(viz::modelName(model), QString::fromStdString(source));
        if (m_command.input.topics.centred)
            caption += QStringLiteral(" The mean of the topics is subtracted: vectors of equal length that sum to zero "
                                      "have a mean cosine of \u2212%1 with each other, for any topics.")
                           .arg(-centredMean(similarity.names.size()), 0, 'f', 2);
        return caption + QStringLiteral(
                             " The colours span the pairs of different topics; the diagonal (1) is outside the scale.");
    }

    [[nodiscard]] Status writePicture(const TopicSimilarity& similarity, const std::string& source,
                                      const CacheInput& input, const Provenance& provenance,
                                      const CommonOptions& common, Answer& answer, JobContext& job) const
    {
        HEADSCOPE_TRY(FigureFiles files, FigureFiles::create(m_command.output, m_command.figure, common,
                                                             figureRecipe(common), provenance, input.cache.get(), job));
        HEADSCOPE_CHECK(files.draw(viz::describedFigure(
            viz::figureOfMatrices({figureOf(similarity)}, {}), captionOf(similarity, source, input.model()),
            {{QStringLiteral("input"), QString::fromStdString(similarity.inputHash)}})));
        return files.finish(answer, [&](const std::filesystem::path& path) {
            return writeFrameFile(path, similarityFrame(similarity), provenance, {}, csvTexts(m_command.plainCsv));
        });
    }

    [[nodiscard]] Status write(const TopicSimilarity& similarity, const Provenance& provenance) const
    {
        Frame frame = similarityFrame(similarity);
        if (!isTextTable(m_command.output))
            frame.columns().resize(1); // the cosines are a matrix
        return writeFrameFile(m_command.output, frame, provenance,
                              std::array{NamedMatrix{"values", &similarity.values}}, csvTexts(m_command.plainCsv));
    }

    [[nodiscard]] Answer answerFor(const TopicSimilarity& similarity, const TopicMerge& merge,
                                   const std::string& source) const
    {
        Answer answer;
        *answer.json = {{"topics", similarity.names}, {"values", nodeJson(similarity.values)}, {"full", source}};
        if (m_command.merge)
            (*answer.json)["merged"] = merge.labelMap;
        (*answer.json)["output"] = textJson(m_command.output);
        const OffDiagonal off = offDiagonal(similarity.values);
        (*answer.json)["off_diagonal"] = {{"mean", off.pairs > 0 ? Json(off.mean) : Json()},
                                          {"sd", off.pairs > 1 ? Json(off.sd) : Json()},
                                          {"centred_mean", m_command.input.topics.centred && off.pairs > 0
                                                               ? Json(centredMean(similarity.names.size()))
                                                               : Json()},
                                          {"pairs", off.pairs}};
        answer.text =
            fmt::format("cosines of {}\n\n{}\n{}", source,
                        similarity.names.size() > kMaxInTable ? pairsText(similarity) : squareText(similarity),
                        offDiagonalText(off, m_command.input.topics.centred, similarity.names.size(),
                                        viz::similarityDecimals(similarity.values)));
        if (m_command.merge)
            answer.text += fmt::format("\n{} topics become {} with threshold "
                                       "{}\n",
                                       similarity.names.size(), merge.groups.size(), *m_command.merge);
        for (const auto& [from, to] : merge.labelMap)
            answer.text += from == to ? std::string() : fmt::format("{} -> {}\n", from, to);
        return answer;
    }
};

} // namespace

std::unique_ptr<Verb> makeSimilarityVerb()
{
    return std::make_unique<SimilarityVerb>();
}

} // namespace headscope::cli
