// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/circuits/lens_job.h"

#include "app/engine/circuits/residual_weights.h"
#include "app/engine/options.h"
#include "model/analysis/circuits/contributions.h"
#include "model/analysis/circuits/head_lens.h"
#include "model/base/free_memory.h"
#include "model/data/head_ranges.h"
#include "model/net/forward/vocabulary_table.h"
#include "model/net/weights/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace headscope::engine
{
namespace
{

using commands::LensCommand;

constexpr std::int64_t kVocabularyRows = 2048; ///< of a block

/// What both ways of decoding have in common.
Result<LensFindings> lensOf(const LensCommand& command, const OpenedModel& model)
{
    LensFindings found;
    found.model = model.card.info.name;
    found.hashes = hashesOf(model.card);
    HEADSCOPE_TRY(found.layers, parseLayers(command.layers, model.files.config.layers));
    auto heads = parseHeadRanges(command.heads, model.files.config.heads);
    if (!heads)
        return std::move(heads).error().atPlace("--heads");
    found.heads = std::move(*heads);
    found.top = command.top;
    found.modelHeads = model.files.config.heads;
    found.kvHeads = model.files.config.kvHeads;
    return found;
}

/// Whether a text is this token where special tokens are parsed, and others where they are plain text.
bool isSpecial(const Tokenizer& tokenizer, const std::string& text, TokenId id)
{
    if (!text.starts_with('<') && !text.starts_with('[')) // as all of them are written
        return false;
    EncodeOptions options;
    options.addSpecialTokens = false;
    const auto parsed = tokenizer.encode(text, options);
    options.specialTokens = SpecialTokens::Text;
    const auto plain = tokenizer.encode(text, options);
    const std::vector<TokenId> own = {id};
    return parsed && plain && parsed->ids == own && plain->ids != own;
}

/// The ids that lists may have: those of tokens that people write.
std::vector<bool> listedIds(const OpenedModel& model, std::int64_t vocabulary, LensFindings& found)
{
    const Tokenizer& tokenizer = model.tokenizer;
    std::set<std::int64_t> special;
    for (const auto& id : {tokenizer.bosId(), tokenizer.eosId()})
        if (id)
            special.insert(*id);
    const auto prefix = tokenizer.prefix();
    special.insert(prefix.begin(), prefix.end());
    std::vector<bool> listed;
    for (std::int64_t id = 0; id < vocabulary; ++id)
    {
        found.tokenTexts.push_back(tokenizer.tokenText(static_cast<TokenId>(id)));
        const std::string& text = found.tokenTexts.back();
        listed.push_back(!text.empty() && !special.contains(id) &&
                         !isSpecial(tokenizer, text, static_cast<TokenId>(id)));
        found.notListed += listed.back() ? 0 : 1;
    }
    return listed;
}

/// What the chosen heads of every document add, and the documents' whole vectors: [N (L H + 1), Dm].
MatrixF headParts(const LensFindings& found)
{
    const ResidualModel& model = found.documents.model;
    const std::int64_t rows = std::ssize(found.layers) * std::ssize(found.heads) + 1;
    MatrixF all(std::ssize(found.documents.summands) * rows, model.modelDim);
    for (std::size_t document = 0; document < found.documents.summands.size(); ++document)
    {
        const MatrixD own = parts(model, found.documents.summands[document]);
        std::int64_t row = static_cast<std::int64_t>(document) * rows;
        const auto take = [&all, &row](auto values) {
            std::ranges::transform(values, all.row(row++).begin(),
                                   [](auto value) { return static_cast<float>(value); });
        };
        for (const std::int64_t layer : found.layers)
            for (const std::int64_t head : found.heads)
                take(own.row(1 + layer * model.heads + head)); // behind that of the token
        take(std::span(found.documents.summands[document].embedding));
    }
    return all;
}

/// Minus the mean over the documents.
/// @param rows  of a document
void subtractMeans(MatrixF& all, std::int64_t rows)
{
    const std::int64_t documents = all.rows() / rows;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t d = 0; d < all.cols(); ++d)
        {
            double mean = 0;
            for (std::int64_t document = 0; document < documents; ++document)
                mean += static_cast<double>(all(document * rows + row, d));
            mean /= static_cast<double>(documents);
            for (std::int64_t document = 0; document < documents; ++document)
                all(document * rows + row, d) =
                    static_cast<float>(static_cast<double>(all(document * rows + row, d)) - mean);
        }
}

Status chooseShown(const LensCommand& command, LensFindings& found)
{
    const auto& ids = found.documents.ids;
    for (std::size_t document = 0; document < ids.size(); ++document)
        if (command.document.empty() || ids[document] == command.document)
            found.shown.push_back(document);
    if (ids.empty())
        return Error{ErrorCode::InvalidArgument, "expected documents with finite vectors, found none", {}, {}};
    if (found.shown.empty())
        return Error{ErrorCode::WrongUse,
                     fmt::format("expected the id of an input document with tokens, found \"{}\"", command.document),
                     {},
                     "--document"};
    if (command.center && ids.size() < 2)
        return Error{ErrorCode::WrongUse, "this option needs at least 2 documents, found one", {}, "--center"};
    return {};
}

Status readTokens(const LensCommand& command, const OpenedModel& model, LensFindings& found)
{
    if (command.token.empty())
        return {};
    EncodeOptions options;
    options.addSpecialTokens = false;
    HEADSCOPE_TRY(const Encoding encoding, model.tokenizer.encode(command.token, options));
    for (const TokenId id : encoding.ids)
        if (std::ranges::find(found.tokens, id) == found.tokens.end())
            found.tokens.push_back(id);
    if (found.tokens.empty())
        return Error{ErrorCode::InvalidArgument, "expected a text with a token, found none", {}, "--token"};
    return {};
}

} // namespace

