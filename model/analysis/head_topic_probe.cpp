// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/head_set_measures.h"
#include "model/analysis/head_sets.h"
#include "model/analysis/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace headscope
{
namespace
{

std::size_t sizeOf(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

} // namespace

Result<HeadTopicProbe> HeadTopicProbe::create(const HeadVectors& documents, std::span<const std::int32_t> labels,
                                              double testShare, std::uint64_t seed)
{
    HeadTopicProbe probe;
    probe.m_documents = &documents;
    probe.m_class.assign(labels.begin(), labels.end());
    std::map<std::int32_t, std::int32_t> numbers;
    std::vector<std::int64_t> usable;
    for (std::int64_t document = 0; document < documents.documents(); ++document)
    {
        std::int32_t& label = probe.m_class[sizeOf(document)];
        if (label >= 0 && !allFinite(documents.full(document)))
        {
            ++probe.m_leftOut;
            label = -1;
        }
        if (label < 0)
            continue;
        usable.push_back(document);
        numbers.try_emplace(label, 0);
    }
    for (auto& [label, number] : numbers)
        number = static_cast<std::int32_t>(probe.m_classes++);
    if (probe.m_classes < 2)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected documents of at least 2 labels to tell apart, found {}", probe.m_classes),
                     {},
                     {}};
    for (const std::int64_t document : usable)
        probe.m_class[sizeOf(document)] = numbers.at(probe.m_class[sizeOf(document)]);
    const MatrixF rows(static_cast<std::int64_t>(usable.size()), 1);
    ProbeInput input;
    input.rows = rows.view();
    ProbeOptions options;
    options.testShare = testShare;
    options.seed = seed;
    options.split = ProbeSplit::Rows; // a row is a document here
    HEADSCOPE_TRY(const RowSplit split, splitForProbe(input, options));
    for (const std::int64_t row : split.train)
        probe.m_train.push_back(usable[sizeOf(row)]);
    for (const std::int64_t row : split.test)
        probe.m_test.push_back(usable[sizeOf(row)]);
    return probe;
}

MatrixF HeadTopicProbe::gather(const std::vector<std::int64_t>& documents, const std::vector<std::int64_t>& heads) const
{
    const std::int64_t dims = m_documents->dims();
    MatrixF rows(std::ssize(documents), std::ssize(heads) * dims);
    for (std::int64_t i = 0; i < rows.rows(); ++i)
        for (std::size_t h = 0; h < heads.size(); ++h)
            std::ranges::copy(m_documents->vector(documents[sizeOf(i)], heads[h]),
                              rows.row(i).begin() + static_cast<std::ptrdiff_t>(h) * dims);
    return rows;
}

Result<HeadTopicProbe::Fitted> HeadTopicProbe::fitOf(const std::vector<std::int64_t>& heads, const Fitted* near,
                                                     int numThreads, JobContext& job) const
{
    const std::int64_t dims = m_documents->dims();
    std::vector<std::int32_t> classes;
    for (const std::int64_t document : m_train)
        classes.push_back(m_class[sizeOf(document)]);
    MultinomialOptions options;
    options.relativeGap = 1e-4; // a worth is a count of documents; digits beyond do not move it
    MultinomialStart start;
    if (near != nullptr)
    {
        // Heads that stay keep their weights, new ones begin at zero; about the mean the intercepts stay as they are.
        start.weights = MatrixD(m_classes, std::ssize(heads) * dims);
        start.atMean = near->fit.atMean;
        for (std::size_t h = 0; h < heads.size(); ++h)
        {
            const auto found = std::lower_bound(near->heads.begin(), near->heads.end(), heads[h]);
            if (found == near->heads.end() || *found != heads[h])
                continue;
            const auto from = (found - near->heads.begin()) * dims;
            for (std::int64_t k = 0; k < m_classes; ++k)
                std::copy_n(near->fit.weights.row(k).begin() + from, dims,
                            start.weights.row(k).begin() + static_cast<std::ptrdiff_t>(h) * dims);
        }
    }
    const MatrixF train = gather(m_train, heads);
    Fitted fitted{heads, {}};
    HEADSCOPE_TRY(fitted.fit, fitMultinomial(train.view(), classes, m_classes, options, numThreads, job,
                                             near != nullptr ? &start : nullptr));
    return fitted;
}

Result<HeadSetScore> HeadTopicProbe::scoreOf(const Fitted& fitted, int numThreads) const
{
    const MatrixF test = gather(m_test, fitted.heads);
    const MatrixD logits = multinomialLogits(test.view(), fitted.fit.weights, fitted.fit.intercepts, numThreads);
    HeadSetScore score;
    for (std::int64_t i = 0; i < logits.rows(); ++i)
    {
        const auto row = logits.row(i);
        const auto predicted = std::max_element(row.begin(), row.end()) - row.begin();
        score.hits += predicted == m_class[sizeOf(m_test[sizeOf(i)])] ? 1 : 0;
    }
    score.value = shareOf(score.hits, tested());
    return score;
}

Result<std::vector<HeadSetScore>> HeadTopicProbe::flipped(const std::vector<bool>& kept,
                                                          std::span<const std::vector<std::int64_t>> flips,
                                                          int numThreads, JobContext& job) const
{
    // Sets that differ in a head or two lie near each other: each begins where the kept heads end.
    std::optional<Fitted> base;
    const auto keptHeads = headsAfter(kept, {});
    if (flips.size() > 1 && !keptHeads.empty())
    {
        HEADSCOPE_TRY(base, fitOf(keptHeads, nullptr, numThreads, job));
    }
    std::vector<HeadSetScore> scores;
    for (const auto& flip : flips)
    {
        const auto heads = headsAfter(kept, flip);
        if (heads.empty())
        {
            scores.emplace_back();
            continue;
        }
        HEADSCOPE_TRY(const Fitted fitted, fitOf(heads, base ? &*base : nullptr, numThreads, job));
        HEADSCOPE_TRY(const HeadSetScore score, scoreOf(fitted, numThreads));
        scores.push_back(score);
    }
    return scores;
}

} // namespace headscope
