// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/head_measures.h"

#include "model/base/assert.h"
#include "model/base/fields/fields.h"
#include "model/data/attention/attention_columns.h"
#include "model/data/results/head_columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headscope
{
namespace
{

using enum MeasureKind;

constexpr std::string_view kOverTexts = ", then over the texts";
constexpr std::string_view kOverRandomIds = ", then over texts of repeated random ids";

/// A number that the table of one layer has, too, as measures name it.
consteval HeadMeasureInfo as(ColumnInfo column, std::string_view key, std::string_view title, MeasureKind kind)
{
    column.key = key;
    column.title = title;
    return {column, kind};
}

/// A statistic of attention.
consteval HeadMeasureInfo ofAttention(std::string_view key, std::string_view over = kOverTexts)
{
    return {*findAttentionColumn(key), Attention, over};
}

// clang-format off
constexpr std::array kList = {
    HeadMeasureInfo{{"layer", "Layer", "", "Index of the {head}'s layer (from 0)"}, Place},
    HeadMeasureInfo{{"head", "Number", "", "Index of the {head} in its layer (from 1)"}, Place},

    HeadMeasureInfo{kMeanNormColumn, Vectors},
    HeadMeasureInfo{{"sd_norm", "Norm, sd", "",
     "Standard deviation over the documents of the L2 norm of the {head}'s vector"}, Vectors},
    HeadMeasureInfo{kSpreadColumn, Vectors},
    HeadMeasureInfo{kScoreColumn, Vectors},

    HeadMeasureInfo{{"cka_layer", "Redundancy", "",
     "Debiased linear CKA with the other {heads} of the layer, mean over them; about 0 on average for unrelated "
     "{heads}, may be negative"}, Likeness},
    HeadMeasureInfo{{"cka_group", "Redundancy within the group", "",
     "Debiased linear CKA with the other heads of the KV group, mean over them"}, Likeness},
    HeadMeasureInfo{{"cka_others", "Redundancy outside the group", "",
     "Debiased linear CKA with the heads of the layer's other KV groups, mean over them"}, Likeness},
    HeadMeasureInfo{{"mean_cosine", "Cosine of means", "",
     "Cosine of the {head}'s mean vector with the mean vectors of the other {heads} of the layer, mean over them: "
     "offsets only, not the variation between documents"}, Likeness},
    HeadMeasureInfo{{"overlap", "Shared neighbours", "",
     "Proportion of a document's 10 nearest documents by this {head} (cosine) that are also among its 10 nearest "
     "documents by another {head} of the layer; mean over documents and over the other {heads}"}, Likeness},

    as(kMatchColumn, "match", "Match at 1", Labels),
    HeadMeasureInfo{{"purity", "Purity", "",
     "Proportion of a labelled document's 10 nearest labelled documents that have the document's label, mean over the "
     "documents. Nearness is the cosine of the vectors of this {head} only",
     "The jackknife interval is conservative (coverage 0.98 to 1.00 in simulations)"}, Labels},
    as(kSelectivityColumn, "selectivity", "Selectivity (unbiased)", Labels),
    as(kSimilarityColumn, "similarity", "Cosine with the topic", Labels),
    as(kFollowsColumn, "follows", "Follows the full vector", Labels),
    HeadMeasureInfo{kEvennessColumn, Labels},
    HeadMeasureInfo{{"left_out", "Effect of removal", "",
     "Match at 1 of the layer's cached vectors without this {head}, minus the match at 1 with all {heads}",
     "The model is not run without the {head}. Not tested where fewer than 6 documents change; where few documents "
     "change, a p near 1 does not rule out a loss"}, Labels},
    HeadMeasureInfo{{"label_probe", "Label predicted by a probe", "",
     "Proportion of held-out documents whose label a linear probe predicts correctly from this {head}'s vectors only, "
     "mean over the splits"}, Labels},

    ofAttention("entropy"),
    ofAttention("entropy_causal"),
    ofAttention("first_token"),
    ofAttention("previous_token"),
    ofAttention("self_token"),
    ofAttention("confidence"),
    ofAttention("largest", ", mean over the texts"),
    ofAttention("induction", kOverRandomIds),
    ofAttention("duplicate_token", kOverRandomIds),

    HeadMeasureInfo{{"pattern", "Cluster by pattern", "",
     "Cluster of the head by its attention statistics, each standardised over all heads: Ward's clustering "
     "(Euclidean) with the selected number of clusters; whether heads form distinct kinds is not tested"}, Pattern},
};
// clang-format on

void replaceAll(std::string& text, std::string_view what, std::string_view by)
{
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
}

std::size_t orderOf(std::string_view key)
{
    const auto at = std::ranges::find(kList, key, &HeadMeasureInfo::key);
    return static_cast<std::size_t>(at - kList.begin());
}

} // namespace

std::string_view measureKindTitle(MeasureKind kind)
{
    switch (kind)
    {
    case Place:
        return "Place";
    case Vectors:
        return "Vectors";
    case Likeness:
        return "Similarity within the layer";
    case Labels:
        return "Labels";
    case Attention:
        return "Attention";
    case Pattern:
        return "Pattern";
    case File:
        break;
    }
    return "From a file";
}

std::span<const HeadMeasureInfo> headMeasureList()
{
    return kList;
}

const HeadMeasureInfo* findMeasureInfo(std::string_view key)
{
    const std::size_t at = orderOf(key);
    return at < kList.size() ? &kList[at] : nullptr;
}

std::string HeadMeasureInfo::sentences(Stage stage) const
{
    const bool isHead = stage == Stage::HeadOutput;
    std::string words(definition);
    words += over;
    words += '.';
    if (!caution.empty())
        words.append(" ").append(caution) += '.';
    replaceAll(words, "{heads}", isHead ? "heads" : "segments");
    replaceAll(words, "{head}", isHead ? "head" : "segment");
    return words;
}

bool HeadMeasure::has(std::int64_t layer, std::int64_t head) const
{
    return layer >= 0 && layer < value.rows() && head >= 0 && head < value.cols() && std::isfinite(value(layer, head));
}

Interval HeadMeasure::intervalAt(std::int64_t layer, std::int64_t head) const
{
    if (low.empty() || high.empty())
        return {};
    return {low(layer, head), high(layer, head)};
}

std::int64_t HeadMeasure::known() const
{
    return std::ranges::count_if(value.values(), [](double each) { return std::isfinite(each); });
}

MatrixD noValues(std::int64_t layers, std::int64_t heads)
{
    MatrixD values(layers, heads);
    std::ranges::fill(values.values(), std::numeric_limits<double>::quiet_NaN());
    return values;
}

HeadMeasure measureOf(std::string_view key, Stage stage, std::int64_t layers, std::int64_t heads)
{
    const HeadMeasureInfo* const info = findMeasureInfo(key);
    HEADSCOPE_ASSERT(info != nullptr);
    HeadMeasure measure;
    measure.key = info->key;
    measure.title = info->title;
    measure.unit = info->unit;
    measure.definition = info->sentences(stage);
    measure.kind = info->kind;
    measure.value = noValues(layers, heads);
    return measure;
}

const HeadMeasure* HeadMeasures::find(std::string_view key) const
{
    const auto at = std::ranges::find(measures, key, &HeadMeasure::key);
    return at == measures.end() ? nullptr : &*at;
}

std::vector<HeadMeasure> placeMeasures(Stage stage, std::int64_t layers, std::int64_t heads)
{
    HeadMeasure layer = measureOf("layer", stage, layers, heads);
    HeadMeasure head = measureOf("head", stage, layers, heads);
    head.title = stage == Stage::HeadOutput ? "Head" : "Segment";
    for (std::int64_t l = 0; l < layers; ++l)
        for (std::int64_t h = 0; h < heads; ++h)
        {
            layer.value(l, h) = static_cast<double>(l);
            head.value(l, h) = static_cast<double>(h + 1);
        }
    layer.source = head.source = "the model";
    std::vector<HeadMeasure> both;
    both.push_back(std::move(layer));
    both.push_back(std::move(head));
    return both;
}

std::shared_ptr<const HeadMeasures> withMeasures(const HeadMeasures& measures, std::vector<HeadMeasure> others)
{
    auto joined = std::make_shared<HeadMeasures>(measures);
    for (HeadMeasure& other : others)
    {
        const auto at = std::ranges::find(joined->measures, other.key, &HeadMeasure::key);
        if (at == joined->measures.end())
            joined->measures.push_back(std::move(other));
        else
            *at = std::move(other);
    }
    std::ranges::stable_sort(joined->measures, {}, [](const HeadMeasure& each) { return orderOf(each.key); });
    return joined;
}

std::shared_ptr<const HeadMeasures> withoutKind(const HeadMeasures& measures, MeasureKind kind)
{
    auto rest = std::make_shared<HeadMeasures>(measures);
    std::erase_if(rest->measures, [kind](const HeadMeasure& each) { return each.kind == kind; });
    return rest;
}

void fields(Fields& f, AtlasOptions& o)
{
    f("order", o.isOrdered)
        .label("Order by pattern",
               "In each layer, heads with similar attention statistics are next to each other, in the order of the "
               "clustering tree of all heads. Cells show the numbers of the heads.");
    f("clusters", o.clusters)
        .label(
            "Number of clusters by pattern",
            "Number of clusters into which the clustering tree of the heads is divided. It is a choice, not a finding.")
        .within(2, 24)
        .offers(2, 24)
        .unit("clusters");
    f("documents", o.documents)
        .label("Documents for attention",
               "Maximum number of documents whose attention is measured, sampled with the seed from the settings.")
        .countFrom(1)
        .offers(1, 100'000)
        .unit("texts");
}

} // namespace headscope