Status checkLensFamily(const ModelConfig& config)
{
    HEADSCOPE_CHECK(checkResidualFamily(config));
    if (config.traits().normPlacement == NormPlacement::Pre)
        return {};
    return Error{ErrorCode::Unsupported,
                 fmt::format("expected a decoder, found {}, an encoder, which has no output head to decode its vectors",
                             config.traits().name),
                 {},
                 {}};
}

Status checkLensChoices(const commands::LensCommand& command)
{
    const auto refused = [](std::string message, const char* option) {
        return Error{ErrorCode::WrongUse, std::move(message), {}, option};
    };
    if (command.weights && !command.inputs.empty())
        return refused("this option cannot be used with documents", "--weights");
    if (!command.weights && command.inputs.empty())
        return refused("expected documents or --weights, found neither", "documents");
    if (!command.weights && !command.token.empty())
        return refused("this option needs --weights", "--token");
    if (!command.weights && command.copied)
        return refused("this option needs --weights", "--copied");
    if (command.weights && (command.center || !command.document.empty()))
        return refused("this option needs documents and cannot be used with --weights",
                       command.center ? "--center" : "--document");
    return {};
}

Result<LensFindings> decodeDocuments(const LensCommand& command, const shell::CommonOptions& common,
                                     const OpenedModel& model, const HeadExtractor& extractor,
                                     const ExtractionOptions& options, std::int64_t maxTokens, JobContext& job)
{
    HEADSCOPE_TRY(LensFindings found, lensOf(command, model));
    HEADSCOPE_TRY(found.documents, traceTexts(command, common, model, extractor, options, maxTokens, {}, job));
    found.notices = found.documents.notices;
    found.pooling = poolingName(options.pooling);
    found.centred = command.center;
    HEADSCOPE_CHECK(chooseShown(command, found));
    const std::int64_t perDocument = std::ssize(found.layers) * std::ssize(found.heads) + 1;
    const auto vectors = static_cast<double>(std::ssize(found.documents.summands) * perDocument);
    const auto k = static_cast<double>(command.top);
    HEADSCOPE_CHECK(headscope::checkMemory(
        {vectors * (4 * static_cast<double>(model.files.config.modelDim) + 2 * k * sizeof(TokenLogit)),
         fmt::format("the token lists of {} heads for {} documents", perDocument - 1, found.documents.summands.size()),
         "use fewer documents (--limit), layers or heads"}));
    MatrixF all = headParts(found);
    if (command.center)
        subtractMeans(all, perDocument);
    HEADSCOPE_TRY(const VocabularyTable unembedding, VocabularyTable::unembedding(model.files));
    found.outputHead = unembedding.isOutputHead();
    const std::vector<bool> listed = listedIds(model, unembedding.rows(), found);
    VocabularyScan scan(std::move(all), command.top);
    for (std::int64_t first = 0; first < unembedding.rows(); first += kVocabularyRows)
    {
        HEADSCOPE_CHECK(job.checkStop());
        job.report("decoding", static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(unembedding.rows()),
                   "tokens");
        HEADSCOPE_TRY(const MatrixF block,
                      unembedding.read(first, std::min(kVocabularyRows, unembedding.rows() - first)));
        scan.add(block.view(), first, listed, options.threads);
    }
    std::int64_t row = 0;
    for (TokenLists& lists : scan.take())
        (++row % perDocument == 0 ? found.embedding : found.lists).push_back(std::move(lists));
    return found;
}

