// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/evaluation/evaluation.h"

#include "model/analysis/evaluation/rank_correlation.h"
#include "model/base/random.h"
#include "model/data/results/probe_baseline_results.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <cmath>
#include <stop_token>

using namespace headscope;
using namespace headscope::test;

namespace
{

EvaluatedUnit unitOf(const char* name, bool isReference)
{
    EvaluatedUnit unit;
    unit.unit = name;
    unit.isReference = isReference;
    return unit;
}

/// Rows around the corners of their labels, the farther the less noise there is.
MatrixF labelled(std::span<const std::int32_t> labels, double noise)
{
    const CounterRandom random(5, 1);
    MatrixF rows(std::ssize(labels), 3);
    for (std::int64_t i = 0; i < rows.rows(); ++i)
        for (std::int64_t d = 0; d < 3; ++d)
            rows(i, d) = static_cast<float>((labels[static_cast<std::size_t>(i)] == d ? 1.0 : 0.0) +
                                            noise * random.normal(static_cast<std::uint64_t>(3 * i + d)));
    return rows;
}

std::vector<std::int32_t> threeLabels(std::int64_t count)
{
    std::vector<std::int32_t> labels;
    for (std::int64_t i = 0; i < count; ++i)
        labels.push_back(static_cast<std::int32_t>(i % 3));
    return labels;
}

} // namespace

