// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/words/text_pursuit.h"

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

MatrixF recorded(const GoldenFile& file, const std::string& dataset)
{
    const auto shape = file.shape(dataset);
    return {shape[0], shape[1], file.floats(dataset)};
}

} // namespace

class TestTextPursuit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalsTheRecorded_data()
    {
        QTest::addColumn<int>("method");
        QTest::addColumn<int>("exponent");
        QTest::addColumn<QString>("dataset");
        QTest::newRow("TextSpan") << static_cast<int>(PursuitMethod::TextSpan) << 2 << "pursuit/textspan";
        QTest::newRow("SOMP, 1") << static_cast<int>(PursuitMethod::Somp) << 1 << "pursuit/somp1";
        QTest::newRow("SOMP, 2") << static_cast<int>(PursuitMethod::Somp) << 2 << "pursuit/somp2";
    }

    void equalsTheRecorded()
    {
        QFETCH(int, method);
        QFETCH(int, exponent);
        QFETCH(QString, dataset);
        const GoldenFile file(golden("circuits/words.h5"));
        const std::string name = dataset.toStdString();
        const MatrixF rows = recorded(file, "pursuit/X");
        const MatrixF texts = recorded(file, "pursuit/candidates");
        const PursuitOptions options{.method = static_cast<PursuitMethod>(method),
                                     .steps = 7,
                                     .rank = file.integers("pursuit/rank").front(),
                                     .exponent = exponent};
        JobContext job;
        std::vector<double> share;
        for (const int threads : {1, 2, 3})
        {
            const auto found = pursueTexts(rows.view(), rows.view(), texts.view(), options, threads, job);
            HEADSCOPE_VERIFY_OK(found);
            QCOMPARE(found->chosen, file.integers(name));
            QVERIFY(absmax(found->share, file.doubles(name + "_share")) <= 1e-10);
            QVERIFY(absmax(found->heldOut, found->share) <= 1e-12); // of the same vectors
            if (threads == 1)
                share = found->share;
            QCOMPARE(found->share, share);
        }
    }

    /// The texts that the vectors were made from are found in other vectors, too; permuted ones explain less.
    void heldOutVectors()
    {
        const GoldenFile file(golden("circuits/words.h5"));
        const MatrixF all = recorded(file, "pursuit/X");
        const MatrixF texts = recorded(file, "pursuit/candidates");
        const std::int64_t half = all.rows() / 2;
        const ConstMatrixView first{all.data(), half, all.cols()};
        const ConstMatrixView second{all.row(half).data(), all.rows() - half, all.cols()};
        JobContext job;
        const auto found = pursueTexts(first, second, texts.view(), {.steps = 5}, 2, job);
        HEADSCOPE_VERIFY_OK(found);
        auto planted = file.integers("pursuit/planted");
        auto chosen = found->chosen;
        std::ranges::sort(planted);
        std::ranges::sort(chosen);
        QCOMPARE(chosen, planted);
        QVERIFY(found->heldOut.back() > 0.95 && std::ranges::is_sorted(found->share));
        const auto none = pursueTexts(first, MatrixF(0, all.cols()).view(), texts.view(), {.steps = 2}, 1, job);
        HEADSCOPE_VERIFY_OK(none);
        QVERIFY(std::isnan(none->heldOut.front()));
    }

    void edges()
    {
        MatrixF equal(5, 3);
        std::ranges::fill(equal.values(), 0.1F);
        const MatrixF texts(3, 3, {1, 0, 0, 2, 0, 0, 0, 0, 0});
        JobContext job;
        const auto nothing = pursueTexts(equal.view(), equal.view(), texts.view(), {}, 1, job);
        HEADSCOPE_VERIFY_OK(nothing);
        QVERIFY(nothing->chosen.empty());
        const MatrixF rows(3, 3, {1, 0, 0, -1, 0, 0, 0, 1, 0});
        for (const PursuitMethod method : {PursuitMethod::TextSpan, PursuitMethod::Somp})
        {
            // Equal directions, and a text of length 0, explain nothing more.
            const auto one = pursueTexts(rows.view(), rows.view(), texts.view(), {.method = method}, 2, job);
            HEADSCOPE_VERIFY_OK(one);
            QCOMPARE(one->chosen.size(), std::size_t{1});
        }
        QVERIFY(!pursueTexts(MatrixF(1, 3).view(), rows.view(), texts.view(), {}, 1, job));
        std::stop_source source;
        source.request_stop();
        JobContext stopped(source.get_token());
        QVERIFY(pursueTexts(rows.view(), rows.view(), texts.view(), {}, 1, stopped).error().code ==
                ErrorCode::Cancelled);
    }
};

HEADSCOPE_TEST_GUILESS(TestTextPursuit)
#include "tst_text_pursuit.moc"
