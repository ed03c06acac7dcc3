// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/importance/importance_job.h"

#include "app/engine/ablation/ablated_extractor.h"
#include "app/engine/extraction_steps.h"
#include "app/engine/importance/mask_runs.h"
#include "app/engine/options.h"
#include "app/engine/topic_names.h"
#include "model/analysis/importance/player_values.h"
#include "model/base/clock.h"
#include "model/base/text/plural.h"
#include "model/data/documents/label_builder.h"
#include "model/io/cache/label_choice.h"
#include "model/io/texts/csv_separator.h"
#include "model/io/texts/document_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

namespace headscope::engine
{
namespace
{

using commands::ImportanceCommand;

DocumentOptions documentOptions(const ImportanceCommand& command, const shell::CommonOptions& common)
{
    DocumentOptions options;
    options.textColumn = command.textColumn;
    options.idColumn = command.idColumn;
    if (command.label)
        options.labelColumns = command.label->empty() ? std::vector<std::string>() : std::vector{*command.label};
    options.lines = command.lines;
    options.separator = separatorFromName(command.separator);
    options.limit = command.limit;
    options.sample = command.sample;
    options.seed = common.seed;
    return options;
}

std::vector<std::filesystem::path> inputsOf(const ImportanceCommand& command)
{
    return {command.inputs.begin(), command.inputs.end()};
}

/// The documents as tokens, and what belongs to them.
struct Corpus
{
    MaskTexts texts;
    std::vector<std::string> ids; ///< [documents]
    std::string label;            ///< column of the match; empty: none
    std::int64_t allDocuments = 0;
};

class CorpusReader
{
public:
    CorpusReader(const ImportanceCommand& command, const shell::CommonOptions& common, const TextEncoder& encoder,
                 ImportanceFindings& found)
        : m_command(command), m_common(common), m_encoder(encoder), m_found(found)
    {}

    Result<Corpus> read(bool causal, JobContext& job)
    {
        constexpr std::size_t kBatch = 64;
        HEADSCOPE_TRY(const auto reader,
                      DocumentReader::open(inputsOf(m_command), documentOptions(m_command, m_common), job));
        add(reader->notices());
        m_corpus.allDocuments = reader->sample() ? reader->sample()->of : reader->count();
        if (const std::vector<std::string>& columns = reader->labelColumns(); !columns.empty())
        {
            HEADSCOPE_TRY(m_corpus.label,
                          chooseLabelName(columns, m_command.label.value_or(""), m_command.inputs.front(), "texts"));
            m_labelAt = static_cast<std::size_t>(std::ranges::find(columns, m_corpus.label) - columns.begin());
        }
        for (;;)
        {
            HEADSCOPE_TRY(const auto batch, reader->next(kBatch, job));
            if (batch.empty())
                break;
            for (const InputDocument& input : batch)
                HEADSCOPE_CHECK(take(input));
        }
        if (m_corpus.texts.documents.empty())
            return Error{ErrorCode::InvalidArgument,
                         "expected documents with at least one token, found none",
                         m_command.inputs.front(),
                         {}};
        HEADSCOPE_CHECK(takeTopics(causal));
        return std::move(m_corpus);
    }

private:
    void add(const std::vector<std::string>& notices)
    {
        m_found.notices.insert(m_found.notices.end(), notices.begin(), notices.end());
    }

    Status take(const InputDocument& input)
    {
        auto document = m_encoder.tokens(std::ssize(m_corpus.texts.documents), input.text);
        if (!document)
            return std::move(document).error().atPlace("document " + input.id);
        const auto has = [&](DocumentFlag flag) { return (document->flags & static_cast<std::uint8_t>(flag)) != 0; };
        if (document->ids.empty() || has(DocumentFlag::Empty))
        {
            ++m_found.run.empty;
            return {};
        }
        m_found.run.truncated += has(DocumentFlag::Truncated) ? 1 : 0;
        m_found.run.tokens += std::ssize(document->ids);
        m_corpus.texts.documents.push_back(std::move(*document));
        m_corpus.ids.push_back(input.id);
        m_labels.add(m_corpus.label.empty() ? std::string() : input.labels[m_labelAt]);
        return {};
    }

    /// The labels of the documents, with the topic names that were given.
    [[nodiscard]] Result<LabelColumn> labelColumn() const
    {
        DocumentSet documents;
        documents.labels = {m_labels.column(m_corpus.label, 0, m_corpus.texts.documents.size())};
        if (!m_command.topics.empty())
        {
            HEADSCOPE_TRY(const auto lists, readTopicLists(m_command.topics));
            HEADSCOPE_CHECK(applyTopicLists(lists, m_corpus.label, {}, documents));
        }
        return std::move(documents.labels.front());
    }

