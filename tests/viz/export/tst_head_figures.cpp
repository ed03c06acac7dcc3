// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/viz/figure_text.h"
#include "viz/chart/interval_rows.h"
#include "viz/color/inks.h"
#include "viz/export/heads/heads_figure.h"
#include "viz/export/heads/pruning_figure.h"

#include <QImage>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>
#include <numeric>

using namespace headscope;
using namespace headscope::viz;
using headscope::test::wordsOfSvg;

namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr int kScale = 10; ///< pixels of a point

ModelInfo grouped()
{
    ModelInfo info;
    info.name = "a_model";
    info.family = "llama";
    info.layers = 4;
    info.heads = 4;
    info.kvHeads = 2;
    info.headDim = 8;
    info.modelDim = 32;
    return info;
}

/// Four heads, two of them told from shuffled labels.
HeadReport sample(Stage stage)
{
    HeadReport report;
    report.stage = stage;
    report.layer = LayerIndex(3);
    report.documents = 60;
    for (std::int64_t head = 0; head < 4; ++head)
        report.statistics.push_back({head, 60, 2, 1, 0.5, 0.5, 1});
    HeadTopicStatistics answers;
    answers.documents = 50;
    answers.topics = 5;
    answers.matchChance = 0.2;
    for (TestedNumbers* numbers : {&answers.selectivity, &answers.match})
    {
        numbers->value = {0.1, 0.3, 0.6, 0.9};
        numbers->ci95 = {{0.05, 0.2}, {0.2, 0.4}, {0.5, 0.7}, {0.8, 1}};
        numbers->null.assign(4, {0.2, 0.3, 0.01, 999});
        numbers->q = {0.5, 0.06, 0.04, 0.001};
    }
    for (TestedNumbers* numbers : {&answers.etaSquared, &answers.topExcess})
    {
        numbers->value.assign(4, kNaN);
        numbers->ci95.assign(4, {});
        numbers->null.assign(4, {});
        numbers->q.assign(4, kNaN);
    }
    for (std::vector<double>* values :
         {&answers.meanSimilarity, &answers.sdSimilarity, &answers.evenness, &answers.topSimilarity})
        values->assign(4, kNaN);
    report.topTopic.assign(4, "a topic");
    answers.followsFull = {0, 0.1, 0.2, kNaN};
    answers.followsCi95.assign(4, {});
    report.answers = answers;
    HeadRedundancy alike;
    alike.cka = MatrixD(4, 4);
    for (std::int64_t i = 0; i < 16; ++i)
        alike.cka(i / 4, i % 4) = i / 4 == i % 4 ? 1 : 0.25;
    alike.meanCka = 0.25;
    alike.meanCkaCi95 = {0.2, 0.3};
    alike.pairs = 6;
    report.redundancy = alike;
    return report;
}

/// The columns of pixels in a row of pixels that are dark.
std::vector<int> darkIn(const QImage& image, int y)
{
    std::vector<int> dark;
    for (int x = 0; x < image.width(); ++x)
        if (qGray(image.pixel(x, y)) < 90)
            dark.push_back(x);
    return dark;
}

} // namespace

/// Heads and their removal on paper: every mark where its number is, and captions that say what the marks are.
class TestHeadFigures : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] std::filesystem::path path(const char* name) const
    {
        return m_folder.filePath(QString::fromLatin1(name)).toStdString();
    }

    static PruningFigure alone()
    {
        PruningFigure figure;
        figure.layer = LayerIndex(3);
        figure.of = QStringLiteral("50 labelled documents, 5 topics");
        figure.chart.measure = QStringLiteral("match at 5");
        figure.chart.units = QStringLiteral("heads");
        figure.chart.count = 4;
        figure.chart.all = 0.7;
        figure.chart.allCi95 = {0.6, 0.8};
        figure.chart.chance = 0.5;
        figure.alone = {0, 1, 2, 3};
        figure.differences.resize(4);
        for (PairedDifference& one : figure.differences)
        {
            one.difference = 0.02;
            one.ci95 = {-0.1, 0.1};
            one.changed = kMinChanged;
            one.q = 0.5;
        }
        return figure;
    }

