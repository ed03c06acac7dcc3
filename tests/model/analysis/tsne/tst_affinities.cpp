// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/tsne/affinities.h"
#include "tests/support/clouds.h"
#include "tests/support/golden_tsne.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace headscope;

namespace
{

Neighbors neighborsOf(const MatrixF& rows, std::int64_t k)
{
    NeighborOptions options;
    options.k = k;
    JobContext job;
    return findNeighbors(rows.view(), options, 2, job).value();
}

double relative(const std::vector<double>& a, const std::vector<double>& b)
{
    double largest = 0;
    for (std::size_t i = 0; i < b.size(); ++i)
        largest = std::max(largest, std::abs(a[i] - b[i]) / std::abs(b[i]));
    return largest;
}

} // namespace

class AffinitiesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goldenNeighbors();
    void goldenAllPairs();
    void goldenToy();
    void goldenDuplicates();
    void entropyIsThatOfThePerplexity();
    void equalDistances();
    void symmetricAndSumsToOne();
    void multiscaleIsTheMean();
    void refusals();
};

void AffinitiesTest::goldenNeighbors()
{
    const MatrixF rows = test::tsneMatrix("data/X");
    const Neighbors neighbors = neighborsOf(rows, test::tsneTruth().integers("knn/K")[0]);
    const auto expected = test::tsneTruth().integers("knn/neighbours");
    QVERIFY(std::equal(expected.begin(), expected.end(), neighbors.indices.values().begin()));
    QVERIFY(relative(neighbors.squared.values(), test::tsneTruth().doubles("knn/d2")) <= 1e-12);

    JobContext job;
    std::vector<double> betas;
    const auto joint = neighborAffinities(neighbors, test::tsneTruth().doubles("knn/perplexity"), 2, job, &betas);
    HEADSCOPE_VERIFY_OK(joint);
    QVERIFY(relative(betas, test::tsneTruth().doubles("knn/beta")) <= 1e-8);
    const auto start = test::tsneTruth().integers("knn/csr_indptr");
    const auto columns = test::tsneTruth().integers("knn/csr_indices");
    QCOMPARE(joint->rowStart, start);
    QVERIFY(std::equal(columns.begin(), columns.end(), joint->columns.begin(), joint->columns.end()));
    QVERIFY(test::relmax(joint->values, test::tsneTruth().doubles("knn/csr_values")) <= 1e-8);
}

void AffinitiesTest::goldenAllPairs()
{
    const MatrixF rows = test::tsneMatrix("data/X");
    JobContext job;
    std::vector<double> betas;
    const auto joint = denseAffinities(rows.view(), {}, test::tsneTruth().doubles("all/perplexity"), 2, job, &betas);
    HEADSCOPE_VERIFY_OK(joint);
    QVERIFY(relative(betas, test::tsneTruth().doubles("all/beta")) <= 1e-8);
    std::vector<double> upper;
    for (std::int64_t i = 0; i < joint->rows(); ++i)
    {
        for (std::int64_t j = i + 1; j < joint->rows(); ++j)
            upper.push_back((*joint)(i, j));
    }
    QVERIFY(test::relmax(upper, test::tsneTruth().doubles("all/P_upper")) <= 1e-8);
}

void AffinitiesTest::goldenToy()
{
    const MatrixF rows = test::tsneMatrix("toy/X");
    JobContext job;
    const std::vector<double> perplexity = {3.0};
    std::vector<double> betas;
    const auto joint = denseAffinities(rows.view(), {}, perplexity, 1, job, &betas);
    HEADSCOPE_VERIFY_OK(joint);
    QVERIFY(relative(betas, test::tsneTruth().doubles("toy/beta")) <= 1e-8);
    QVERIFY(test::relmax(joint->values(), test::tsneTruth().doubles("toy/P")) <= 1e-8);
}

void AffinitiesTest::goldenDuplicates()
{
    const MatrixF rows = test::tsneMatrix("duplicates/X");
    JobContext job;
    const std::vector<double> perplexity = {10.0};
    std::vector<double> betas;
    HEADSCOPE_VERIFY_OK(denseAffinities(rows.view(), {}, perplexity, 1, job, &betas));
    QVERIFY(relative(betas, test::tsneTruth().doubles("duplicates/beta")) <= 1e-8);
}