    /// The names of the label, embedded like documents.
    Status takeTopics(bool causal)
    {
        if (m_corpus.label.empty())
            return {};
        HEADSCOPE_TRY(const LabelColumn column, labelColumn());
        if (column.categories.size() < 2)
        {
            add({fmt::format("{}: fewer than two labels, so no match is measured", column.name)});
            m_corpus.label.clear();
            return {};
        }
        const auto texts = topicTexts(column.categories, m_command.topicTemplate);
        std::vector<std::int64_t> tokens;
        for (std::size_t i = 0; i < texts.size(); ++i)
        {
            HEADSCOPE_TRY(auto topic, m_encoder.tokens(static_cast<std::int64_t>(i), texts[i]));
            tokens.push_back(std::ssize(topic.ids));
            m_corpus.texts.topics.push_back(std::move(topic));
        }
        if (std::string warning = oneTokenWarning(column.name, column.categories, tokens); causal && !warning.empty())
            add({std::move(warning)});
        m_corpus.texts.labels = column.codes;
        return {};
    }

    const ImportanceCommand& m_command;
    const shell::CommonOptions& m_common;
    const TextEncoder& m_encoder;
    ImportanceFindings& m_found;
    Corpus m_corpus;
    std::size_t m_labelAt = 0; ///< of the label columns, the one of the match
    LabelColumnBuilder m_labels;
};

/// The edit of every mask.
std::vector<ModelEdit> editsOf(const MaskPlan& plan, const ImportanceJob& job, const ModelConfig& config,
                               const std::optional<TokenMeans>& means)
{
    std::vector<ModelEdit> edits;
    for (const PlayerMask& mask : plan.masks)
    {
        ModelEdit edit;
        edit.off.resize(static_cast<std::size_t>(config.layers));
        for (std::size_t i = 0; i < mask.size(); ++i)
        {
            if (mask[i])
                continue;
            const AblationUnit& player = job.players[i];
            auto& heads = edit.off[static_cast<std::size_t>(player.layer)].heads;
            for (std::int64_t member = 0; member < job.unitHeads; ++member)
                heads.emplace_back(player.unit * job.unitHeads + member);
        }
        for (std::size_t layer = 0; means && layer < edit.off.size(); ++layer)
            edit.off[layer].values = means->of(static_cast<std::int64_t>(layer), edit.off[layer].heads, config.headDim);
        edits.push_back(std::move(edit));
    }
    return edits;
}

Result<TokenMeans> meansOf(const ImportanceCommand& command, const shell::CommonOptions& common,
                           const ImportanceJob& job, const HeadExtractor& extractor, const TextEncoder& encoder,
                           JobContext& context)
{
    std::vector<std::int64_t> layers;
    for (const AblationUnit& player : job.players)
        if (layers.empty() || layers.back() != player.layer)
            layers.push_back(player.layer);
    HEADSCOPE_TRY(const auto averaging, extractor.withOptions(optionsForMeans(job.options, std::move(layers))));
    ExtractionRequest request;
    request.inputs = inputsOf(command);
    request.documents = documentOptions(command, common);
    request.ablation.reference = command.reference;
    return meansOfReference(request, averaging, encoder, context);
}

/// The documents whose number is finite under every mask, and their values.
MaskValuesOf finiteOnes(ImportanceMeasure measure, const MatrixD& all, const std::vector<std::string>& ids)
{
    std::vector<std::int64_t> kept;
    for (std::int64_t column = 0; column < all.cols(); ++column)
    {
        bool finite = true;
        for (std::int64_t row = 0; row < all.rows(); ++row)
            finite = finite && std::isfinite(all(row, column));
        if (finite)
            kept.push_back(column);
    }
    MaskValuesOf values{measure, MatrixD(all.rows(), std::ssize(kept)), {}};
    for (std::size_t i = 0; i < kept.size(); ++i)
    {
        values.ids.push_back(ids[static_cast<std::size_t>(kept[i])]);
        for (std::int64_t row = 0; row < all.rows(); ++row)
            values.values(row, static_cast<std::int64_t>(i)) = all(row, kept[i]);
    }
    return values;
}

/// Puts a measure into the findings.
Status addMeasure(ImportanceFindings& found, MaskValuesOf values, JobContext& job)
{
    HEADSCOPE_TRY(auto players, playerValues(found.plan, values.measure, values.values, found.result.seed, job));
    found.result.measures.push_back({values.measure, std::move(players)});
    found.values.push_back(std::move(values));
    return {};
}

/// Of the documents with a label.
double shareOfCommonest(const std::vector<std::int32_t>& codes)
{
    std::map<std::int32_t, double> counts;
    double all = 0;
    double most = 0;
    for (const std::int32_t code : codes)
        if (code >= 0)
        {
            ++all;
            most = std::max(most, ++counts[code]);
        }
    return all > 0 ? most / all : 0;
}

Status measure(const Corpus& corpus, const std::vector<ModelEdit>& edits, const HeadExtractor& extractor,
               ImportanceFindings& found, JobContext& context)
{
    const auto start = Clock::now();
    HEADSCOPE_TRY(const auto outcome, runMasks(extractor, corpus.texts, edits, context));
    found.run.seconds = secondsSince(start);
    context.report("intervals", 0, 0);
    auto cosines = finiteOnes(ImportanceMeasure::Cosine, outcome.cosine, corpus.ids);
    found.run.nonFinite = outcome.cosine.cols() - cosines.values.cols();
    found.result.documents = cosines.values.cols();
    if (found.run.nonFinite > 0)
        found.notices.push_back(fmt::format("excluded {} document{} whose vectors have NaN, infinity or only zeros",
                                            found.run.nonFinite, plural(found.run.nonFinite)));
    if (found.result.documents == 0)
        return Error{ErrorCode::InvalidArgument, "expected documents with finite vectors, found none", {}, {}};
    HEADSCOPE_CHECK(addMeasure(found, std::move(cosines), context));
    auto matches = finiteOnes(ImportanceMeasure::Match, outcome.match, corpus.ids);
    found.result.topics = matches.values.cols() > 0 ? std::ssize(corpus.texts.topics) : 0;
    found.result.majority = shareOfCommonest(corpus.texts.labels);
    if (matches.values.cols() > 0)
        return addMeasure(found, std::move(matches), context);
    found.result.label.clear();
    return {};
}

} // namespace

Result<ImportanceJob> importanceJob(const ImportanceCommand& command, const shell::CommonOptions& common,
                                    const OpenedModel& model)
{
    const ModelConfig& config = model.files.config;
    if (!command.reference.empty() && command.ablation != "mean")
        return Error{ErrorCode::WrongUse, "this option needs --ablation mean, found zero", {}, "--reference"};
    if (!command.topics.empty() && command.label && command.label->empty())
        return Error{ErrorCode::WrongUse, "this option needs a label column", {}, "--topics"};
    ImportanceJob job;
    const bool groups = command.units == "groups";
    const std::int64_t units = groups ? config.kvHeads : config.heads;
    job.unitHeads = config.heads / units;
    HEADSCOPE_TRY(const auto layers, parseLayers(command.layers, config.layers));
    for (const std::int64_t layer : layers)
        for (std::int64_t unit = 0; unit < units; ++unit)
            job.players.push_back({layer, unit});
    const auto players = std::ssize(job.players);
    job.masks = command.masks > 0 ? command.masks : kMasksPerPlayer * players;
    const auto plan = MaskPlan::make(players, job.masks, common.seed);
    if (!plan.exhaustive && job.masks < players + 2)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected at least {} random sets for {} {}, found {}", players + 2, players,
                                 groups ? "groups" : "heads", job.masks),
                     {},
                     "--masks"};
    job.options.stages = {Stage::OutputSegment};
    job.options.layers = {config.layers - 1};
    HEADSCOPE_TRY(job.options.pooling, model.pooling(command.pooling));
    HEADSCOPE_TRY(job.options.backend, chooseBackend("auto", command.device));
    job.options.threads = common.numThreads();
    HEADSCOPE_TRY(job.maxTokens, model.maxTokens(command.maxTokens));
    return job;
}

