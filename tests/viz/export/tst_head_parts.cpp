// SPDX-License-Identifier: GPL-3.0-or-later
// What the window's Heads tab and the verbs draw of heads: discs on a plane, likeness, removals.
#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/viz/figure_text.h"
#include "viz/axis/text.h"
#include "viz/export/figure_text.h"
#include "viz/export/heads/head_parts.h"

#include <QImage>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <numeric>

using namespace headscope;
using namespace headscope::viz;

namespace
{

ModelInfo model(std::int64_t heads, std::int64_t groups)
{
    ModelInfo info;
    info.name = "a_model";
    info.family = "llama";
    info.layers = 4;
    info.heads = heads;
    info.kvHeads = groups;
    info.headDim = 8;
    info.modelDim = 8 * heads;
    return info;
}

/// Heads on a spiral, those of a group close together.
HeadReport spiral(std::int64_t heads, MatrixD& xy)
{
    HeadReport report;
    xy = MatrixD(heads, 2);
    HeadTopicStatistics answers;
    for (std::int64_t head = 0; head < heads; ++head)
    {
        report.statistics.push_back({head, 60, 1.0 + static_cast<double>(head % 3), 1, 0.5, 0.5, 1});
        const double angle = 0.7 * static_cast<double>(head);
        xy(head, 0) = 0.02 * static_cast<double>(head) * std::cos(angle);
        xy(head, 1) = 0.02 * static_cast<double>(head) * std::sin(angle);
        answers.match.value.push_back(0.25);
        answers.selectivity.value.push_back(head == 1 ? 0.5 : std::nan(""));
    }
    report.answers = answers;
    return report;
}

std::vector<std::int64_t> firstHeads(std::int64_t count)
{
    std::vector<std::int64_t> heads(static_cast<std::size_t>(count));
    std::iota(heads.begin(), heads.end(), 0);
    return heads;
}

PruningChart sampleChart()
{
    PruningChart chart;
    chart.measure = QStringLiteral("match at 5");
    chart.units = QStringLiteral("heads");
    chart.count = 4;
    chart.all = 0.7;
    chart.chance = 0.5;
    chart.line.name = QStringLiteral("taken away one after another");
    for (std::int64_t off = 0; off < 4; ++off)
        chart.line.points.push_back({off, 0.7 - 0.05 * static_cast<double>(off), off == 3});
    return chart;
}

/// What is painted of it.
QImage pictureOf(const PruningChart& chart)
{
    QImage image(600, 300, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintPruningChart(painter, chart, {10, 10, 580, 280}, 16);
    painter.end();
    return image;
}

/// Pixels in which two pictures of one size differ.
int differences(const QImage& one, const QImage& other)
{
    int found = 0;
    for (int y = 0; y < one.height(); ++y)
        for (int x = 0; x < one.width(); ++x)
            found += one.pixel(x, y) != other.pixel(x, y) ? 1 : 0;
    return found;
}

} // namespace

class TestHeadParts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void discsAndNumbersLieApart_data()
    {
        QTest::addColumn<int>("heads");
        QTest::addColumn<QSizeF>("size");
        QTest::newRow("nine") << 9 << QSizeF(220, 220);
        QTest::newRow("thirty-two") << 32 << QSizeF(300, 300);
        QTest::newRow("one") << 1 << QSizeF(100, 100);
    }
    void discsAndNumbersLieApart()
    {
        QFETCH(const int, heads);
        QFETCH(const QSizeF, size);
        MatrixD xy;
        const HeadReport report = spiral(heads, xy);
        const auto discs = headDiscs(report, xy, 1, firstHeads(heads), {});
        const QRectF box(QPointF(7, 11), size);
        const HeadDiscLayout layout(discs, box, {InkTheme::Light, HeadPalette(model(heads, heads)), textFont(7), 0.65});
        for (std::int64_t a = 0; a < heads; ++a)
        {
            QVERIFY(box.contains(layout.placeOf(a)));
            QVERIFY(box.contains(layout.labelOf(a)));
            QCOMPARE(layout.headAt(layout.placeOf(a)).has_value(), true);
            for (std::int64_t b = a + 1; b < heads && heads < 20; ++b)
                QVERIFY2(!layout.labelOf(a).intersects(layout.labelOf(b)), qPrintable(QString::number(b)));
        }
        // Distances are what is shown: both axes have one scale.
        if (heads > 4)
        {
            const auto shown = [&](std::int64_t a, std::int64_t b) {
                return QLineF(layout.placeOf(a), layout.placeOf(b)).length();
            };
            const auto given = [&](std::int64_t a, std::int64_t b) {
                return std::hypot(xy(a, 0) - xy(b, 0), xy(a, 1) - xy(b, 1));
            };
            QVERIFY(std::abs(shown(0, 1) / given(0, 1) - shown(2, 4) / given(2, 4)) < 1e-6 * shown(0, 1) / given(0, 1));
        }
    }

