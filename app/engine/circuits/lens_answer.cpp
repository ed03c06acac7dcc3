// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/circuits/lens_answer.h"

#include "app/frames/frame_json.h"
#include "model/base/output/output_file.h"
#include "model/base/text/csv_text.h"
#include "model/data/frame/frame_text.h"
#include "model/io/circuits/circuit_file.h"
#include "model/io/frames/frame_file.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <span>
#include <utility>

namespace headscope::engine
{
namespace
{

using List = std::vector<TokenLogit>;

bool isOfWeights(const LensFindings& found)
{
    return found.pooling.empty();
}

std::string unembeddingOf(const LensFindings& found)
{
    return found.outputHead ? "output head" : "token embeddings";
}

/// Its id where one is shown; "": none, or several.
std::string shownDocument(const LensFindings& found)
{
    return found.shown.size() == 1 ? found.documents.ids[found.shown.front()] : std::string();
}

std::vector<LensToken> single(const List& list)
{
    std::vector<LensToken> tokens;
    for (const TokenLogit& token : list)
        tokens.push_back({token, 0});
    return tokens;
}

/// The tokens of several lists: those of most lists first, of equal numbers by the mean of their logits.
/// @param sign  1: the highest first
std::vector<LensToken> joined(const std::vector<const List*>& lists, double sign, std::int64_t top)
{
    std::map<std::int64_t, LensToken> found;
    for (const List* list : lists)
        for (const TokenLogit& token : *list)
        {
            LensToken& own = found[token.id];
            own.token.id = token.id;
            own.token.value += token.value;
            ++own.documents;
        }
    std::vector<LensToken> tokens;
    for (auto& [id, token] : found)
    {
        token.token.value /= static_cast<double>(token.documents);
        tokens.push_back(token);
    }
    std::ranges::stable_sort(tokens, [sign](const LensToken& a, const LensToken& b) {
        return a.documents != b.documents ? a.documents > b.documents : sign * a.token.value > sign * b.token.value;
    });
    tokens.resize(std::min(tokens.size(), static_cast<std::size_t>(top)));
    return tokens;
}

std::vector<LensHead> headsOfDocuments(const LensFindings& found)
{
    const std::size_t perDocument = found.layers.size() * found.heads.size();
    std::vector<LensHead> heads;
    for (std::size_t at = 0; at < perDocument; ++at)
    {
        std::vector<const List*> up;
        std::vector<const List*> down;
        for (const std::size_t document : found.shown)
        {
            const TokenLists& lists = found.lists[document * perDocument + at];
            up.push_back(&lists.up);
            down.push_back(&lists.down);
        }
        LensHead head;
        head.layer = found.layers[at / found.heads.size()];
        head.head = found.heads[at % found.heads.size()];
        head.up = joined(up, 1, found.top);
        head.down = joined(down, -1, found.top);
        heads.push_back(std::move(head));
    }
    return heads;
}

std::vector<LensHead> headsOfWeights(const LensFindings& found)
{
    std::vector<LensHead> heads;
    for (std::size_t layer = 0; layer < found.layers.size(); ++layer)
        for (const WeightsLens& lens : found.weights[layer])
        {
            LensHead head;
            head.layer = found.layers[layer];
            head.head = lens.head;
            head.copying = lens.copying;
            head.copied = lens.copyingTop10;
            for (std::size_t token = 0; token < found.tokens.size(); ++token)
            {
                const TokenLens& own = lens.tokens[token];
                head.read = found.tokens[token];
                head.up = single(own.written.up);
                head.down = single(own.written.down);
                head.keys = single(own.keys.up);
                head.queries = single(own.queries.up);
                heads.push_back(head);
            }
            if (found.tokens.empty())
                heads.push_back(head);
        }
    return heads;
}

Members resultOf(const LensFindings& found)
{
    const TracedDocuments& documents = found.documents;
    Members members = {{"model", found.model},
                       {"sha256", Members(found.hashes.begin(), found.hashes.end())},
                       {"unembedding", unembeddingOf(found)},
                       {"top", found.top},
                       {"not_listed", found.notListed}};
    if (!isOfWeights(found))
    {
        members.emplace_back("pooling", found.pooling);
        members.emplace_back("centered", found.centred);
        members.emplace_back("documents", documents.ids.size());
        members.emplace_back("document", found.shown.size() == 1 ? Node(documents.ids[found.shown.front()]) : Node());
        members.emplace_back("tokens", documents.tokens);
        members.emplace_back("empty", documents.empty);
        members.emplace_back("truncated", documents.truncated);
        members.emplace_back("non_finite", documents.nonFinite);
    }
    members.emplace_back("heads", lensFrame(lensHeads(found), found.tokenTexts, std::ssize(found.shown)));
    return members;
}

/// Writes lists below /lens, all of one shape.
class ListWriter
{
public:
    ListWriter(Hdf5Writer& file, std::int64_t k) : m_file(file), m_k(k) {}

