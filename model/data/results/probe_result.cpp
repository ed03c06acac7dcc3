// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/probe_result.h"

#include <algorithm>
#include <numeric>

namespace headscope
{

std::string_view baselineName(ProbeBaselineKind kind)
{
    switch (kind)
    {
    case ProbeBaselineKind::MeansRemoved:
        return "means_removed";
    case ProbeBaselineKind::Gaussian:
        return "gaussian";
    case ProbeBaselineKind::RandomCut:
        return "random_cut";
    case ProbeBaselineKind::ControlTask:
        break;
    }
    return "control_task";
}

std::string_view baselineTitle(ProbeBaselineKind kind)
{
    switch (kind)
    {
    case ProbeBaselineKind::MeansRemoved:
        return "means removed";
    case ProbeBaselineKind::Gaussian:
        return "Gaussian noise, same means and variances";
    case ProbeBaselineKind::RandomCut:
        return "random cut of the coordinates";
    case ProbeBaselineKind::ControlTask:
        break;
    }
    return "control task";
}

std::int64_t numTestDocuments(const ProbeResult& result)
{
    std::vector<std::int32_t> documents = result.testDocuments;
    std::sort(documents.begin(), documents.end());
    return std::unique(documents.begin(), documents.end()) - documents.begin();
}

std::vector<std::int64_t> documentsOfCell(const ProbeResult& result, std::int64_t truth, std::int64_t predicted)
{
    std::vector<std::int64_t> documents;
    const std::size_t rows = std::min({result.testDocuments.size(), result.truths.size(), result.predictions.size()});
    for (std::size_t i = 0; i < rows; ++i)
    {
        if (result.truths[i] == truth && result.predictions[i] == predicted)
            documents.push_back(result.testDocuments[i]);
    }
    std::sort(documents.begin(), documents.end());
    documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
    return documents;
}

std::optional<ConfusedPair> mostConfusedPair(const ProbeResult& result)
{
    const auto classes = std::min<std::int64_t>(result.confusion.rows(), std::ssize(result.perHead));
    std::vector<std::int64_t> tested; // rows of each class
    for (std::int64_t i = 0; i < classes; ++i)
    {
        const auto row = result.confusion.row(i);
        tested.push_back(std::accumulate(row.begin(), row.end(), std::int64_t{0}));
    }
    std::optional<ConfusedPair> most;
    for (std::int64_t a = 0; a < classes; ++a)
        for (std::int64_t b = a + 1; b < classes; ++b)
        {
            const std::int64_t rows = result.confusion(a, b) + result.confusion(b, a);
            const std::int64_t of = tested[static_cast<std::size_t>(a)] + tested[static_cast<std::size_t>(b)];
            const double share = of > 0 ? static_cast<double>(rows) / static_cast<double>(of) : 0.0;
            if (rows > 0 && (!most || share > most->share))
                most = {result.perHead[static_cast<std::size_t>(a)].head,
                        result.perHead[static_cast<std::size_t>(b)].head, rows, share};
        }
    return most;
}

} // namespace headscope