    void aDiscSaysItsNumbers()
    {
        MatrixD xy(2, 2);
        xy(1, 0) = 1;
        HeadReport report = spiral(2, xy);
        xy = MatrixD(2, 2);
        xy(1, 0) = 1;
        const HeadPalette palette(model(2, 2));
        const auto painted = [&](const std::vector<bool>& kept) {
            QImage image(300, 200, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            HeadDiscLayout(headDiscs(report, xy, 1, {0, 1}, kept), image.rect(),
                           {InkTheme::Light, palette, textFont(11), 1})
                .paint(painter);
            painter.end();
            return image;
        };
        const HeadDiscLayout layout(headDiscs(report, xy, 1, {0, 1}, {}), {0, 0, 300, 200},
                                    {InkTheme::Light, palette, textFont(11), 1});
        const QImage image = painted({});
        // A quarter of the disc, from the top to the right, is filled: the match.
        const double half = layout.radiusOf(0) / 2;
        const auto at = [&](const QImage& of, std::int64_t head, double x, double y) {
            return of.pixelColor((layout.placeOf(head) + QPointF(x, y)).toPoint());
        };
        QCOMPARE(at(image, 0, half, -half), palette.color(HeadIndex(0)));
        QCOMPARE(at(image, 0, -half, -half), QColor(Qt::white));
        QCOMPARE(at(image, 0, half, half), QColor(Qt::white));
        // The right half of the ring around the second one, which alone is selective.
        const double ring = layout.radiusOf(1) + 3;
        QVERIFY(qGray(at(image, 1, ring, 0).rgb()) < 90);
        QVERIFY(qGray(at(image, 1, -ring, 0).rgb()) > 200);
        QVERIFY(qGray(at(image, 0, layout.radiusOf(0) + 3, 0).rgb()) > 200);
        // The weaker one is the smaller one.
        QVERIFY(layout.radiusOf(0) < layout.radiusOf(1));
        // One that is off is an outline.
        QCOMPARE(at(painted({false, true}), 0, half, -half), QColor(Qt::white));
    }

    void hullOfPoints()
    {
        const QPolygonF hull = convexHull(QPolygonF({{0, 0}, {2, 0}, {1, 0.5}, {2, 2}, {0, 2}, {1, 1}, {0, 0}}));
        QCOMPARE(hull.size(), 4);
        QVERIFY(!hull.contains(QPointF(1, 1)));
        QCOMPARE(convexHull(QPolygonF({{1, 1}, {1, 1}})).size(), 1);
    }

    void groupsLieInHulls()
    {
        MatrixD xy;
        const HeadReport report = spiral(6, xy);
        const auto discs = headDiscs(report, xy, 3, firstHeads(6), {});
        QCOMPARE(discs[2].group, 0);
        QCOMPARE(discs[3].group, 1);
        QCOMPARE(headDiscs(report, xy, 6, firstHeads(6), {})[3].group, -1); // one group is none
        QCOMPARE(headDiscs(report, xy, 1, firstHeads(6), {})[3].group, -1);
    }

    void whatIsOffNowIsRinged()
    {
        PruningChart chart = sampleChart();
        const QImage without = pictureOf(chart);
        QCOMPARE(pruningKey(chart).size(), std::size_t{3});
        chart.now = 2;
        QVERIFY(differences(pictureOf(chart), without) > 5);
        QCOMPARE(pruningKey(chart).size(), std::size_t{4});
        chart.now = 17; // is not on the line
        QCOMPARE(differences(pictureOf(chart), without), 0);
    }

    /// In a column of any venue every letter can be read.
    void theyCanBeReadInAColumn()
    {
        const QTemporaryDir folder;
        MatrixD xy;
        const HeadReport report = spiral(9, xy);
        const ModelInfo info = model(9, 3);
        MatrixD alike(9, 9);
        for (std::int64_t i = 0; i < 81; ++i)
            alike(i / 9, i % 9) = i == 1 ? -0.1 : 0.25;
        std::vector<FigurePart> parts = {
            likenessPart(alike, QStringLiteral("linear CKA"), true, info, firstHeads(9), {}),
            headDiscsPart(headDiscs(report, xy, 3, firstHeads(9), {}), info, {}), pruningPart(sampleChart())};
        FigureOptions options;
        options.sizeInches = {77 / 25.4, 0};
        const std::filesystem::path path = folder.filePath(QStringLiteral("parts.svg")).toStdString();
        const auto written = writeFigure(figureOfParts(parts), path, options);
        HEADSCOPE_VERIFY_OK(written);
        const FigureRecord& record = *written;
        QVERIFY2(record.leastTextPt >= 6, qPrintable(QString::number(record.leastTextPt)));
        QVERIFY(std::abs(record.sizeMm.width() - 77) < 0.01);
        QVERIFY(record.contentMm.width() > 70 && record.contentMm.right() < record.sizeMm.width() &&
                record.contentMm.bottom() < record.sizeMm.height());
        const auto words = test::wordsOfSvg(path);
        QVERIFY2(words.words.join(u' ').contains(QStringLiteral("linear CKA, below 0 as 0")),
                 qPrintable(words.words.join(u'|')));
        QVERIFY(words.has(QStringLiteral("Match at 5")) && words.has(QStringLiteral("chance")));
    }

    /// They were cut to "0…5" where the range is narrow and its numbers have more digits.
    void numbersOfANarrowRangeAreWhole()
    {
        QTemporaryDir folder;
        PruningChart chart = sampleChart();
        chart.chance = std::nan("");
        chart.all = 0.995;
        for (PruningLine::Point& point : chart.line.points)
            point.value = 0.995 - 0.002 * static_cast<double>(point.off);
        const std::filesystem::path path = folder.filePath(QStringLiteral("narrow.svg")).toStdString();
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfParts({pruningPart(chart)}), path, {}));
        const auto words = test::wordsOfSvg(path);
        QVERIFY2(words.has(QStringLiteral("0.990")), qPrintable(words.words.join(u'|')));
        QVERIFY2(!words.words.join(u'|').contains(u'\u2026'), qPrintable(words.words.join(u'|')));
    }
};

HEADSCOPE_TEST(TestHeadParts)
#include "tst_head_parts.moc"
