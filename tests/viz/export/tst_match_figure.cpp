// SPDX-License-Identifier: GPL-3.0-or-later
// What the caption of a match says of its lines, and of chance that is more than guessing.
#include "viz/export/match_figure.h"

#include "tests/support/test_program.h"
#include "tests/viz/sample_values.h"
#include "viz/chart/match_bars.h"

#include <QTest>

#include <limits>

using namespace headscope;
using namespace headscope::viz;

namespace
{

TopicMatch sampleMatch()
{
    TopicMatch match;
    match.result.documents = 90;
    match.result.topics = 8;
    match.result.k = {1, 5};
    match.result.share = match.low = match.high = MatrixD(9, 2);
    return match;
}

} // namespace

class TestMatchFigure : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void linesAndWhoTestsThem()
    {
        const TopicMatch match = sampleMatch();
        const QString said = matchTests(match);
        QCOMPARE(said,
                 QStringLiteral("Lines are 95% intervals (Wilson), and dashed lines are chance. The values are not "
                                "tested here: headscope match gives p and q against permuted labels."));
        QVERIFY(matchCaption(match, test::sampleModel(8, 8)).contains(said));
    }

    void headsThatLabelsChose()
    {
        TopicMatch match = sampleMatch();
        match.headsAreChosen = true;
        const QString said = matchTests(match);
        QVERIFY2(said.contains(QStringLiteral("their values are optimistically biased and have no interval or p")),
                 qPrintable(said));
        QVERIFY(!said.contains(QStringLiteral("headscope match gives p")));
    }

    void rowsThatAreToldFromShuffledLabels()
    {
        TopicMatch match = sampleMatch();
        match.vectorsText = "centroids of each label's documents, without the compared document";
        match.q = MatrixD(9, 2);
        match.result.null = Matrix<PermutationNull>(9, 2);
        match.result.null(0, 0) = {0.123, 0.2, 0.001, 999};
        for (std::int64_t row = 0; row < 9; ++row)
            match.q(row, 0) = row == 0 ? std::numeric_limits<double>::quiet_NaN() : row < 4 ? 0.01 : 0.2;
        const QString said = matchTests(match);
        QVERIFY2(said.contains(QStringLiteral("(Wilson, with the centroids as given: somewhat too narrow)")),
                 qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral(
                     "Of the 8 rows other than the full vector, 3 differ from their values for labels permuted among "
                     "the documents (true topic the nearest; q < 0.05 after Benjamini and Hochberg, 999 permutations). "
                     "With permuted labels, the full row matches 12.3% on average.")),
                 qPrintable(said));
        QVERIFY(matchCaption(match, test::sampleModel(8, 8)).contains(said));
    }
};

HEADSCOPE_TEST_GUILESS(TestMatchFigure)
#include "tst_match_figure.moc"