Result<ImportanceFindings> measureImportance(const ImportanceCommand& command, const shell::CommonOptions& common,
                                             const OpenedModel& model, const ImportanceJob& job,
                                             const HeadExtractor& extractor, JobContext& context)
{
    ImportanceFindings found;
    HEADSCOPE_TRY(const auto encoder, makeEncoder(command, model, job.maxTokens));
    HEADSCOPE_TRY(const Corpus corpus, CorpusReader(command, common, encoder, found).read(model.card.causal, context));
    found.plan = MaskPlan::make(std::ssize(job.players), job.masks, common.seed);
    found.run.runs = std::ssize(found.plan.masks);
    found.run.hashes = hashesOf(model.card);
    ImportanceResult& result = found.result;
    result.players = job.players;
    result.groups = command.units == "groups";
    result.ablation = command.ablation;
    result.allDocuments = corpus.allDocuments;
    result.masks = std::ssize(found.plan.sample);
    result.exhaustive = found.plan.exhaustive;
    result.seed = common.seed;
    result.model = model.card.info.name;
    result.label = corpus.label;
    std::optional<TokenMeans> means;
    if (command.ablation == "mean")
    {
        HEADSCOPE_TRY(means, meansOf(command, common, job, extractor, encoder, context));
        result.reference =
            fmt::format("{} documents, {} tokens, XXH3 {}", means->documents, means->tokens, means->digest);
    }
    HEADSCOPE_CHECK(measure(corpus, editsOf(found.plan, job, model.files.config, means), extractor, found, context));
    return found;
}

} // namespace headscope::engine
