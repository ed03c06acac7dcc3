// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/words/word_contrast.h"

#include "model/analysis/geometry/vector_directions.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

using namespace headscope;
using namespace headscope::test;

namespace
{

MatrixF recordedVectors(const GoldenFile& file)
{
    const auto shape = file.shape("documents/vectors");
    return {shape[0], shape[1], file.floats("documents/vectors")};
}

WordCounts recordedWords(const GoldenFile& file, int threads = 2)
{
    JobContext job;
    auto counts = countWords(file.strings("documents/text"), file.integers("vocabulary/min_documents").front(), threads,
                             job);
    return counts ? std::move(*counts) : WordCounts{};
}

} // namespace

/// Directions of vectors, words of texts, and the words that separate the ends of a direction.
class TestWordContrast : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void vocabularyEqualsTheRecorded()
    {
        const GoldenFile file(golden("circuits/words.h5"));
        for (const int threads : {1, 3})
        {
            const WordCounts counts = recordedWords(file, threads);
            QCOMPARE(counts.words, file.strings("vocabulary/word"));
            QCOMPARE(counts.counts, file.integers("vocabulary/count"));
            QCOMPARE(counts.documents, file.integers("vocabulary/documents"));
            QCOMPARE(counts.texts(), file.shape("documents/text")[0]);
        }
    }

    void componentEqualsTheRecorded()
    {
        const GoldenFile file(golden("circuits/words.h5"));
        const MatrixF rows = recordedVectors(file);
        const double ends = file.doubles("component/share").front();
        JobContext job;
        VectorDirection first;
        for (const int threads : {1, 2, 3})
        {
            const auto found = vectorDirections(rows.view(), {.directions = 2, .ends = ends}, threads, job);
            HEADSCOPE_VERIFY_OK(found);
            const VectorDirection& direction = found->directions.front();
            QVERIFY(absmax({found->vectors.row(0).begin(), found->vectors.row(0).end()},
                           file.doubles("component/vector")) <= 1e-9);
            QVERIFY(absmax(direction.scores, file.doubles("component/scores")) <= 1e-9);
            QCOMPARE(direction.high, file.integers("component/high"));
            QCOMPARE(direction.low, file.integers("component/low"));
            QVERIFY(direction.shareCi95.low < direction.share && direction.share < direction.shareCi95.high);
            QVERIFY(direction.share > found->directions[1].share);
            if (threads == 1)
                first = direction;
            QCOMPARE(direction.scores, first.scores);
            QCOMPARE(direction.share, first.share);
        }
    }

    void contrastEqualsTheRecorded_data()
    {
        QTest::addColumn<QString>("group");
        QTest::addColumn<QString>("suffix");
        QTest::addColumn<double>("prior");
        for (const char* group : {"component", "direction"})
        {
            QTest::addRow("%s", group) << group << "" << 0.0;
            QTest::addRow("%s, 500", group) << group << "_500" << 500.0;
        }
    }

    void contrastEqualsTheRecorded()
    {
        QFETCH(QString, group);
        QFETCH(QString, suffix);
        QFETCH(double, prior);
        const GoldenFile file(golden("circuits/words.h5"));
        const std::string name = group.toStdString() + "/";
        const std::string end = suffix.toStdString();
        const WordCounts counts = recordedWords(file);
        const WordContrast found =
            contrastWords(counts, file.integers(name + "high"), file.integers(name + "low"), prior);
        QVERIFY(std::abs(found.prior - file.doubles(name + "alpha0" + end).front()) <= 1e-10);
        const auto order = file.integers(name + "order" + end);
        QCOMPARE(found.words.size(), order.size());
        const auto delta = file.doubles(name + "delta" + end);
        const auto variance = file.doubles(name + "variance" + end);
        const auto z = file.doubles(name + "z" + end);
        const auto high = file.integers(name + "high_count");
        const auto low = file.integers(name + "low_count");
        for (std::size_t i = 0; i < order.size(); ++i)
        {
            const auto w = static_cast<std::size_t>(order[i]);
            QCOMPARE(found.words[i].word, counts.words[w]);
            QCOMPARE(found.words[i].highCount, high[w]);
            QCOMPARE(found.words[i].lowCount, low[w]);
            QVERIFY(std::abs(found.words[i].delta - delta[w]) <= 1e-10);
            QVERIFY(std::abs(found.words[i].variance - variance[w]) <= 1e-10);
            QVERIFY(std::abs(found.words[i].z - z[w]) <= 1e-10);
            QVERIFY(found.words[i].q > 0 && found.words[i].q <= 1);
        }
    }

    /// What must hold: exchanged ends exchange the signs, and shares of all directions sum to 1.
    void symmetries()
    {
        const GoldenFile file(golden("circuits/words.h5"));
        const MatrixF rows = recordedVectors(file);
        JobContext job;
        const auto all = vectorDirections(rows.view(), {.directions = rows.cols()}, 2, job);
        HEADSCOPE_VERIFY_OK(all);
        double sum = 0;
        for (const VectorDirection& direction : all->directions)
            sum += direction.share;
        QVERIFY(std::abs(sum - 1) <= 1e-12);
        const WordCounts counts = recordedWords(file);
        const VectorDirection& direction = all->directions.front();
        const WordContrast there = contrastWords(counts, direction.high, direction.low);
        const WordContrast back = contrastWords(counts, direction.low, direction.high);
        std::map<std::string, double> z;
        for (const ContrastWord& word : there.words)
            z[word.word] = word.z;
        for (const ContrastWord& word : back.words)
            QVERIFY(std::abs(z.at(word.word) + word.z) <= 1e-12);
    }

    void edges()
    {
        JobContext job;
        MatrixF equal(6, 3);
        std::ranges::fill(equal.values(), 0.1F);
        const auto none = vectorDirections(equal.view(), {}, 1, job);
        HEADSCOPE_VERIFY_OK(none);
        QVERIFY(!none->varies && none->directions.empty() && none->documents == 6);
        equal(2, 1) = std::numeric_limits<float>::quiet_NaN();
        equal(4, 0) = 3;
        const auto one = vectorDirections(equal.view(), {.directions = 9, .ends = 0.5}, 1, job);
        HEADSCOPE_VERIFY_OK(one);
        QCOMPARE(one->documents, 5);
        QCOMPARE(one->leftOut, 1);
        QCOMPARE(one->directions.size(), std::size_t{3});
        QVERIFY(std::abs(one->directions.front().share - 1) <= 1e-12);
        QVERIFY(std::isnan(one->directions.front().scores[2]));
        QCOMPARE(one->directions.front().high.front(), 4);
        QVERIFY(!vectorDirections(MatrixF(1, 3).view(), {}, 1, job));
        const std::vector<std::string> texts = {"", "a b", "a", "c"};
        const auto counts = countWords(texts, 2, 1, job);
        HEADSCOPE_VERIFY_OK(counts);
        QCOMPARE(counts->words, std::vector<std::string>{"a"});
        const std::int64_t first[] = {0};
        const std::int64_t second[] = {1};
        QVERIFY(contrastWords(*counts, first, second).words.empty());
        QVERIFY(countWords({}, 2, 1, job)->words.empty());
    }
};

HEADSCOPE_TEST_GUILESS(TestWordContrast)
#include "tst_word_contrast.moc"