    /// @param shape  of the lists, without k
    Status write(const std::string& ids, const std::string& values, std::vector<std::int64_t> shape,
                 const std::vector<const List*>& lists)
    {
        std::vector<std::int32_t> allIds;
        std::vector<double> allValues;
        for (const List* list : lists)
            for (std::size_t i = 0; i < static_cast<std::size_t>(m_k); ++i)
            {
                allIds.push_back(i < list->size() ? static_cast<std::int32_t>((*list)[i].id) : -1);
                allValues.push_back(i < list->size() ? (*list)[i].value : std::numeric_limits<double>::quiet_NaN());
            }
        shape.push_back(m_k);
        HEADSCOPE_CHECK(
            m_file.write("/lens/" + ids, shape, NumberType::I32, std::as_bytes(std::span<const std::int32_t>(allIds))));
        return m_file.write("/lens/" + values, shape, NumberType::F64,
                            std::as_bytes(std::span<const double>(allValues)));
    }

    /// Both lists of each.
    Status writeBoth(const std::string& group, const std::vector<std::int64_t>& shape,
                     const std::vector<const TokenLists*>& all)
    {
        for (const auto& [name, member] : {std::pair("top", &TokenLists::up), std::pair("bottom", &TokenLists::down)})
        {
            std::vector<const List*> lists;
            for (const TokenLists* each : all)
                lists.push_back(&(each->*member));
            HEADSCOPE_CHECK(write(group + name + "_ids", group + name + "_values", shape, lists));
        }
        return {};
    }

private:
    Hdf5Writer& m_file;
    std::int64_t m_k;
};

std::vector<const TokenLists*> pointersTo(const std::vector<TokenLists>& all)
{
    std::vector<const TokenLists*> pointers;
    for (const TokenLists& each : all)
        pointers.push_back(&each);
    return pointers;
}

Status writeDocumentLists(Hdf5Writer& file, const LensFindings& found)
{
    ListWriter lists(file, found.top);
    const std::string suffix = found.centred ? "_centred/" : "/";
    const std::int64_t documents = std::ssize(found.documents.ids);
    HEADSCOPE_CHECK(lists.writeBoth("head" + suffix, {documents, std::ssize(found.layers), std::ssize(found.heads)},
                                    pointersTo(found.lists)));
    HEADSCOPE_CHECK(lists.writeBoth("embedding" + suffix, {documents}, pointersTo(found.embedding)));
    return file.writeStrings("/documents", found.documents.ids);
}

Status writeWeightLists(Hdf5Writer& file, const LensFindings& found)
{
    ListWriter lists(file, found.top);
    std::vector<double> copying;
    std::vector<double> scores;
    std::vector<const TokenLists*> written;
    std::vector<const List*> keys;
    std::vector<const List*> queries;
    for (const auto& layer : found.weights)
        for (const WeightsLens& head : layer)
        {
            copying.push_back(head.copying);
            scores.insert(scores.end(), head.scores.begin(), head.scores.end());
            for (const TokenLens& token : head.tokens)
            {
                written.push_back(&token.written);
                keys.push_back(&token.keys.up);
                queries.push_back(&token.queries.up);
            }
        }
    const std::vector<std::int64_t> heads = {std::ssize(found.layers), std::ssize(found.heads)};
    HEADSCOPE_CHECK(file.write("/lens/static/copying_eigen", heads, NumberType::F64,
                               std::as_bytes(std::span<const double>(copying))));
    std::vector<std::int32_t> copied;
    for (const auto& layer : found.weights)
        for (const WeightsLens& head : layer)
            copied.push_back(static_cast<std::int32_t>(head.copyingTop10));
    if (!copied.empty() && copied.front() >= 0)
        HEADSCOPE_CHECK(file.write("/lens/static/copying_top10", heads, NumberType::I32,
                                   std::as_bytes(std::span<const std::int32_t>(copied))));
    if (found.tokens.empty())
        return {};
    const std::vector<std::int64_t> shape = {heads[0], heads[1], std::ssize(found.tokens)};
    const std::vector<std::int32_t> tokens(found.tokens.begin(), found.tokens.end());
    HEADSCOPE_CHECK(file.write("/lens/static/tokens", std::array{std::ssize(tokens)}, NumberType::I32,
                               std::as_bytes(std::span<const std::int32_t>(tokens))));
    HEADSCOPE_CHECK(file.write("/lens/static/qk_scores", std::array{heads[0], heads[1], shape[2], shape[2]},
                               NumberType::F64, std::as_bytes(std::span<const double>(scores))));
    HEADSCOPE_CHECK(lists.writeBoth("static/ov/", shape, written));
    HEADSCOPE_CHECK(lists.write("static/top_keys", "static/top_keys_values", shape, keys));
    return lists.write("static/top_queries", "static/top_queries_values", shape, queries);
}

Status writeLensHdf5(const std::filesystem::path& path, const LensFindings& found, const std::string& command)
{
    HEADSCOPE_TRY(auto file, Hdf5Writer::create(path));
    HEADSCOPE_CHECK(isOfWeights(found) ? writeWeightLists(file, found) : writeDocumentLists(file, found));
    const auto numbers = [&file](const std::string& name, const std::vector<std::int64_t>& values) {
        const std::vector<std::int32_t> all(values.begin(), values.end());
        return file.write("/lens/" + name, std::array{std::ssize(all)}, NumberType::I32,
                          std::as_bytes(std::span<const std::int32_t>(all)));
    };
    HEADSCOPE_CHECK(
        writeFrame(file, "lens/listed", lensTokensFrame(lensHeads(found), found.tokenTexts, isOfWeights(found))));
    HEADSCOPE_CHECK(numbers("layers", found.layers));
    HEADSCOPE_CHECK(numbers("heads", found.heads));
    return publishCircuits(file, {"lens", command, found.model, found.hashes},
                           {{"heads", found.modelHeads},
                            {"kv_heads", found.kvHeads},
                            {"documents", std::ssize(found.documents.ids)},
                            {"document", shownDocument(found)},
                            {"centered", found.centred},
                            {"weights", isOfWeights(found)},
                            {"unembedding", unembeddingOf(found)}});
}

} // namespace

std::vector<LensHead> lensHeads(const LensFindings& found)
{
    return isOfWeights(found) ? headsOfWeights(found) : headsOfDocuments(found);
}

std::string lensJson(const LensFindings& found, const Members& more, int indent)
{
    Json json = nodeJson(resultOf(found));
    addMembers(json, more);
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string lensText(const LensFindings& found)
{
    const bool weights = isOfWeights(found);
    const std::size_t shown = found.shown.size();
    std::string text = weights ? std::string("Weights of heads, decoded without a text")
                               : "Tokens with the highest and lowest logits of what heads add to the " +
                                     (shown == 1 ? fmt::format("vector of {}", found.documents.ids[found.shown[0]])
                                                 : fmt::format("vectors of {} documents", shown));
    if (found.centred)
        text += fmt::format(", minus the mean over {} documents", found.documents.ids.size());
    text += fmt::format("\n\n{}\n", lensTables(lensFrame(lensHeads(found), found.tokenTexts, std::ssize(found.shown))));
    if (shown > 1)
        text += fmt::format("For each head: the {0} tokens that are among the {0} highest or lowest of the most "
                            "documents, each with the number of these documents, of {1}.\n",
                            found.top, shown);
    if (weights)
        text += "Heads read only the embedding of each token, without its position, biases or the output of earlier "
                "layers.\n";
    text += found.outputHead
                ? "Logits: the model's output head (unembedding) applied to what the attention head adds to the final "
                  "vector, after the norm.\n"
                : "Logits: the token embeddings applied to what the attention head adds to the final vector, after "
                  "the norm, because the files have no output head.\nIn a model that does not tie token embeddings "
                  "and output head, the two are in different spaces: read the lists with care.\n";
    text +=
        fmt::format("{} ids are not listed because they belong to no token or to a special token. The output head was "
                    "trained to predict tokens, not to explain embeddings, so the lists are only a reading aid.\n",
                    found.notListed);
    return text;
}

Status writeLens(const std::filesystem::path& path, const LensFindings& found, const std::string& command)
{
    if (path.extension() == ".h5")
        return writeLensHdf5(path, found, command);
    if (path.extension() == ".csv")
        return writeCsvFile(
            path, frameCsv(lensTokensFrame(lensHeads(found), found.tokenTexts, isOfWeights(found)), CsvTexts::Plain));
    return writeFileAtomically(path, lensJson(found, {}, 1) + "\n");
}

} // namespace headscope::engine