class TestEvaluation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// A documents' label as its relevance: vectors with less noise are better, and the difference shows it.
    void retrievalIsCompared()
    {
        const auto labels = threeLabels(60);
        RetrievalTask task;
        task.k = 5;
        for (std::int64_t query = 0; query < 60; ++query)
        {
            task.own.push_back(query);
            task.judged.emplace_back();
            for (std::int64_t other = 0; other < 60; ++other)
                if (other != query && other % 3 == query % 3)
                    task.judged.back().push_back({other, 1});
        }
        const MatrixF good = labelled(labels, 0.2);
        const MatrixF poor = labelled(labels, 3);
        JobContext job;
        std::vector<EvaluatedUnit> first;
        for (const int threads : {1, 2, 3})
        {
            Evaluation evaluation({.resamples = 200, .seed = 7}, threads);
            HEADSCOPE_VERIFY_OK(evaluation.addRetrieval(unitOf("full", true), good.view(), good.view(), task, job));
            HEADSCOPE_VERIFY_OK(evaluation.addRetrieval(unitOf("head 1", false), poor.view(), poor.view(), task, job));
            HEADSCOPE_VERIFY_OK(evaluation.addRetrieval(unitOf("head 2", false), good.view(), good.view(), task, job));
            const auto units = evaluation.finish(job);
            HEADSCOPE_VERIFY_OK(units);
            if (threads == 1)
                first = *units;
            for (std::size_t unit = 0; unit < first.size(); ++unit)
                for (std::size_t measure = 0; measure < 4; ++measure)
                {
                    QCOMPARE((*units)[unit].values[measure], first[unit].values[measure]);
                    QCOMPARE((*units)[unit].ci95[measure].low, first[unit].ci95[measure].low);
                }
        }
        QCOMPARE(first.size(), std::size_t{3});
        QVERIFY(first[0].value(EvaluationMeasure::Ndcg) > 0.9);
        QVERIFY(first[1].difference < -0.2 && first[1].differenceCi95.high < 0 && first[1].p < 0.02);
        QVERIFY(first[1].q >= first[1].p && first[1].q <= 2 * first[1].p);
        QVERIFY(first[2].difference == 0 && first[2].p == 1);
        QVERIFY(std::isnan(first[0].difference) && std::isnan(first[0].q));
        QVERIFY(std::isnan(first[0].value(EvaluationMeasure::Spearman)));
        // 19 of the 59 others are relevant to each.
        QVERIFY(std::abs(first[1].chance[1] - 5.0 / 59) < 1e-12 && std::isnan(first[1].chance[4]));
        QVERIFY(std::abs(first[1].chance[0] - 19.0 / 59) < 1e-12);
    }

    /// Resamples of a handful of queries are few different ones: before, they made intervals and a p.
    void fewQueriesHaveNoInterval()
    {
        for (const std::int64_t queries : {9, 10})
        {
            RetrievalTask task;
            for (std::int64_t query = 0; query < queries; ++query)
            {
                task.own.push_back(-1);
                task.judged.push_back({{query, 1}});
            }
            const MatrixF good = labelled(threeLabels(queries), 0.2);
            const MatrixF poor = labelled(threeLabels(queries), 3);
            JobContext job;
            Evaluation evaluation({.resamples = 100, .seed = 7}, 1);
            HEADSCOPE_VERIFY_OK(evaluation.addRetrieval(unitOf("full", true), good.view(), good.view(), task, job));
            HEADSCOPE_VERIFY_OK(evaluation.addRetrieval(unitOf("head 1", false), good.view(), poor.view(), task, job));
            const auto units = evaluation.finish(job);
            HEADSCOPE_VERIFY_OK(units);
            const EvaluatedUnit& unit = units->at(1);
            QVERIFY(std::isfinite(unit.values[0]) && std::isfinite(unit.difference));
            for (const double value : {unit.ci95[0].low, unit.differenceCi95.high, unit.p, unit.q})
                QCOMPARE(std::isfinite(value), queries >= kMinResampled);
        }
    }

    void labelsAreClusteredAndPredicted()
    {
        const auto labels = threeLabels(90);
        const LabelTask task = labelTask(labels, std::vector<bool>(90, true), 3);
        QCOMPARE(task.test.size(), std::size_t{18});
        QCOMPARE(task.train.size(), std::size_t{72});
        JobContext job;
        Evaluation evaluation({.resamples = 100, .seed = 1}, 2);
        HEADSCOPE_VERIFY_OK(evaluation.addLabels(unitOf("full", true), labelled(labels, 0.05).view(), task, job));
        HEADSCOPE_VERIFY_OK(evaluation.addLabels(unitOf("head 1", false), labelled(labels, 5).view(), task, job));
        const auto units = evaluation.finish(job);
        HEADSCOPE_VERIFY_OK(units);
        QCOMPARE(units->size(), std::size_t{4});
        const EvaluatedUnit& clustered = units->at(0);
        QCOMPARE(clustered.n, std::int64_t{90});
        QVERIFY(clustered.value(EvaluationMeasure::VMeasure) == 1 &&
                clustered.value(EvaluationMeasure::AdjustedRand) == 1);
        QVERIFY(units->at(1).difference < -0.5 && units->at(1).p < 0.05);
        // Clusters that have nothing to do with the labels: repeated documents would put the interval above the value.
        const EvaluatedUnit& random = units->at(1);
        for (const EvaluationMeasure measure : {EvaluationMeasure::VMeasure, EvaluationMeasure::AdjustedRand})
        {
            const Interval& ci95 = random.ci95[static_cast<std::size_t>(measure)];
            QVERIFY(ci95.low < random.value(measure) && random.value(measure) < ci95.high);
        }
        const EvaluatedUnit& classified = units->at(2);
        QVERIFY(classified.task == EvaluationTask::Classification && classified.n == 18);
        QCOMPARE(classified.value(EvaluationMeasure::Accuracy), 1.0);
        QVERIFY(units->at(3).difference < 0);
    }

    /// Codes without documents, missing labels, a label of one document, and vectors that are not finite.
    void labelsAreNumberedAnew()
    {
        const std::vector<std::int32_t> codes = {4, -1, 4, 9, 2, 4, 9, 4};
        std::vector<bool> usable(8, true);
        usable[4] = false; // the only one of label 2
        const LabelTask task = labelTask(codes, usable, 1);
        QCOMPARE(task.numLabels, std::int64_t{2});
        QCOMPARE(task.documents, (std::vector<std::int64_t>{0, 2, 3, 5, 6, 7}));
        QCOMPARE(task.labels, (std::vector<std::int32_t>{0, 0, 1, 0, 1, 0}));
        QCOMPARE(task.test.size() + task.train.size(), std::size_t{6});
        QCOMPARE(labelTask(codes, usable, 1).test, task.test);
    }

    void classifierEqualsTheRecorded()
    {
        const GoldenFile file(golden("circuits/evaluation.h5"));
        const auto shape = file.shape("classification/X");
        const MatrixF rows(shape[0], shape[1], file.floats("classification/X"));
        LabelTask task;
        const auto labels = file.integers("classification/y");
        task.labels.assign(labels.begin(), labels.end());
        task.numLabels = *std::ranges::max_element(labels) + 1;
        for (std::int64_t row = 0; row < rows.rows(); ++row)
            task.documents.push_back(row);
        task.train = file.integers("classification/train");
        task.test = file.integers("classification/test");
        const auto seed = static_cast<std::uint64_t>(file.integers("classification/bootstrap/seed").front());
        JobContext job;
        Evaluation evaluation({.resamples = 1000, .seed = seed}, 2);
        HEADSCOPE_VERIFY_OK(evaluation.addLabels(unitOf("full", true), rows.view(), task, job));
        const auto units = evaluation.finish(job);
        HEADSCOPE_VERIFY_OK(units);
        const EvaluatedUnit& classified = units->back();
        QVERIFY(std::abs(classified.value(EvaluationMeasure::Accuracy) -
                         file.doubles("classification/accuracy").front()) < 1e-12);
        const auto expected = file.doubles("classification/bootstrap/accuracy_ci");
        const Interval found = classified.ci95[static_cast<std::size_t>(EvaluationMeasure::Accuracy)];
        QVERIFY(std::abs(found.low - expected[0]) < 1e-11 && std::abs(found.high - expected[1]) < 1e-11);
    }

    /// Equal vectors: every cosine is 1, so that there is no correlation, and that is no error.
    void equalVectors()
    {
        MatrixF rows(6, 2);
        std::ranges::fill(rows.values(), 0.5F);
        const SimilarityTask task{{0, 1, 2, 3}, {1, 2, 3, 4}, {0.1, 0.5, 0.3, 0.9}};
        JobContext job;
        Evaluation evaluation({.resamples = 100, .seed = 1}, 1);
        HEADSCOPE_VERIFY_OK(evaluation.addSimilarity(unitOf("full", true), rows.view(), task, job));
        HEADSCOPE_VERIFY_OK(evaluation.addSimilarity(unitOf("head 1", false), rows.view(), task, job));
        const auto units = evaluation.finish(job);
        HEADSCOPE_VERIFY_OK(units);
        QVERIFY(std::isnan(units->at(1).value(EvaluationMeasure::Spearman)) && std::isnan(units->at(1).p));
    }

    void stops()
    {
        std::stop_source source;
        source.request_stop();
        JobContext job(source.get_token());
        const auto labels = threeLabels(30);
        const LabelTask task = labelTask(labels, std::vector<bool>(30, true), 1);
        Evaluation evaluation({}, 2);
        const auto added = evaluation.addLabels(unitOf("full", true), labelled(labels, 1).view(), task, job);
        QVERIFY(!added && added.error().code == ErrorCode::Cancelled);
    }
};

HEADSCOPE_TEST_GUILESS(TestEvaluation)
#include "tst_evaluation.moc"