void AffinitiesTest::entropyIsThatOfThePerplexity()
{
    std::vector<double> squared(200);
    for (std::size_t i = 0; i < squared.size(); ++i)
        squared[i] = 1e6 + static_cast<double>(i * i); // a far query: the minimum must be taken off
    std::vector<double> p(squared.size());
    for (const double perplexity : {1.5, 5.0, 30.0, 150.0, 199.0})
    {
        conditionalProbabilities(squared, perplexity, p);
        double entropy = 0;
        for (const double value : p)
            entropy -= value > 0 ? value * std::log(value) : 0;
        QVERIFY(std::abs(std::exp(entropy) - perplexity) <= 1e-9 * perplexity);
        QVERIFY(std::abs(std::accumulate(p.begin(), p.end(), 0.0) - 1) < 1e-12);
    }
}

void AffinitiesTest::equalDistances()
{
    std::vector<double> p(6);
    conditionalProbabilities(std::vector<double>(6, 2.5), 3.0, p);
    for (const double value : p)
        QCOMPARE(value, 1.0 / 6);
    // Four at distance zero and a perplexity of 3: no beta exists, the four share everything.
    conditionalProbabilities(std::vector<double>{0, 0, 0, 0, 1, 4}, 3.0, p);
    for (std::size_t i = 0; i < p.size(); ++i)
        QVERIFY(std::abs(p[i] - (i < 4 ? 0.25 : 0.0)) < 1e-12);
}

void AffinitiesTest::symmetricAndSumsToOne()
{
    const MatrixF rows = test::duplicatedCloud(500, 8);
    JobContext job;
    const std::vector<double> perplexity = {12.0};
    const Neighbors neighbors = neighborsOf(rows, 36);
    const auto one = neighborAffinities(neighbors, perplexity, 1, job);
    HEADSCOPE_VERIFY_OK(one);
    double sum = 0;
    for (std::int64_t i = 0; i < one->points(); ++i)
    {
        for (auto e = one->rowStart[static_cast<std::size_t>(i)]; e < one->rowStart[static_cast<std::size_t>(i) + 1];
             ++e)
        {
            const std::int32_t j = one->columns[static_cast<std::size_t>(e)];
            const double value = one->values[static_cast<std::size_t>(e)];
            QVERIFY(std::isfinite(value) && j != i);
            sum += value;
            const auto* begin = one->columns.data() + one->rowStart[static_cast<std::size_t>(j)];
            const auto* end = one->columns.data() + one->rowStart[static_cast<std::size_t>(j) + 1];
            const auto* back = std::lower_bound(begin, end, static_cast<std::int32_t>(i));
            QVERIFY(back != end && *back == i);
            QCOMPARE(one->values[static_cast<std::size_t>(back - one->columns.data())], value);
        }
    }
    QVERIFY(std::abs(sum - 1) < 1e-12);
    const auto three = neighborAffinities(neighbors, perplexity, 3, job);
    QVERIFY(three->values == one->values && three->columns == one->columns);
}

void AffinitiesTest::multiscaleIsTheMean()
{
    const MatrixF rows = test::hardCloud(120, 6);
    JobContext job;
    const std::vector<double> small = {5.0};
    const std::vector<double> large = {40.0};
    const std::vector<double> both = {5.0, 40.0};
    const auto a = denseAffinities(rows.view(), {}, small, 2, job);
    const auto b = denseAffinities(rows.view(), {}, large, 2, job);
    const auto mean = denseAffinities(rows.view(), {}, both, 2, job);
    HEADSCOPE_VERIFY_OK(mean);
    for (std::size_t i = 0; i < mean->values().size(); ++i)
        QVERIFY(std::abs(mean->values()[i] - (a->values()[i] + b->values()[i]) / 2) < 1e-15);
}

void AffinitiesTest::refusals()
{
    const MatrixF rows = test::hardCloud(20, 4);
    JobContext job;
    const std::vector<double> large = {30.0};
    HEADSCOPE_VERIFY_ERROR(denseAffinities(rows.view(), {}, large, 1, job), ErrorCode::InvalidArgument,
                           "from 1 to 19 (20 points), found 30");
    const std::vector<double> some = {10.0};
    HEADSCOPE_VERIFY_ERROR(neighborAffinities(neighborsOf(rows, 5), some, 1, job), ErrorCode::InvalidArgument,
                           "from 1 to 5 (5 neighbours of each point), found 10");
    HEADSCOPE_VERIFY_ERROR(checkPerplexities(std::vector<double>{0.5}, 100), ErrorCode::InvalidArgument, "found 0.5");
    HEADSCOPE_VERIFY_ERROR(checkPerplexities(some, 1), ErrorCode::InvalidArgument, "at least 2 points");
    HEADSCOPE_VERIFY_ERROR(checkPerplexities({}, 10), ErrorCode::InvalidArgument, "found none");
}

HEADSCOPE_TEST_GUILESS(AffinitiesTest)
#include "tst_affinities.moc"