Result<LensFindings> decodeWeights(const LensCommand& command, const OpenedModel& model, int threads, JobContext& job)
{
    HEADSCOPE_TRY(LensFindings found, lensOf(command, model));
    HEADSCOPE_CHECK(readTokens(command, model, found));
    HEADSCOPE_TRY(const VocabularyTable embedding, VocabularyTable::embeddings(model.files));
    HEADSCOPE_TRY(const VocabularyTable unembedding, VocabularyTable::unembedding(model.files));
    found.outputHead = unembedding.isOutputHead();
    const std::vector<bool> listed = listedIds(model, unembedding.rows(), found);
    MatrixF asked(std::ssize(found.tokens), model.files.config.modelDim);
    for (std::int64_t token = 0; token < asked.rows(); ++token)
    {
        HEADSCOPE_TRY(const MatrixF row, embedding.read(found.tokens[static_cast<std::size_t>(token)], 1));
        std::ranges::copy(row.row(0), asked.row(token).begin());
    }
    if (command.copied)
    {
        const ModelConfig& config = model.files.config;
        HEADSCOPE_CHECK(headscope::checkMemory(
            {8 * static_cast<double>(unembedding.rows() * (config.heads + config.kvHeads) * config.headDim),
             fmt::format("what the heads of a layer read and write of {} tokens", unembedding.rows()),
             "leave --copied out"}));
    }
    HEADSCOPE_TRY(const auto opened, WeightFiles::open(model.files));
    for (std::size_t at = 0; at < found.layers.size(); ++at)
    {
        const std::int64_t layer = found.layers[at];
        job.report("decoding", at, found.layers.size(), "layers");
        JobContext reading(job.stopToken());
        HEADSCOPE_TRY(
            const Weights weights,
            Weights::load(
                model.files,
                {.lastLayer = layer, .threads = threads, .firstLayer = layer, .withMlp = false, .opened = opened},
                reading));
        WeightsScan scan(lensLayer(weights, layer), asked.view(), command.top, command.copied);
        for (std::int64_t first = 0; first < unembedding.rows(); first += kVocabularyRows)
        {
            HEADSCOPE_CHECK(job.checkStop());
            const std::int64_t count = std::min(kVocabularyRows, unembedding.rows() - first);
            HEADSCOPE_TRY(const MatrixF read, embedding.read(first, count));
            HEADSCOPE_TRY(const MatrixF written, unembedding.read(first, count));
            scan.add(read.view(), written.view(), first, listed, threads);
        }
        if (command.copied)
            HEADSCOPE_CHECK(scan.countCopied(found.heads, threads, job));
        std::vector<WeightsLens> all = scan.take();
        std::vector<WeightsLens> chosen;
        for (const std::int64_t head : found.heads)
            chosen.push_back(std::move(all[static_cast<std::size_t>(head)]));
        found.weights.push_back(std::move(chosen));
    }
    return found;
}

} // namespace headscope::engine
