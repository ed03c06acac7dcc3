// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/head_examples_frame.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace headscope
{
namespace
{

using S = Shown;

// clang-format off
constexpr ColumnInfo kHeadExamplesColumns[] = {
    {"kind", "Kind", "",
     "Why the token is listed: one of the largest activations, or a random sample from a decile of all activations", "",
     S::Text},
    {"document", "Document", "", "Name of the document", "", S::Text},
    {"token", "Token", "", "Position of the token in the document, from 0", "", S::Index},
    {"text", "Text", "", "Text of the token", "", S::Text},
    {"activation", "Activation", "", "L2 norm of the head output z at the token, before the output projection",
     "Not what the head adds to the residual stream, because the output projection still transforms it"},
    {"strongest", "Strongest", "", "Position of the key token with the largest attention weight, from 0", "", S::Index},
    {"strongest_text", "Strongest token", "", "Text of that key token", "", S::Text},
    {"strongest_weight", "Weight on key", "", "Attention weight on that key token, 0 to 1", ""},
    {"first_weight", "Weight on first", "", "Attention weight on the document's first token, 0 to 1",
     "The first token often serves as an attention sink"},
    {"context", "Context", "", "Text around the token", "", S::Text},
};
// clang-format on

/// A token, and why it is shown.
struct Row
{
    std::string kind;
    std::size_t token = 0; ///< among all
    TokenPlace place;
};

} // namespace

constinit const FrameInfo kHeadExamplesFrame = {.key = "head", .columns = kHeadExamplesColumns};

Frame headExamplesFrame(const HeadCorpus& corpus, const std::function<std::string(std::int64_t)>& context)
{
    std::vector<Row> rows;
    const auto addRows = [&](const std::string& kind, const std::vector<HeadExample>& examples) {
        for (const HeadExample& each : examples)
            rows.push_back({kind, static_cast<std::size_t>(each.token), corpus.placeOf(each.token)});
    };
    addRows("strongest", corpus.top);
    for (std::size_t decile = 0; decile < kDeciles; ++decile)
        addRows("decile " + std::to_string(decile + 1), corpus.deciles[decile]);

    const auto of = [&rows](auto projection) { return columnValues(rows, projection); };
    const auto spelling = [&corpus](std::size_t token) { return corpus.spellingOf(corpus.ids[token]); };
    const auto strongest = [&corpus](const Row& row) { return corpus.strongest[row.token]; };
    Frame frame(kHeadExamplesFrame);
    frame.add("kind", of(&Row::kind));
    frame.add("document", of([&](const Row& row) { return corpus.documents[row.place.document.index()]; }));
    frame.add("token", of([](const Row& row) { return row.place.token.value(); }));
    frame.add("text", of([&](const Row& row) { return spelling(row.token); }));
    frame.add("activation", of([&](const Row& row) { return corpus.activations[row.token]; }));
    frame.add("strongest", of(strongest));
    frame.add("strongest_text", of([&](const Row& row) {
                  return spelling(
                      static_cast<std::size_t>(corpus.offsets[row.place.document.index()] + strongest(row)));
              }));
    frame.add("strongest_weight", of([&](const Row& row) { return corpus.strongestWeights[row.token]; }));
    frame.add("first_weight", of([&](const Row& row) { return corpus.firstWeights[row.token]; }));
    frame.add("context", of([&](const Row& row) { return context(static_cast<std::int64_t>(row.token)); }));
    return frame;
}

} // namespace headscope