private Q_SLOTS:
    void marksStandWhereTheirNumbersAre()
    {
        IntervalRows rows;
        rows.names = {QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("3"), QStringLiteral("4")};
        RowColumn column;
        column.low = 0;
        column.high = 1;
        using enum RowVerdict;
        column.numbers = {{0.25, {}, kNaN, Significant},
                          {0.75, {}, kNaN, Significant},
                          {0.75, {}, kNaN, Chance},
                          {0.5, {0.25, 0.75}, kNaN, Significant}};
        rows.columns = {column};
        const double height = intervalRowsHeight(rows, 200, 8);
        QImage image(200 * kScale, static_cast<int>(std::ceil(height)) * kScale, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.scale(kScale, kScale);
        paintIntervalRows(painter, rows, {0, 0, 200, height}, 8);
        painter.end();
        // The middles of the rows: the lines of pixels in which dots are widest.
        std::vector<std::vector<int>> middles;
        std::vector<int> widest;
        for (int y = 0; y < image.height(); ++y)
        {
            const std::vector<int> dark = darkIn(image, y);
            if (dark.size() > widest.size())
                widest = dark;
            if (dark.empty() && widest.size() >= 10)
                middles.push_back(std::exchange(widest, {}));
            else if (dark.empty())
                widest.clear();
        }
        QVERIFY2(middles.size() >= 4, qPrintable(QString::number(middles.size())));
        const auto middle = [&](std::size_t row) { return (middles[row].front() + middles[row].back()) / 2.0; };
        const double quarter = middle(0);
        const double half = (middle(1) - quarter) * 2; // the whole axis
        QVERIFY(half > 100 * kScale);
        QVERIFY(std::abs(middle(3) - (quarter + half / 4)) < 2);
        QVERIFY(std::abs(middles[3].back() - middles[3].front() - half / 2) < kScale);
        // A dot is filled, a ring is not.
        QCOMPARE(static_cast<int>(middles[0].size()), middles[0].back() - middles[0].front() + 1);
        QVERIFY(std::abs(middle(2) - middle(1)) < 2);
    }

    /// And what was not tested is grey.
    void ringsAreEmpty()
    {
        IntervalRows rows;
        rows.names = {QStringLiteral("1")};
        RowColumn column;
        column.low = 0;
        column.high = 1;
        for (const RowVerdict verdict : {RowVerdict::Significant, RowVerdict::Chance, RowVerdict::NotTested})
        {
            column.numbers = {{0.6, {}, kNaN, verdict}};
            rows.columns = {column};
            const double height = intervalRowsHeight(rows, 200, 8);
            QImage image(200 * kScale, static_cast<int>(height) * kScale, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            painter.scale(kScale, kScale);
            paintIntervalRows(painter, rows, {0, 0, 200, height}, 8);
            painter.end();
            int dark = 0;
            for (int y = 0; y < image.height(); ++y)
                for (const int x : darkIn(image, y))
                    dark += x > 60 * kScale ? 1 : 0; // not the title's or the name's
            const double disc = 3.14159 * 2.4 * kScale * 2.4 * kScale;
            QVERIFY2(verdict == RowVerdict::Significant ? dark > 0.8 * disc : dark < 0.6 * disc,
                     qPrintable(QString::number(dark / disc)));
            int grey = 0; // with that of the axis
            for (int y = 0; y < image.height(); ++y)
                for (int x = 60 * kScale; x < image.width(); ++x)
                    grey += image.pixelColor(x, y) == inks(InkTheme::Light).secondary ? 1 : 0;
            QVERIFY2(verdict != RowVerdict::NotTested || grey > 0.8 * disc, qPrintable(QString::number(grey / disc)));
        }
    }

    void columnsThatDoNotFitGoBelow()
    {
        IntervalRows rows;
        for (int i = 0; i < 9; ++i)
            rows.names << QString::number(i);
        rows.columns.assign(4, RowColumn{QStringLiteral("x"), std::vector<RowNumber>(9)});
        const double wide = intervalRowsHeight(rows, 480, 8);
        const double narrow = intervalRowsHeight(rows, 200, 8);
        QVERIFY(narrow > 1.9 * wide);
        QVERIFY(narrow < 2.2 * wide);
    }

    void headsSayWhatTheyAre()
    {
        const std::vector<std::int64_t> all = {0, 1, 2, 3};
        FigureOptions options;
        options.overwrite = true;
        HEADSCOPE_VERIFY_OK(
            writeFigure(figureOfHeads(sample(Stage::HeadOutput), grouped(), all), path("h.svg"), options));
        const auto svg = wordsOfSvg(path("h.svg"));
        for (const char* word : {"Match at 1", "Selectivity (unbiased)", "Follows full", "Spread", "Similarity of heads"})
            QVERIFY2(svg.has(QString::fromLatin1(word)), word);
        const QString caption = headsCaption(sample(Stage::HeadOutput), grouped());
        for (const char* part :
             {"50 labelled documents", "1 of 5", "999 permutations", "mean 0.250 over 6 pairs of heads",
              "0.200 to 0.300", "Outlines: heads that share keys and values", "over 60 documents"})
            QVERIFY2(caption.contains(QString::fromLatin1(part)), qPrintable(caption));
    }

    void segmentsAreNoHeads()
    {
        const QString caption = headsCaption(sample(Stage::OutputSegment), grouped());
        QVERIFY2(!caption.contains(QStringLiteral("Frames")), qPrintable(caption));
        QVERIFY2(caption.contains(QStringLiteral("pairs of segments")), qPrintable(caption));
        QVERIFY2(caption.contains(QStringLiteral("Segments are parts")), qPrintable(caption));
        // A segment of the layer's output is a part of the full vector, which is taken without it.
        HeadReport report = sample(Stage::OutputSegment);
        const QString without = QStringLiteral("The full vector is taken without the segment");
        QVERIFY2(headsCaption(report, grouped()).contains(without), qPrintable(headsCaption(report, grouped())));
        report.answers->options.follows = FollowsMode::Whole;
        QVERIFY(!headsCaption(report, grouped()).contains(without));
        QVERIFY(!headsCaption(sample(Stage::HeadOutput), grouped()).contains(without));
    }

    void withoutLabels()
    {
        HeadReport report = sample(Stage::HeadOutput);
        report.answers.reset();
        report.redundancy.reset();
        FigureOptions options;
        options.overwrite = true;
        HEADSCOPE_VERIFY_OK(
            writeFigure(figureOfHeads(report, grouped(), std::vector<std::int64_t>{1}), path("one.svg"), options));
        const auto svg = wordsOfSvg(path("one.svg"));
        QVERIFY(svg.has(QStringLiteral("Spread")));
        QVERIFY(!svg.has(QStringLiteral("Selectivity (unbiased)")));
        QVERIFY(!svg.has(QStringLiteral("q < 0.05")));
        HEADSCOPE_VERIFY_ERROR(writeFigure(figureOfHeads(report, grouped(), {}), path("none.svg"), options),
                               ErrorCode::InvalidArgument, "no heads to draw");
    }

    void removalsAlone()
    {
        PruningFigure figure = alone();
        FigureOptions options;
        options.overwrite = true;
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfPruning(figure, grouped()), path("alone.svg"), options));
        const auto svg = wordsOfSvg(path("alone.svg"));
        QVERIFY(svg.has(QStringLiteral("Change of match at 5")));
        for (int head = 1; head <= 4; ++head)
            QVERIFY(svg.has(QString::number(head)));
        const QString caption = pruningCaption(figure, grouped());
        for (const char* part :
             {"0.700 with all units (95%: 0.600 to 0.800), chance 0.500", "50 labelled documents",
              "the model is not run without the removed units", "no line where fewer than 10 scores change"})
            QVERIFY2(caption.contains(QString::fromLatin1(part)), qPrintable(caption));
        QVERIFY2(caption.contains(QStringLiteral("Filled: q < 0.05")) && svg.has(QStringLiteral("q < 0.05")),
                 qPrintable(caption));
        figure.allMethod = QStringLiteral("Wilson");
        QVERIFY(pruningCaption(figure, grouped()).contains(QStringLiteral("(95%, Wilson: 0.600 to 0.800)")));
        for (PairedDifference& one : figure.differences)
            one.p = one.q = kNaN;
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfPruning(figure, grouped()), path("untested.svg"), options));
        const auto untested = wordsOfSvg(path("untested.svg"));
        QVERIFY(untested.has(QStringLiteral("not tested")) && !untested.has(QStringLiteral("q < 0.05")));
        QVERIFY(pruningCaption(figure, grouped())
                    .contains(QStringLiteral("Not tested: the queries are the searched documents")));
        // Of few changed documents no p can fall below 0.05.
        figure.differences.front().changed = 5;
        figure.differences.back().q = figure.differences.back().p = 0.01;
        QVERIFY(pruningCaption(figure, grouped())
                    .contains(QStringLiteral("1 not tested, because fewer than 6 scores change")));
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfPruning(figure, grouped()), path("some.svg"), options));
        const auto some = wordsOfSvg(path("some.svg"));
        QVERIFY(some.has(QStringLiteral("not tested")) && some.has(QStringLiteral("q < 0.05")));
        QCOMPARE(rowVerdict(kNaN), RowVerdict::NotTested);
        QCOMPARE(rowVerdict(0.04), RowVerdict::Significant);
        QCOMPARE(rowVerdict(0.05), RowVerdict::Chance);
        for (PairedDifference& one : figure.differences)
        {
            one.changed = 5;
            one.p = one.q = kNaN;
        }
        QVERIFY(pruningCaption(figure, grouped()).contains(QStringLiteral("Not tested: fewer than 6 scores change")));
        figure.groups = true;
        figure.alone = {0, 1};
        figure.differences.resize(2);
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfPruning(figure, grouped()), path("groups.svg"), options));
        QVERIFY(wordsOfSvg(path("groups.svg")).has(QStringLiteral("KV2")));
    }

    void removalsOneAfterAnother()
    {
        PruningFigure figure = alone();
        figure.alone.clear();
        figure.differences.clear();
        FigureOptions options;
        options.overwrite = true;
        HEADSCOPE_VERIFY_ERROR(writeFigure(figureOfPruning(figure, grouped()), path("none.svg"), options),
                               ErrorCode::InvalidArgument, "no units to remove");
        figure.how = QStringLiteral("taken away one after another");
        figure.chart.line.name = QStringLiteral("taken away");
        for (std::int64_t off = 0; off < 4; ++off)
            figure.chart.line.points.push_back({off, 0.7 - 0.05 * static_cast<double>(off), off == 3});
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfPruning(figure, grouped()), path("curve.svg"), options));
        QVERIFY(!wordsOfSvg(path("curve.svg")).has(QStringLiteral("held-out half")));
        QVERIFY(!pruningCaption(figure, grouped()).contains(QStringLiteral("halvings")));
        figure.chart.halvings = 100;
        for (std::int64_t kept = 1; kept <= 4; ++kept)
            figure.chart.line.gains.push_back({static_cast<double>(kept), 0.05, {}, -0.01, {-0.05, 0.03}});
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfPruning(figure, grouped()), path("curve.svg"), options));
        const auto svg = wordsOfSvg(path("curve.svg"));
        QVERIFY2(svg.has(QStringLiteral("Match at 5")), qPrintable(svg.words.join(u' ')));
        QVERIFY(svg.has(QStringLiteral("held-out half")));
        QVERIFY(svg.has(QStringLiteral("2.5 to 97.5% of 100 halvings")));
        QVERIFY(svg.has(QStringLiteral("heads removed")));
        const QString caption = pruningCaption(figure, grouped());
        QVERIFY2(caption.contains(QStringLiteral("not a confidence interval")), qPrintable(caption));
        QVERIFY2(caption.contains(QStringLiteral("which is optimistically biased")), qPrintable(caption));
    }
};

HEADSCOPE_TEST(TestHeadFigures)
#include "tst_head_figures.moc"
