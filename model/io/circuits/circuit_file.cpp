// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/circuits/circuit_file.h"

#include "model/base/assert.h"
#include "model/base/free_memory.h"
#include "model/data/circuits/contributions_frame.h"
#include "model/data/circuits/lens_frame.h"
#include "model/io/frames/frame_file.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/records/record_hdf5.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <variant>

namespace headscope
{
namespace
{

constexpr std::int64_t kMost = 100'000; ///< of layers, heads and dimensions

/// Version 1 had neither a seal nor the hashes of the model.
constexpr std::int64_t kVersion = 2;
constexpr FileFormat kFormats[] = {{"headscope-contributions", kVersion, "what contributions wrote"},
                                   {"headscope-composition", kVersion, "what composition wrote"},
                                   {"headscope-lens", kVersion, "what lens wrote"}};
constexpr const char* kHashes = "/sha256";

/// Reads the parts of one file.
class CircuitParts
{
public:
    explicit CircuitParts(const Hdf5Reader& file) : m_file(file) {}

    [[nodiscard]] Result<ContributionsResult> contributions() const;
    [[nodiscard]] Result<CompositionScores> composition() const;
    [[nodiscard]] Result<LensTables> lens() const;

    [[nodiscard]] Error bad(std::string place, std::string message) const
    {
        return {ErrorCode::BadFormat, std::move(message), m_file.path().string(), std::move(place)};
    }
    [[nodiscard]] Result<std::string> text(const std::string& name) const
    {
        auto value = m_file.textAttribute("/", name);
        if (!value)
            return bad(name, "expected an attribute with a text, found none");
        return *value;
    }

private:
    [[nodiscard]] Result<std::int64_t> number(const std::string& name, std::int64_t least) const
    {
        const auto value = m_file.integerAttribute("/", name);
        if (!value || *value < least || *value > kMost)
            return bad(name, fmt::format("expected an attribute with a number from {} to {}, found {}", least, kMost,
                                         value ? std::to_string(*value) : "none"));
        return *value;
    }
    /// Of files that have them.
    [[nodiscard]] Status addTexts(PairContribution& pair, std::int64_t documents) const;
    [[nodiscard]] Result<std::vector<VectorPart>> partsOf(const Frame& frame, const std::string& group,
                                                          const ContributionsResult& result) const;

