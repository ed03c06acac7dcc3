// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/head_set_measures.h"
#include "model/analysis/heads/head_sets.h"
#include "model/analysis/probe/multinomial.h"
#include "model/analysis/probe/probe.h"
#include "model/base/numbers/all_finite.h"
#include "model/base/size_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace headscope
{

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
        if (label >= 0 && !allFinite(documents.full(DocumentIndex(document))))
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
                     fmt::format("expected at least 2 different labels among the documents, found {}", probe.m_classes),
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

Result<std::vector<std::int32_t>> HeadTopicProbe::scoresOf(const std::vector<std::int64_t>& heads, int numThreads,
                                                           JobContext& job) const
{
    std::vector<std::int32_t> right(m_test.size());
    if (heads.empty())
        return right;
    const std::int64_t dims = m_documents->dims();
    const auto gather = [&](const std::vector<std::int64_t>& documents) {
        MatrixF rows(std::ssize(documents), std::ssize(heads) * dims);
        for (std::int64_t i = 0; i < rows.rows(); ++i)
            for (std::size_t h = 0; h < heads.size(); ++h)
                std::ranges::copy(m_documents->vector(DocumentIndex(documents[sizeOf(i)]), HeadIndex(heads[h])),
                                  rows.row(i).begin() + static_cast<std::ptrdiff_t>(h) * dims);
        return rows;
    };
    std::vector<std::int32_t> classes;
    for (const std::int64_t document : m_train)
        classes.push_back(m_class[sizeOf(document)]);
    MultinomialOptions options;
    options.relativeGap = 1e-4; // a worth is a count of documents; digits beyond do not move it
    const MatrixF train = gather(m_train);
    HEADSCOPE_TRY(const MultinomialFit fit, fitMultinomial(train.view(), classes, m_classes, options, numThreads, job));
    const MatrixF test = gather(m_test);
    const MatrixD logits = multinomialLogits(test.view(), fit.weights, fit.intercepts, numThreads);
    for (std::int64_t i = 0; i < logits.rows(); ++i)
    {
        const auto row = logits.row(i);
        const auto predicted = std::max_element(row.begin(), row.end()) - row.begin();
        right[sizeOf(i)] = predicted == m_class[sizeOf(m_test[sizeOf(i)])] ? 1 : 0;
    }
    return right;
}

double HeadTopicProbe::majority() const
{
    const auto countsIn = [this](const std::vector<std::int64_t>& documents) {
        std::vector<std::int64_t> counts(sizeOf(m_classes));
        for (const std::int64_t document : documents)
            ++counts[sizeOf(m_class[sizeOf(document)])];
        return counts;
    };
    const auto trained = countsIn(m_train);
    if (trained.empty())
        return 0;
    const auto commonest = static_cast<std::size_t>(std::max_element(trained.begin(), trained.end()) - trained.begin());
    return shareOf(countsIn(m_test)[commonest], tested());
}

Result<std::vector<std::vector<std::int32_t>>> HeadTopicProbe::scores(const std::vector<bool>& kept,
                                                                      std::span<const std::vector<std::int64_t>> flips,
                                                                      int numThreads, JobContext& job) const
{
    std::vector<std::vector<std::int32_t>> scores;
    for (const auto& flip : flips)
    {
        HEADSCOPE_TRY(auto right, scoresOf(headsAfter(kept, flip), numThreads, job));
        scores.push_back(std::move(right));
    }
    return scores;
}

Result<std::vector<HeadSetScore>> HeadTopicProbe::flipped(const std::vector<bool>& kept,
                                                          std::span<const std::vector<std::int64_t>> flips,
                                                          int numThreads, JobContext& job) const
{
    HEADSCOPE_TRY(const auto tests, scores(kept, flips, numThreads, job));
    std::vector<HeadSetScore> results;
    for (const auto& right : tests)
    {
        const std::int64_t hits = sumOf(right);
        results.push_back({shareOf(hits, tested()), hits});
    }
    return results;
}

} // namespace headscope
