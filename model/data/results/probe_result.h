// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "model/data/origin.h"
#include "model/data/results/interval.h"
#include "model/data/results/probe_baseline_results.h"
#include "model/data/stage.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

class Fields;
struct Field;

/// How the rows of a probe are divided into training and test rows.
enum class ProbeSplit
{
    Documents, ///< all heads of one document on the same side
    Rows, ///< rows at random; one document's heads fall on both sides (the protocol of the paper that README.md cites)
};

/// "documents" or "rows".
[[nodiscard]] std::string_view splitName(ProbeSplit split);

struct ProbeOptions
{
    double c = 1.0;             ///< weight of the data term: C sum logloss + 1/2 |W|^2
    double testShare = 0.2;     ///< share of documents (or rows) that test
    std::int64_t trainRows = 0; ///< 0 = all that do not test
    ProbeSplit split = ProbeSplit::Documents;
    bool control = false; ///< labels shuffled among all rows: a leak check, accuracy above chance means a leak
    std::uint64_t seed = 1;
    int maxIterations = 10'000; ///< wide rows that overlap take thousands; the result says when it was not enough

    friend bool operator==(const ProbeOptions&, const ProbeOptions&) = default;
};

/// Declares --c, the weight of a probe.
Field& probeWeightField(Fields& f, double& c, std::string about);

/// Declares the options of a probe, for commands, the bar of the view and the work that is kept beside a cache.
void fields(Fields& f, ProbeOptions& o);

struct HeadScore
{
    std::int64_t head = 0; ///< 0-based
    double precision = 0;
    double recall = 0;
    double f1 = 0;
    Interval recallCi95{}; ///< Wilson's: a head has one row of each document
};

/// Where a fit stood after one of its steps.
struct FitStep
{
    double seconds = 0; ///< since the fit began
    double objective = 0;
};

/// A trained and tested head-index probe. Immutable once published.
struct ProbeResult
{
    std::optional<Stage> stage; ///< empty when plain matrices were given
    std::optional<std::int64_t> layer;
    ProbeOptions options;
    std::int64_t trainRows = 0;
    std::int64_t testRows = 0;
    std::int64_t classes = 0;
    double accuracy = 0;
    double ci95Low = 0; ///< 95% interval of the accuracy
    double ci95High = 0;
    /// Independent rows that the test rows are worth: fewer than testRows where rows of one document are right or wrong
    /// together. 0 in a result that an earlier version kept, whose interval took rows for independent.
    double effectiveRows = 0;
    std::string ci95Method; ///< "Wilson, effective rows by document", or "Wilson" where rows belong to no documents
    double macroF1 = 0;
    double objective = 0;    ///< at the optimum found
    double gradientNorm = 0; ///< 2-norm of the objective's gradient there
    int iterations = 0;
    bool converged = false;
    double seconds = 0;
    std::vector<FitStep> steps;   ///< of the fit, the last at the optimum
    double withinGroupError = 0;  ///< proportion of the test vectors misclassified as another head of the same KV group
    double acrossGroupError = 0;  ///< proportion misclassified as a head of another group
    std::int64_t zeroVectors = 0; ///< vectors of zeros among those used: they take part like any other
    std::vector<std::int64_t> leftOut;   ///< [C] vectors with NaN or infinity that were not used; empty: not counted
    std::vector<std::int64_t> untrained; ///< heads (or classes) without a training row: they are never predicted
    std::vector<HeadScore> perHead;
    Matrix<std::int64_t> confusion;        ///< [C, C], [true][predicted] counts of test rows
    MatrixD weights;                       ///< [C, D]
    std::vector<double> intercepts;        ///< [C]
    std::vector<std::int32_t> predictions; ///< [n], in the order of the test rows
    std::vector<std::int64_t> testIndices; ///< [n], rows of the input
    /// [n] class that each test row was scored against: its head's place, in a control a shuffled one.
    std::vector<std::int32_t> truths;
    std::vector<std::int32_t> testDocuments; ///< [n] document of each test row; empty where rows have none
    std::string inputHash;
    std::optional<ProbeBaselines> baselines; ///< where they were asked for, and the data allow them
    std::string noBaselines;                 ///< why the data do not; else empty
    Origin origin{};                         ///< of a cache that is open in the window
};

/// Documents with a test row; 0 where the rows belong to no documents.
/// @cost   O(n log n)
[[nodiscard]] std::int64_t numTestDocuments(const ProbeResult& result);

/// The documents behind one cell of the confusion matrix: those with a test row of this class that was
/// given that prediction, ascending, each once.
/// @param truth, predicted  classes (rows and columns of the matrix)
/// @return none where the rows belong to no documents
/// @cost   O(n)
[[nodiscard]] std::vector<std::int64_t> documentsOfCell(const ProbeResult& result, std::int64_t truth,
                                                        std::int64_t predicted);

/// Two heads (or classes of plain matrices) that are confused with each other.
struct ConfusedPair
{
    std::int64_t first = 0; ///< head, 0-based; the lower one
    std::int64_t second = 0;
    std::int64_t rows = 0; ///< test rows of either that were given the other's name
    double share = 0;      ///< of the test rows of both
};

/// The two that are confused with each other most often, by their share of the rows (ties: the lower ones).
/// @return none where every test row was named rightly
/// @cost   O(C^2)
[[nodiscard]] std::optional<ConfusedPair> mostConfusedPair(const ProbeResult& result);

} // namespace headscope
