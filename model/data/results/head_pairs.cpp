// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/head_pairs.h"

#include "model/base/strong_index.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope
{
namespace
{

// clang-format off
constexpr ColumnInfo kHeadPairsColumns[] = {
    {"rank", "Rank", "", "Rank of the pair by CKA (from 1, most similar first)", "", Shown::Index},
    {"head", "Head", "", "Index of the first head or segment (from 1)", "", Shown::Index, "segment"},
    {"other_head", "Other head", "", "Index of the second head or segment (from 1)", "", Shown::Index, "other segment"},
    {"cka", "CKA", "",
     "Linear CKA of the two heads or segments over the same documents; 1 where the similarities between documents are "
     "the same up to scale",
     "The debiased estimate is about 0 on average for unrelated heads and may be negative; the biased estimate is "
     "above 0"},
    {"mean_cosine", "Cosine of means", "", "Cosine of the mean vectors of the two heads or segments, -1 to 1",
     "Offsets only, not what varies between documents"},
    {"neighbor_overlap", "Shared neighbours", "",
     "Proportion of a document's nearest documents that the two heads or segments share, mean over documents; chance "
     "is neighbours / (documents - 1)", "", Shown::Share},
};
constexpr Slot kFile[] = {{"rank"}, {"head"}, {"other_head"}, {"cka"}, {"mean_cosine"}, {"neighbor_overlap"},
    {"cka", Facet::Low}, {"cka", Facet::High}, kRest};
// clang-format on

} // namespace

constinit const FrameInfo kHeadPairsFrame = {.key = "pairs", .columns = kHeadPairsColumns, .file = kFile};

bool isMoreAlike(double a, double b)
{
    return std::isnan(b) ? !std::isnan(a) : a > b;
}

std::vector<LikePair> likePairs(const HeadRedundancy& alike, const std::vector<std::int64_t>& heads)
{
    std::vector<LikePair> pairs;
    for (std::size_t a = 0; a < heads.size(); ++a)
        for (std::size_t b = a + 1; b < heads.size(); ++b)
            if (heads[b] < alike.cka.rows())
                pairs.push_back({heads[a], heads[b], alike.cka(heads[a], heads[b]),
                                 alike.ckaLow.rows() > 0
                                     ? Interval{alike.ckaLow(heads[a], heads[b]), alike.ckaHigh(heads[a], heads[b])}
                                     : Interval(),
                                 alike.meanCosine(heads[a], heads[b]), alike.neighborOverlap(heads[a], heads[b])});
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const LikePair& a, const LikePair& b) { return isMoreAlike(a.cka, b.cka); });
    return pairs;
}

Frame headPairsFrame(std::span<const LikePair> pairs, std::string_view unit)
{
    using P = LikePair;
    const auto numbers = [pairs](std::int64_t P::*head) {
        return columnValues(pairs, [head](const P& pair) { return shownNumber(HeadIndex(pair.*head)); });
    };
    Column::Wholes ranks(pairs.size());
    std::iota(ranks.begin(), ranks.end(), 1);
    Frame frame(kHeadPairsFrame);
    frame.add("rank", std::move(ranks));
    frame.add("head", numbers(&P::first)).named(std::string(unit));
    frame.add("other_head", numbers(&P::second)).named("other " + std::string(unit));
    frame.add("cka", columnValues(pairs, &P::cka)).interval(columnValues(pairs, &P::ckaCi95));
    frame.add("mean_cosine", columnValues(pairs, &P::meanCosine));
    frame.add("neighbor_overlap", columnValues(pairs, &P::neighborOverlap));
    return frame;
}

} // namespace headscope
