// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/geometry/singular_values.h"

#include "model/analysis/geometry/symmetric_eigenvalues.h"
#include "model/base/random.h"
#include "tests/support/golden_heads.h"
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

/// Normal numbers around a mean, columns of falling size.
MatrixF cloud(std::int64_t rows, std::int64_t dims, std::uint64_t seed)
{
    const CounterRandom random(seed, 1);
    MatrixF matrix(rows, dims);
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t d = 0; d < dims; ++d)
            matrix(i, d) = static_cast<float>(2 + random.normal(static_cast<std::uint64_t>(i * dims + d)) /
                                                      (1 + 0.02 * static_cast<double>(d)));
    return matrix;
}

double squares(std::span<const double> values)
{
    double sum = 0;
    for (const double value : values)
        sum += value * value;
    return sum;
}

} // namespace

class TestSingularValues : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalsTheRecorded_data()
    {
        QTest::addColumn<QString>("group");
        for (const char* group : {"gaussian", "roll", "duplicates", "lowrank"})
            QTest::newRow(group) << group;
    }

    void equalsTheRecorded()
    {
        QFETCH(QString, group);
        const std::string name = group.toStdString();
        const GoldenFile file(golden("circuits/geometry.h5"));
        const auto shape = file.shape(name + "/X");
        const MatrixF rows(shape[0], shape[1], file.floats(name + "/X"));
        JobContext job;
        const auto values = singularValues(rows.view(), 1, job);
        HEADSCOPE_VERIFY_OK(values);
        QVERIFY(relmax(values->raw, file.doubles(name + "/singular")) <= 1e-11);
        QVERIFY(relmax(values->centred, file.doubles(name + "/singular_centred")) <= 1e-11);
    }

    /// Beyond the largest size that is factorised: long and wide matrices by their products, on any number of threads.
    void productsGiveTheSame_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("dims");
        QTest::newRow("long") << 420 << 200;
        QTest::newRow("wide") << 200 << 420;
    }

    void productsGiveTheSame()
    {
        QFETCH(int, rows);
        QFETCH(int, dims);
        const MatrixF all = cloud(rows, dims, 7);
        JobContext job;
        const auto values = singularValues(all.view(), 1, job);
        HEADSCOPE_VERIFY_OK(values);
        QCOMPARE(values->raw.size(), std::size_t{200});
        double sum = 0;
        std::vector<double> mean(static_cast<std::size_t>(dims), 0.0);
        for (std::int64_t i = 0; i < all.rows(); ++i)
            for (std::int64_t d = 0; d < all.cols(); ++d)
            {
                sum += static_cast<double>(all(i, d)) * static_cast<double>(all(i, d));
                mean[static_cast<std::size_t>(d)] += static_cast<double>(all(i, d)) / rows;
            }
        QVERIFY(std::abs(squares(values->raw) / sum - 1) < 1e-12);
        QVERIFY(std::abs(squares(values->centred) / (sum - rows * squares(mean)) - 1) < 1e-11);
        QVERIFY(std::ranges::is_sorted(values->raw, std::greater()));
        if (rows < dims)
            QCOMPARE(values->centred.back(), 0.0); // one direction is the mean's
        for (const int threads : {2, 3})
        {
            const auto again = singularValues(all.view(), threads, job);
            HEADSCOPE_VERIFY_OK(again);
            QVERIFY(again->raw == values->raw && again->centred == values->centred);
        }
        // The same values by the factorisation of a turned, padded copy have to agree.
        MatrixF few(rows, 190);
        for (std::int64_t i = 0; i < few.rows(); ++i)
            std::copy_n(all.row(i).begin(), 190, few.row(i).begin());
        MatrixF padded(rows, 230);
        for (std::int64_t i = 0; i < few.rows(); ++i)
            std::copy_n(all.row(i).begin(), 190, padded.row(i).begin());
        const auto exact = singularValues(few.view(), 1, job);
        auto products = singularValues(padded.view(), 2, job);
        HEADSCOPE_VERIFY_OK(exact);
        HEADSCOPE_VERIFY_OK(products);
        products->raw.resize(exact->raw.size());
        products->centred.resize(exact->centred.size());
        QVERIFY(relmax(products->raw, exact->raw) <= 1e-10);
        QVERIFY(relmax(products->centred, exact->centred) <= 1e-10);
    }

    void equalRowsHaveNoCentredValues()
    {
        MatrixF rows(9, 3);
        for (std::int64_t i = 0; i < rows.rows(); ++i)
            std::ranges::copy(std::array{0.1F, 0.7F, -0.3F}, rows.row(i).begin());
        JobContext job;
        const auto values = singularValues(rows.view(), 1, job);
        HEADSCOPE_VERIFY_OK(values);
        QCOMPARE(values->centred, std::vector<double>(3, 0.0));
        QVERIFY(std::isnan(effectiveRank(values->centred)) && std::isnan(participationRatio(values->centred)));
        QVERIFY(std::abs(effectiveRank(values->raw) - 1) < 1e-12);
    }

    void measuresOfKnownValues()
    {
        QCOMPARE(participationRatio(std::array{2.0, 2.0, 2.0, 2.0}), 4.0);
        QVERIFY(std::abs(effectiveRank(std::array{3.0, 3.0, 3.0}) - 3) < 1e-14);
        QCOMPARE(effectiveRank(std::array{5.0, 0.0}), 1.0);
    }

    void eigenvaluesAreThoseOfRotatedDiagonals()
    {
        // Q D Q^T with a Householder reflection Q = I - 2 u u^T.
        constexpr std::int64_t kSize = 40;
        std::vector<double> u(kSize);
        for (std::int64_t i = 0; i < kSize; ++i)
            u[static_cast<std::size_t>(i)] = 1.0 / static_cast<double>(i + 1);
        const double length = std::sqrt(squares(u));
        MatrixD matrix(kSize, kSize);
        for (std::int64_t i = 0; i < kSize; ++i)
            for (std::int64_t j = 0; j < kSize; ++j)
                for (std::int64_t k = 0; k < kSize; ++k)
                {
                    const auto q = [&](std::int64_t row) {
                        return (row == k ? 1.0 : 0.0) - 2 * u[static_cast<std::size_t>(row)] *
                                                            u[static_cast<std::size_t>(k)] / (length * length);
                    };
                    matrix(i, j) += q(i) * static_cast<double>(k) * q(j);
                }
        JobContext job;
        const auto values = symmetricEigenvalues(matrix.view(), 2, job);
        HEADSCOPE_VERIFY_OK(values);
        for (std::int64_t k = 0; k < kSize; ++k)
            QVERIFY(std::abs((*values)[static_cast<std::size_t>(k)] - static_cast<double>(kSize - 1 - k)) < 1e-11);
    }

    void stops()
    {
        std::stop_source source;
        source.request_stop();
        JobContext job(source.get_token());
        QVERIFY(singularValues(cloud(300, 10, 1).view(), 1, job).error().code == ErrorCode::Cancelled);
        QVERIFY(singularValues(cloud(300, 250, 1).view(), 1, job).error().code == ErrorCode::Cancelled);
    }
};

HEADSCOPE_TEST_GUILESS(TestSingularValues)
#include "tst_singular_values.moc"
