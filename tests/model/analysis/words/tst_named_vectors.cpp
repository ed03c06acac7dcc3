// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/words/named_vectors.h"

#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <limits>
#include <stop_token>

using namespace headscope;
using namespace headscope::test;

class TestNamedVectors : public QObject
{
    Q_OBJECT

private:
    MatrixF m_rows;
    MatrixF m_texts;
    std::vector<std::int64_t> m_planted;

private Q_SLOTS:
    void initTestCase()
    {
        const GoldenFile file(golden("circuits/words.h5"));
        const auto of = [&file](const std::string& dataset) {
            const auto shape = file.shape(dataset);
            return MatrixF(shape[0], shape[1], file.floats(dataset));
        };
        m_rows = of("pursuit/X");
        m_texts = of("pursuit/candidates");
        m_planted = file.integers("pursuit/planted");
    }

    /// The texts that the vectors were made from explain held-out ones, and permuted texts do not; the same on any
    /// number of threads.
    void plantedTexts()
    {
        JobContext job;
        NamedVectors first;
        for (const int threads : {1, 2, 3})
        {
            const auto named =
                nameVectors(m_rows.view(), m_texts.view(), {.pursuit = {.steps = 5}, .permutations = 19}, threads, job);
            HEADSCOPE_VERIFY_OK(named);
            if (threads == 1)
                first = *named;
            QCOMPARE(named->pursuit.chosen, first.pursuit.chosen);
            QCOMPARE(named->pursuit.heldOut, first.pursuit.heldOut);
            QCOMPARE(named->null.mean, first.null.mean);
        }
        auto chosen = first.pursuit.chosen;
        std::ranges::sort(chosen);
        std::ranges::sort(m_planted);
        QCOMPARE(chosen, m_planted);
        QCOMPARE(first.documents + first.heldOut, m_rows.rows());
        QCOMPARE(first.heldOut, (m_rows.rows() + 4) / 5);
        const double held = first.pursuit.heldOut.back();
        QVERIFY(held > 0.9 && first.heldOutCi95.low <= held && held <= first.heldOutCi95.high);
        QVERIFY(first.null.mean < held - 0.2);
        QCOMPARE(first.null.p, 0.05); // 1 / (19 + 1)
    }

    /// Neither an offset that all texts share nor their lengths choose anything.
    void offsetsAndLengths()
    {
        MatrixF moved = m_texts;
        for (std::int64_t i = 0; i < moved.rows(); ++i)
            for (std::int64_t d = 0; d < moved.cols(); ++d)
                moved(i, d) = moved(i, d) + 2;
        JobContext job;
        const NamingOptions options{.pursuit = {.steps = 4}, .permutations = 0};
        const auto own = nameVectors(m_rows.view(), m_texts.view(), options, 2, job);
        const auto other = nameVectors(m_rows.view(), moved.view(), options, 2, job);
        HEADSCOPE_VERIFY_OK(own);
        HEADSCOPE_VERIFY_OK(other);
        QCOMPARE(own->pursuit.chosen, other->pursuit.chosen);
        QVERIFY(std::isnan(own->null.p));
    }

    void whatIsNotFiniteIsLeftOut()
    {
        MatrixF rows = m_rows;
        MatrixF texts = m_texts;
        rows(3, 0) = std::numeric_limits<float>::quiet_NaN();
        texts(0, 1) = std::numeric_limits<float>::infinity();
        JobContext job;
        const auto named = nameVectors(rows.view(), texts.view(), {.pursuit = {}, .permutations = 2}, 2, job);
        HEADSCOPE_VERIFY_OK(named);
        QCOMPARE(named->leftOut, std::int64_t{1});
        QCOMPARE(named->leftOutTexts, std::int64_t{1});
        QVERIFY(std::ranges::find(named->pursuit.chosen, 0) == named->pursuit.chosen.end());
        QVERIFY(!nameVectors(MatrixF(3, texts.cols()).view(), texts.view(), {}, 1, job));
        std::stop_source source;
        source.request_stop();
        JobContext stopped(source.get_token());
        QVERIFY(nameVectors(rows.view(), texts.view(), {}, 1, stopped).error().code == ErrorCode::Cancelled);
    }
};

HEADSCOPE_TEST_GUILESS(TestNamedVectors)
#include "tst_named_vectors.moc"
