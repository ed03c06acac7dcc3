// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/cholesky.h"
#include "model/base/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace headscope;

namespace
{

/// A A^T + n, with A of random numbers.
MatrixF positive(std::int64_t n)
{
    const CounterRandom random(4);
    std::vector<double> a(static_cast<std::size_t>(n * n));
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = random.normal(i);
    MatrixF matrix(n, n);
    for (std::int64_t i = 0; i < n; ++i)
    {
        for (std::int64_t j = 0; j < n; ++j)
        {
            double sum = i == j ? static_cast<double>(n) : 0.0;
            for (std::int64_t k = 0; k < n; ++k)
                sum += a[static_cast<std::size_t>(i * n + k)] * a[static_cast<std::size_t>(j * n + k)];
            matrix(i, j) = static_cast<float>(sum);
        }
    }
    return matrix;
}

} // namespace

class CholeskyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void solves_data();
    void solves();
    void refusesWhatIsNotPositive();
    void sameOnAnyNumberOfThreads();
};

void CholeskyTest::solves_data()
{
    QTest::addColumn<int>("size");
    QTest::newRow("one number") << 1;
    QTest::newRow("a block but one") << 127;
    QTest::newRow("a block and one") << 129;
    QTest::newRow("several blocks") << 300;
}

void CholeskyTest::solves()
{
    QFETCH(int, size);
    const MatrixF matrix = positive(size);
    const CounterRandom random(5);
    std::vector<double> wanted;
    for (int i = 0; i < size; ++i)
        wanted.push_back(random.normal(static_cast<std::uint64_t>(i)));
    std::vector<float> x;
    for (int i = 0; i < size; ++i)
    {
        double sum = 0;
        for (int j = 0; j < size; ++j)
            sum += static_cast<double>(matrix(i, j)) * wanted[static_cast<std::size_t>(j)];
        x.push_back(static_cast<float>(sum));
    }
    MatrixF factor = matrix;
    QVERIFY(factorCholesky(factor, 2));
    solveCholesky(factor, x);
    for (std::size_t i = 0; i < x.size(); ++i)
        QVERIFY(std::abs(static_cast<double>(x[i]) - wanted[i]) <= 1e-4);
}

void CholeskyTest::refusesWhatIsNotPositive()
{
    MatrixF matrix = positive(200);
    matrix(150, 150) = -1;
    QVERIFY(!factorCholesky(matrix, 1));
}

void CholeskyTest::sameOnAnyNumberOfThreads()
{
    MatrixF one = positive(400);
    MatrixF three = one;
    QVERIFY(factorCholesky(one, 1));
    QVERIFY(factorCholesky(three, 3));
    QVERIFY(one == three);
}

HEADSCOPE_TEST_GUILESS(CholeskyTest)
#include "tst_cholesky.moc"