    const Hdf5Reader& m_file;
};

/// A column of numbers; null: there is none.
const Column::Reals* realsOf(const Frame& frame, std::string_view key)
{
    const Column* column = frame.find(key);
    return column == nullptr ? nullptr : std::get_if<Column::Reals>(&column->values);
}

Result<std::vector<VectorPart>> CircuitParts::partsOf(const Frame& frame, const std::string& group,
                                                      const ContributionsResult& result) const
{
    const Column* layers = frame.find("layer");
    const Column* heads = frame.find("head");
    const auto* names = heads == nullptr ? nullptr : std::get_if<Column::Texts>(&heads->values);
    if (layers == nullptr || names == nullptr)
        return bad(group, "expected columns of layers and parts, found none");
    std::vector<VectorPart> parts;
    for (std::size_t row = 0; row < names->size(); ++row)
    {
        const double layer = layers->at(Facet::Value, row);
        const auto part = partOfName((*names)[row], std::isfinite(layer) ? static_cast<std::int64_t>(layer) : 0);
        if (!part || part->layer < 0 || part->layer >= result.layers || part->head >= result.heads)
            return bad(group, fmt::format("expected a part of {} layers of {} heads, found \"{}\" in row {}",
                                          result.layers, result.heads, (*names)[row].substr(0, 40), row));
        parts.push_back(*part);
    }
    return parts;
}

Status CircuitParts::addTexts(PairContribution& pair, std::int64_t documents) const
{
    if (!m_file.has("/texts"))
        return {};
    const std::string places = "/contributions/pairs/documents";
    HEADSCOPE_TRY(const auto rows, readNumbers<std::int32_t>(m_file, places));
    if (rows.size() != 2 || std::ranges::any_of(rows, [&](std::int32_t row) { return row < 0 || row >= documents; }))
        return bad(places, fmt::format("expected two rows of {} documents, found others", documents));
    for (const auto& [row, text] : {std::pair(rows[0], &pair.firstText), std::pair(rows[1], &pair.secondText)})
    {
        HEADSCOPE_TRY(const auto read, m_file.readStrings("/texts", row, 1));
        *text = read.front();
    }
    return {};
}

Result<ContributionsResult> CircuitParts::contributions() const
{
    ContributionsResult result;
    HEADSCOPE_TRY(result.model, text("model"));
    HEADSCOPE_TRY(result.pooling, text("pooling"));
    HEADSCOPE_TRY(const std::string norms, text("norms"));
    result.frozen = norms == "all norms frozen";
    HEADSCOPE_TRY(result.layers, number("layers", 1));
    HEADSCOPE_TRY(result.heads, number("heads", 1));
    HEADSCOPE_TRY(result.kvHeads, number("kv_heads", 1));
    HEADSCOPE_TRY(const DatasetInfo documents, m_file.describe("/documents"));
    result.documents = documents.rows();
    if (const auto error = m_file.numberAttribute("/", "additive_error"))
        result.additiveError = *error;
    const bool isPair = m_file.has("/contributions/terms");
    const std::string group = isPair ? "contributions/terms" : "contributions/shares";
    HEADSCOPE_TRY(const Frame frame, readFrame(m_file, group, isPair ? kTermsFrame : kPartsFrame));
    HEADSCOPE_TRY(const std::vector<VectorPart> parts, partsOf(frame, group, result));
    for (const VectorPart& part : parts)
        result.outputBias = result.outputBias || part.kind == PartKind::OutputBias;
    if (!isPair)
    {
        const Column* shares[] = {frame.find("share"), frame.find("centered_share")};
        if (shares[0] == nullptr || shares[1] == nullptr)
            return bad(group, "expected columns of shares, found none");
        for (std::size_t row = 0; row < parts.size(); ++row)
        {
            const auto estimate = [row](const Column& column) {
                return Estimate{column.at(Facet::Value, row),
                                {column.at(Facet::Low, row), column.at(Facet::High, row)}};
            };
            result.parts.push_back({parts[row], estimate(*shares[0]), estimate(*shares[1])});
        }
        return result;
    }
    const Column::Reals* values = realsOf(frame, "value");
    const Column::Reals* reverse = realsOf(frame, "reverse");
    HEADSCOPE_TRY(const auto cosine, readNumbers<double>(m_file, "/contributions/pairs/cosine"));
    if (values == nullptr || reverse == nullptr || cosine.size() != 1)
        return bad(group, "expected terms and their cosine, found none");
    PairContribution pair;
    HEADSCOPE_TRY(pair.first, text("first"));
    HEADSCOPE_TRY(pair.second, text("second"));
    pair.centred = m_file.integerAttribute("/", "centered").value_or(0) != 0;
    pair.cosine = cosine.front();
    HEADSCOPE_CHECK(addTexts(pair, result.documents));
    for (std::size_t row = 0; row < parts.size(); ++row)
        pair.terms.push_back({parts[row], (*values)[row], (*reverse)[row]});
    result.pair = std::move(pair);
    return result;
}

Result<CompositionScores> CircuitParts::composition() const
{
    CompositionScores scores;
    HEADSCOPE_TRY(const DatasetInfo singular, m_file.describe("/composition/ov_singular"));
    if (singular.shape.size() != 3)
        return bad("/composition/ov_singular", "expected a shape of layers, heads and dimensions, found another");
    scores.layers = singular.shape[0];
    scores.heads = singular.shape[1];
    scores.headDim = singular.shape[2];
    if (scores.layers < 1 || scores.heads < 1 || scores.layers > kMost || scores.heads > kMost)
        return bad("/composition/ov_singular", "expected layers and heads, found none or too many");
    HEADSCOPE_TRY(scores.kvHeads, number("kv_heads", 1));
    HEADSCOPE_TRY(const auto baseline, readNumbers<double>(m_file, "/composition/baseline"));
    if (baseline.size() != 1)
        return bad("/composition/baseline", "expected one number, found another shape");
    scores.baseline = baseline.front();
    for (const auto& [name, values] :
         {std::pair("/composition/ov_singular", &scores.ovSingular), {"/composition/qk_singular", &scores.qkSingular}})
    {
        if (!m_file.has(name)) // in files of other programs
            continue;
        HEADSCOPE_TRY(const DatasetInfo info, m_file.describe(name));
        if (info.shape != singular.shape)
            return bad(name, fmt::format("expected values of {} layers of {} heads, found {}", scores.layers,
                                         scores.heads, info.describe()));
        HEADSCOPE_TRY(*values, readNumbers<double>(m_file, name));
    }
    const auto all = static_cast<double>(scores.layers * scores.heads);
    HEADSCOPE_CHECK(checkMemory({3 * 8 * all * all, "scores of all pairs of heads", "a machine with more memory"}));
    for (const CompositionKind kind : kCompositionKinds)
    {
        const std::string name = "/composition/" + std::string(compositionName(kind));
        if (!m_file.has(name))
            continue;
        HEADSCOPE_TRY(const DatasetInfo info, m_file.describe(name));
        if (info.shape != std::vector{scores.layers, scores.heads, scores.layers, scores.heads})
            return bad(name, fmt::format("expected scores of {} layers of {} heads, found {}", scores.layers,
                                         scores.heads, info.describe()));
        HEADSCOPE_TRY(scores.scores[static_cast<std::size_t>(kind)], readNumbers<double>(m_file, name));
    }
    return scores;
}

/// A list of the words of a head. The rows of a head follow each other: another one begins words of its own.
std::vector<LensWord>& listOf(LensTables& tables, LensWords words, std::string_view list)
{
    if (tables.rows.empty() || tables.rows.back().layer != words.layer || tables.rows.back().head != words.head ||
        tables.rows.back().read != words.read)
        tables.rows.push_back(std::move(words));
    LensWords& own = tables.rows.back();
    return list == "up" ? own.up : list == "down" ? own.down : list == "keys" ? own.keys : own.queries;
}

Result<LensTables> CircuitParts::lens() const
{
    LensTables tables;
    HEADSCOPE_TRY(tables.unembedding, text("unembedding"));
    HEADSCOPE_TRY(tables.heads, number("heads", 1));
    HEADSCOPE_TRY(tables.kvHeads, number("kv_heads", 1));
    tables.weights = m_file.integerAttribute("/", "weights").value_or(0) != 0;
    tables.centred = m_file.integerAttribute("/", "centered").value_or(0) != 0;
    tables.documents = m_file.integerAttribute("/", "documents").value_or(0);
    tables.document = m_file.textAttribute("/", "document").value_or(std::string());
    const std::string group = "lens/listed";
    HEADSCOPE_TRY(const Frame frame, readFrame(m_file, group, kLensTokensFrame));
    const auto textsOf = [&frame](std::string_view key) {
        const Column* column = frame.find(key);
        return column == nullptr ? nullptr : std::get_if<Column::Texts>(&column->values);
    };
    const Column* layers = frame.find("layer");
    const Column* heads = frame.find("head");
    const Column* documents = frame.find("documents");
    const Column* ids = frame.find("id");
    const Column::Reals* logits = realsOf(frame, "logit");
    const Column::Texts* lists = textsOf("list");
    const Column::Texts* tokens = textsOf("token");
    const Column::Texts* reads = textsOf("read");
    if (frame.rows() == 0)
        return tables;
    if (layers == nullptr || heads == nullptr || logits == nullptr || lists == nullptr || tokens == nullptr)
        return bad(group, "expected columns of heads, lists, tokens and logits, found others");
    for (std::size_t row = 0; row < lists->size(); ++row)
    {
        const auto layer = static_cast<std::int64_t>(layers->at(Facet::Value, row));
        const auto head = static_cast<std::int64_t>(heads->at(Facet::Value, row)) - 1;
        if (layer < 0 || layer > kMost || head < 0 || head >= tables.heads)
            return bad(group, fmt::format("expected a head of the model, found layer {}, head {} in row {}", layer,
                                          head + 1, row));
        const std::string read = reads == nullptr ? std::string() : (*reads)[row];
        std::vector<LensWord>& into = listOf(tables, {layer, head, read, {}, {}, {}, {}}, (*lists)[row]);
        const double id = ids == nullptr ? -1 : ids->at(Facet::Value, row);
        into.push_back({(*tokens)[row], id >= 0 && id < 1e9 ? static_cast<std::int64_t>(id) : -1, (*logits)[row],
                        documents == nullptr ? 0 : static_cast<std::int64_t>(documents->at(Facet::Value, row))});
    }
    return tables;
}

} // namespace

Status publishCircuits(Hdf5Writer& file, const CircuitSource& source, const Members& facts)
{
    const std::string name = fmt::format("headscope-{}", source.verb);
    const auto* const format = std::ranges::find(kFormats, name, &FileFormat::name);
    HEADSCOPE_ASSERT(format != std::end(kFormats));
    HEADSCOPE_CHECK(writeFormat(file, *format));
    HEADSCOPE_CHECK(writeFacts(file, "/", {{"command", source.command}, {"model", source.model}}));
    HEADSCOPE_CHECK(writeFacts(file, "/", facts));
    HEADSCOPE_CHECK(file.makeGroup(kHashes));
    HEADSCOPE_CHECK(writeFacts(file, kHashes, Members(source.hashes.begin(), source.hashes.end())));
    return publishSealed(file);
}

Result<CircuitResult> readCircuitFile(const std::filesystem::path& path, JobContext& job)
{
    HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(path, job));
    const CircuitParts parts(file);
    const std::string name = file.textAttribute("/", "format").value_or(std::string());
    const auto* const format = std::ranges::find(kFormats, name, &FileFormat::name);
    if (format == std::end(kFormats))
        return parts.bad("format", fmt::format("expected a file of contributions, composition or lens of "
                                               "headscope-engine, found {}",
                                               name.empty() ? "another" : '"' + name.substr(0, 40) + '"'));
    if (const std::int64_t version = file.integerAttribute("/", "version").value_or(0); version < kVersion)
        return parts.bad("version", fmt::format("expected version {}, found version {}, which has no seal; run "
                                                "headscope-engine again",
                                                kVersion, version));
    HEADSCOPE_CHECK(checkFormat(file, *format));
    CircuitResult result;
    if (name == "headscope-contributions")
    {
        HEADSCOPE_TRY(result.found, parts.contributions());
    }
    else if (name == "headscope-composition")
    {
        HEADSCOPE_TRY(result.found, parts.composition());
    }
    else
    {
        HEADSCOPE_TRY(result.found, parts.lens());
    }
    if (file.has(kHashes))
        for (const std::string& each : file.attributeNames(kHashes))
            result.hashes.emplace_back(each, file.textAttribute(kHashes, each).value_or(std::string()));
    HEADSCOPE_TRY(result.model, parts.text("model"));
    return result;
}

} // namespace headscope
