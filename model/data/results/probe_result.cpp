// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/probe_result.h"

#include "model/base/fields/fields.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::array kSplitWords = {FieldWord{"documents", "by documents"},
                                    FieldWord{"rows", "by rows (as in Teimouri et al.)"}};

} // namespace

std::string_view splitName(ProbeSplit split)
{
    return kSplitWords[static_cast<std::size_t>(split)].word;
}

Field& probeWeightField(Fields& f, double& c, std::string about)
{
    return f("c", c, "--c", std::move(about))
        .label("C", "Weight of the data relative to the penalty ½|W|², as in scikit-learn. Larger values fit the "
                    "training vectors more closely and take longer.")
        .within({0, 1e9, true});
}

void fields(Fields& f, ProbeOptions& o)
{
    probeWeightField(f, o.c, "weight of the data relative to the penalty");
    f("test_share", o.testShare, "--test", "fraction of test documents")
        .label("Test fraction", "Fraction of documents (or vectors) that are held out for testing. A larger fraction "
                                "gives narrower intervals but less training data.")
        .within({0, 1, true, true})
        .offersPercent(1, 95);
    f("wanted_train_rows", o.trainRows, "--train", "maximum number of training rows")
        .label("Training vectors")
        .countFrom(0)
        .defaultMeans("all rows that are not tested")
        .but(kFormUse);
    f("split_rows", o.split, kSplitWords, "--split", "unit that is never split between training and test")
        .label("Split", "By documents: all vectors of a document are either in training or in test. By rows: vectors "
                        "are split at random, so one document appears in both.")
        .keptAs("split")
        .numbered();
    f("control", o.control, "--control", "permute labels among all vectors: a leak check")
        .label("Permuted")
        .but(kFormUse | kIdentityUse); // trained beside the other, not in its place
    f("seed", o.seed)                  // typed among the options of every verb
        .label("Seed", "Seed of the split and of the permutations. The same seed gives the same result.")
        .offersWhole(0, std::numeric_limits<int>::max());
    f("max_iterations", o.maxIterations)
        .label("Maximum iterations")
        .within(1, std::numeric_limits<int>::max())
        .only(kRecordUse);
}

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
        return "means subtracted";
    case ProbeBaselineKind::Gaussian:
        return "Gaussian noise, same means and variances";
    case ProbeBaselineKind::RandomCut:
        return "random partition of the dimensions";
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
