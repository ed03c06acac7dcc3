// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/measures/name_frame.h"

#include "app/results/smallest_q.h"
#include "model/analysis/statistics/permutations.h"
#include "model/base/text/split_text.h"
#include "model/data/frame/frame_text.h"
#include "model/data/frame/method_names.h"
#include "model/data/frame/place_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <ranges>
#include <utility>

namespace headscope
{
namespace
{

using S = Shown;
using enum Facet;

constexpr std::string_view kTextsPermuted = "values of each dimension permuted among the texts";
constexpr std::size_t kShownCharacters = 48; ///< of a text in the printed table

// clang-format off
constexpr ColumnInfo kHeadNumber = {
    "head", "Head", "", "Index of the head or segment (from 1)", "", S::Index, "segment"};
constexpr ColumnInfo kHeadColumns[] = {
    kLayerColumn,
    kHeadNumber,
    {"documents", "Documents", "", "Number of documents used to choose the texts", "", S::Count},
    {"held_out_documents", "Held-out documents", "", "Number of documents on which the explained variance is "
                                                     "measured", "",
     S::Count},
    {"left_out", "Excluded documents", "", "Number of documents excluded because their vectors contain NaN or infinity", "",
     S::Count},
    {"left_out_texts", "Excluded texts", "", "Number of texts excluded because their vectors contain NaN or infinity", "",
     S::Count},
    {"words", "Texts", "", "The chosen texts in order of choice: text, variance (that the text adds on the documents "
     "used to choose it), held_out (variance of the held-out documents that this and the earlier texts "
     "explain)", "", S::Tree},
    {"held_out", "Held-out variance", "",
     "Proportion of the held-out documents' variance that lies in the span of the chosen texts' vectors, compared with "
     "texts chosen in the same way from permuted vectors",
     "Any texts explain a head whose variance lies in few directions: compare the value with the permuted "
     "mean", S::Share},
};
constexpr ColumnInfo kNameColumns[] = {
    kLayerColumn,
    kHeadNumber,
    {"step", "Step", "", "Position of the text in the order of choice (from 1)", "", S::Index},
    {"text", "Text", "", "The chosen text", "The text names a direction; its sign is unknown", S::Text},
    {"variance", "Variance", "",
     "Proportion of the vectors' variance that the text adds to the earlier texts, on the documents used to choose "
     "it", "",
     S::Share},
    {"explained", "Variance together", "", "Proportion of the vectors' variance that this and the earlier texts "
     "explain together, on the documents used to choose them", "", S::Share},
    {"held_out", "Held-out variance", "",
     "Proportion of the held-out documents' variance that lies in the span of the vectors of this and the earlier "
     "texts", "",
     S::Share},
};
constexpr Slot kHeadJson[] = {{"layer"}, {"head"}, {"documents"}, {"held_out_documents"}, {"left_out"},
    {"left_out_texts"}, {"words"}, {"held_out"}, {"held_out", Span, "ci95"}, {"held_out", IntervalMethod, "ci95_method"}, {"held_out", P, "null_p"},
    {"held_out", Q, "null_q"}, {"held_out", Null, "null_mean"}, {"held_out", NullMethod, "null"}};
constexpr Slot kHeadText[] = {{"head", Value, "{}"}, {"held_out", Span}, {"held_out", Null, "permuted"},
    {"held_out", P, "p"}, {"held_out", Q, "q"}};
constexpr Slot kNameText[] = {{"head", Value, "{}"}, {"step"}, {"variance"}, {"explained", Value, "together"},
    {"held_out"}, {"text"}};
// clang-format on
constexpr std::array<Slots, 1> kHeadTexts = {kHeadText};
constexpr std::array<Slots, 1> kNameTexts = {kNameText};

double lastOf(const std::vector<double>& shares)
{
    return shares.empty() ? std::numeric_limits<double>::quiet_NaN() : shares.back();
}

/// What each text adds to those before it.
std::vector<double> gainsOf(const std::vector<double>& shares)
{
    std::vector<double> gains;
    for (std::size_t i = 0; i < shares.size(); ++i)
        gains.push_back(shares[i] - (i == 0 ? 0 : shares[i - 1]));
    return gains;
}

NodeList wordsOf(const NamingResult& result, const TextPursuit& pursuit)
{
    const std::vector<double> gains = gainsOf(pursuit.share);
    NodeList words;
    for (std::size_t i = 0; i < gains.size(); ++i)
        words.emplace_back(Members{{"text", result.texts[static_cast<std::size_t>(pursuit.chosen[i])]},
                                   {"variance", gains[i]},
                                   {"held_out", pursuit.heldOut[i]}});
    return words;
}

/// A chosen text.
struct Named
{
    std::int64_t head = 0;
    std::int64_t step = 0;
    std::string text;
    double variance = 0;
    double explained = 0;
    double heldOut = 0;
};

std::vector<Named> rowsOf(const NamingResult& result)
{
    std::vector<Named> rows;
    for (const NamedHead& head : result.heads)
    {
        const TextPursuit& pursuit = head.named.pursuit;
        const std::vector<double> gains = gainsOf(pursuit.share);
        for (std::size_t i = 0; i < gains.size(); ++i)
            rows.push_back({head.head + 1, static_cast<std::int64_t>(i) + 1,
                            result.texts[static_cast<std::size_t>(pursuit.chosen[i])], gains[i], pursuit.share[i],
                            pursuit.heldOut[i]});
    }
    return rows;
}

Frame framed(const NamingResult& result, const std::vector<Named>& rows)
{
    const auto of = [&rows](auto projection) { return columnValues(rows, projection); };
    Frame frame(kNamesFrame);
    frame.add("layer", of([&result](const Named&) { return result.layer.value(); }));
    frame.add("head", of(&Named::head)).named(std::string(unitName(result.stage)));
    frame.add("step", of(&Named::step));
    frame.add("text", of(&Named::text));
    frame.add("variance", of(&Named::variance));
    frame.add("explained", of(&Named::explained));
    frame.add("held_out", of(&Named::heldOut));
    return frame;
}

/// A count that may differ between heads; "" where it is 0 for all.
std::string rangeText(const NamingResult& result, std::int64_t NamedVectors::*count, std::string_view what)
{
    const auto of = [count](const NamedHead& head) { return head.named.*count; };
    const auto [least, most] = std::ranges::minmax(result.heads | std::views::transform(of));
    if (most == 0)
        return {};
    return least == most ? fmt::format("{} {}", most, what) : fmt::format("{} to {} {}", least, most, what);
}

/// Which documents and texts no head is named by, as a line; "" where there are none.
std::string excludedText(const NamingResult& result)
{
    if (result.heads.empty())
        return {};
    std::vector<std::string> parts;
    for (std::string part : {rangeText(result, &NamedVectors::leftOut, "documents"),
                             rangeText(result, &NamedVectors::leftOutTexts, "texts")})
        if (!part.empty())
            parts.push_back(std::move(part));
    return parts.empty() ? std::string()
                         : fmt::format("Excluded by {}, because their vectors contain NaN or infinity: {}.\n",
                                       unitName(result.stage), fmt::join(parts, ", "));
}

/// As much of a text as a line has room for, cut between characters.
std::string shortened(const std::string& text)
{
    const std::string_view beginning = beginningOf(text, kShownCharacters);
    return beginning.size() == text.size() ? text : std::string(beginning) + "...";
}

} // namespace

constinit const FrameInfo kNamedHeadsFrame = {
    .key = "named_heads", .columns = kHeadColumns, .json = kHeadJson, .texts = kHeadTexts};
constinit const FrameInfo kNamesFrame = {.key = "name", .columns = kNameColumns, .texts = kNameTexts};

Frame namedHeadsFrame(const NamingResult& result)
{
    const auto& heads = result.heads;
    const auto of = [&heads](auto projection) { return columnValues(heads, projection); };
    std::vector<double> p;
    for (const NamedHead& head : heads)
        p.push_back(head.named.null.p);
    Frame frame(kNamedHeadsFrame);
    frame.add("layer", of([&result](const NamedHead&) { return result.layer.value(); }));
    frame.add("head", of([](const NamedHead& head) { return head.head + 1; }))
        .named(std::string(unitName(result.stage)));
    frame.add("documents", of([](const NamedHead& head) { return head.named.documents; }));
    frame.add("held_out_documents", of([](const NamedHead& head) { return head.named.heldOut; }));
    frame.add("left_out", of([](const NamedHead& head) { return head.named.leftOut; }));
    frame.add("left_out_texts", of([](const NamedHead& head) { return head.named.leftOutTexts; }));
    frame.add("words", of([&result](const NamedHead& head) { return Node(wordsOf(result, head.named.pursuit)); }));
    frame.add("held_out", of([](const NamedHead& head) { return lastOf(head.named.pursuit.heldOut); }))
        .interval(of([](const NamedHead& head) { return head.named.heldOutCi95; }), kBootstrap)
        .null(of([](const NamedHead& head) { return head.named.null; }),
              result.permutations > 0 ? kTextsPermuted : std::string_view())
        .set(Q, benjaminiHochberg(p));
    return frame;
}

Frame namesFrame(const NamingResult& result)
{
    return framed(result, rowsOf(result));
}

std::string namingText(const NamingResult& result)
{
    std::vector<Named> rows = rowsOf(result);
    for (Named& row : rows)
        row.text = shortened(row.text);
    constexpr Slot kExplained[] = {{"variance"}, {"held_out"}};
    constexpr Slot kSummary[] = {{"held_out"}};
    std::string text = fmt::format("{}\n{}", frameText(framed(result, rows)), columnWords(kNamesFrame, kExplained));
    text += fmt::format("\nAll texts of a {} together:\n\n{}\n{}Brackets: 95%, {}.", unitName(result.stage),
                        frameText(namedHeadsFrame(result)), columnWords(kNamedHeadsFrame, kSummary), kBootstrap);
    if (result.permutations > 0)
        text += fmt::format(" p: {} permutations ({}); q: Benjamini-Hochberg over the rows.\n{}", result.permutations,
                            kTextsPermuted, smallestQText(std::ssize(result.heads), result.permutations));
    else
        text += "\n";
    return text + excludedText(result);
}

} // namespace headscope
