// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/circuits/lens_frame.h"

#include "model/data/frame/frame_text.h"
#include "model/data/frame/place_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace headscope
{
namespace
{

using S = Shown;
using enum Facet;

// clang-format off
constexpr ColumnInfo kLensHead = {"head", "Head", "", "Index of the head (from 1)", "", S::Index};
constexpr ColumnInfo kLensRead = {"read", "Token read", "", "Token whose embedding is the head's input, without "
                                                            "position or earlier layers", "", S::Text};
constexpr ColumnInfo kLensColumns[] = {
    kLayerColumn,
    kLensHead,
    kLensRead,
    {"read_id", "Id of the token read", "", "Id of the token that the head reads", "", S::Count},
    {"highest", "Highest logits", "", "Tokens with the highest logits of what the head adds, in quotation marks, each "
     "with the number of documents that list it",
     "Embeddings were not trained to predict tokens, so their logits are only a reading aid", S::Text},
    {"lowest", "Lowest logits", "", "Tokens with the lowest logits of what the head adds, in the same form", "", S::Text},
    {"attends_to", "Attends to", "", "Tokens with the highest scores as keys for the token read, at distance 0",
     "", S::Text},
    {"copying", "Copying", "",
     "Sum of the real parts of the eigenvalues of the head's matrix from token read to logits, divided by the sum of "
     "their absolute values: near 1 the head raises the logit of the token it reads, near -1 it lowers it, near 0 it "
     "does neither (Elhage et al. 2021)"},
    {"copied", "Copied tokens", "",
     "Number of tokens of the vocabulary that are among the ten highest logits when the head reads them", "", S::Count},
    {"up", "Highest", "", "The tokens with the highest logits: token, id, logit, number of documents that list it", "",
     S::Tree},
    {"down", "Lowest", "", "The tokens with the lowest logits, in the same form", "", S::Tree},
    {"keys", "Keys", "", "Tokens with the highest scores as keys for the token read: token, id, score", "", S::Tree},
    {"queries", "Queries", "", "Tokens with the highest scores as queries when the token read is the key, in the same "
                               "form", "", S::Tree},
};
constexpr ColumnInfo kTokenColumns[] = {
    kLayerColumn,
    kLensHead,
    kLensRead,
    {"list", "List", "", "up and down: highest and lowest logits of what the head adds; keys and queries: highest "
     "scores with the token read", "", S::Text},
    {"rank", "Rank", "", "Rank in the list, from 1", "", S::Index},
    {"token", "Token", "", "Text of the token", "", S::Text},
    {"id", "Id", "", "Id of the token", "", S::Count},
    {"logit", "Logit", "",
     "Logit of the token, mean over the documents that list it; for keys and queries, the score before the softmax",
     "Embeddings were not trained to predict tokens, so their logits are only a reading aid"},
    {"documents", "Documents", "", "Number of documents whose list contains the token", "", S::Count},
};
constexpr Slot kLensJson[] = {{"layer"}, {"head"}, {"read"}, {"read_id"}, {"up"}, {"down"}, {"keys"}, {"queries"},
    {"copying"}, {"copied"}};
// A table for each list, since one list fills the lines.
constexpr Slot kHighestText[] = {{"layer"}, {"head"}, {"read"}, {"copying"}, {"copied"}, {"highest"}};
constexpr Slot kLowestText[] = {{"layer"}, {"head"}, {"read"}, {"lowest"}};
constexpr Slot kKeysText[] = {{"layer"}, {"head"}, {"read"}, {"attends_to"}};
// clang-format on
constexpr std::array<Slots, 3> kLensTexts = {kHighestText, kLowestText, kKeysText};

std::string spelled(std::span<const std::string> texts, std::int64_t id)
{
    return id < 0 ? std::string() : texts[static_cast<std::size_t>(id)];
}

/// `"cat" 3, " dog" 2`: blanks in front stay visible.
/// @param counts  whether the number of documents stands behind each token
std::string quoted(const std::vector<LensToken>& list, std::span<const std::string> texts, bool counts)
{
    std::string line;
    for (const LensToken& each : list)
    {
        line += fmt::format("{}\"{}\"", line.empty() ? "" : counts ? ", " : " ", spelled(texts, each.token.id));
        if (counts)
            line += fmt::format(" {}", each.documents);
    }
    return line;
}

Node treeOf(const std::vector<LensToken>& list, std::span<const std::string> texts, bool logits)
{
    NodeList tokens;
    for (const LensToken& each : list)
    {
        Members token = {{"token", spelled(texts, each.token.id)},
                         {"id", each.token.id},
                         {logits ? "logit" : "score", each.token.value}};
        if (each.documents > 0)
            token.emplace_back("documents", each.documents);
        tokens.emplace_back(std::move(token));
    }
    return tokens;
}

struct Listed
{
    const LensHead* head = nullptr;
    std::string_view list;
    std::int64_t rank = 0;
    const LensToken* token = nullptr;
};

std::vector<Listed> listedOf(std::span<const LensHead> heads)
{
    std::vector<Listed> rows;
    for (const LensHead& head : heads)
        for (const auto& [name, list] : {std::pair<std::string_view, const std::vector<LensToken>*>{"up", &head.up},
                                         {"down", &head.down},
                                         {"keys", &head.keys},
                                         {"queries", &head.queries}})
            for (std::size_t i = 0; i < list->size(); ++i)
                rows.push_back({&head, name, static_cast<std::int64_t>(i) + 1, &(*list)[i]});
    return rows;
}

} // namespace

constinit const FrameInfo kLensFrame = {
    .key = "lens_heads", .columns = kLensColumns, .json = kLensJson, .texts = kLensTexts};
constinit const FrameInfo kLensTokensFrame = {.key = "lens", .columns = kTokenColumns, .fileBlank = '_'};

Frame lensFrame(std::span<const LensHead> heads, std::span<const std::string> texts, std::int64_t documents)
{
    const auto of = [heads](auto projection) { return columnValues(heads, projection); };
    const bool weights = documents == 0;
    const auto line = [&](auto member) {
        return of([member, texts, counts = documents > 1](const LensHead& head) {
            return quoted(head.*member, texts, counts);
        });
    };
    const auto tree = [&](auto member, bool logits) {
        return of([member, texts, logits](const LensHead& head) { return treeOf(head.*member, texts, logits); });
    };
    const bool reads = weights && std::ranges::any_of(heads, [](const LensHead& head) { return head.read >= 0; });
    const bool lists = !weights || reads;
    Frame frame(kLensFrame);
    frame.add("layer", of(&LensHead::layer));
    frame.add("head", of([](const LensHead& head) { return head.head + 1; }));
    if (reads)
    {
        frame.add("read",
                  of([texts](const LensHead& head) { return fmt::format("\"{}\"", spelled(texts, head.read)); }));
        frame.add("read_id", of(&LensHead::read));
    }
    if (lists)
    {
        frame.add("highest", line(&LensHead::up));
        frame.add("lowest", line(&LensHead::down));
    }
    if (reads)
        frame.add("attends_to", line(&LensHead::keys));
    if (weights)
        frame.add("copying", of(&LensHead::copying));
    if (std::ranges::any_of(heads, [](const LensHead& head) { return head.copied >= 0; }))
        frame.add("copied", of(&LensHead::copied));
    if (lists)
    {
        frame.add("up", tree(&LensHead::up, true));
        frame.add("down", tree(&LensHead::down, true));
    }
    if (reads)
    {
        frame.add("keys", tree(&LensHead::keys, false));
        frame.add("queries", tree(&LensHead::queries, false));
    }
    return frame;
}

std::string lensTables(const Frame& frame)
{
    std::string text;
    for (const Slots& slots : kLensTexts)
        if (&slots == &kLensTexts.front() || frame.find(slots.back().column) != nullptr)
            text += (text.empty() ? "" : "\n") + frameText(frame, slots);
    return text;
}

Frame lensTokensFrame(std::span<const LensHead> heads, std::span<const std::string> texts, bool weights)
{
    const std::vector<Listed> rows = listedOf(heads);
    const auto of = [&rows](auto projection) { return columnValues(rows, projection); };
    Frame frame(kLensTokensFrame);
    if (rows.empty())
        return frame;
    frame.add("layer", of([](const Listed& row) { return row.head->layer; }));
    frame.add("head", of([](const Listed& row) { return row.head->head + 1; }));
    if (weights)
        frame.add("read", of([texts](const Listed& row) { return spelled(texts, row.head->read); }));
    frame.add("list", of(&Listed::list));
    frame.add("rank", of(&Listed::rank));
    frame.add("token", of([texts](const Listed& row) { return spelled(texts, row.token->token.id); }));
    frame.add("id", of([](const Listed& row) { return row.token->token.id; }));
    frame.add("logit", of([](const Listed& row) { return row.token->token.value; }));
    if (!weights)
        frame.add("documents", of([](const Listed& row) { return row.token->documents; }));
    return frame;
}

} // namespace headscope
