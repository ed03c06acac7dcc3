// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/comparison_figure.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/viz/figure_text.h"
#include "tests/viz/sample_values.h"

#include <QImage>
#include <QTemporaryDir>
#include <QTest>

using namespace headscope;
using namespace headscope::viz;
using headscope::test::wordsOfSvg;

class TestComparisonFigure : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    ModelInfo m_info = test::sampleModel(8, 2);

    std::filesystem::path path(const char* name) const
    {
        return m_folder.filePath(QLatin1StringView(name)).toStdString();
    }

    ComparisonFigure sample(Stage stage = Stage::HeadOutput) const
    {
        const auto map = std::make_shared<HeadMap>(test::sampleMap(40, 8));
        map->stage = stage;
        const bool heads = stage == Stage::HeadOutput;
        ComparisonFigure figure;
        figure.coloring =
            colorByHead(*map->points, HeadPalette(m_info), heads ? QStringLiteral("head") : QStringLiteral("segment"));
        const QRectF window = *dataBounds(map->xy.values());
        figure.panels = {{map, QStringLiteral("A: first"), window}, {map, QStringLiteral("B: second"), window}};
        return figure;
    }

    static bool hasColor(const QImage& image, const QRect& where)
    {
        for (int y = where.top(); y <= where.bottom(); ++y)
            for (int x = where.left(); x <= where.right(); ++x)
                if (QColor(image.pixel(x, y)).hsvSaturation() > 60)
                    return true;
        return false;
    }

private Q_SLOTS:
    void bothMapsStandSideBySide()
    {
        FigureOptions options;
        options.dpi = 100;
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfComparison(sample(), m_info), path("pair.png"), options));
        const QImage image(QString::fromStdString(path("pair.png").string()));
        QVERIFY(image.width() > image.height());
        const int third = image.width() / 3;
        QVERIFY(hasColor(image, {0, 20, third, image.height() - 21}));
        QVERIFY(hasColor(image, {third + 10, 20, third - 10, image.height() - 21}));
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfComparison(sample(), m_info), path("pair.svg"), options));
        const auto svg = wordsOfSvg(path("pair.svg"));
        for (const char* word : {"A: first", "B: second", "KV1", "KV2"})
            QVERIFY2(svg.has(QLatin1StringView(word)), word);
        // Segments belong to no group of keys.
        HEADSCOPE_VERIFY_OK(
            writeFigure(figureOfComparison(sample(Stage::OutputSegment), m_info), path("segments.svg"), options));
        const auto segments = wordsOfSvg(path("segments.svg"));
        for (const QString& word : {QStringLiteral("1–4"), QStringLiteral("5–8")})
            QVERIFY2(segments.has(word), qPrintable(segments.words.join(u' ')));
        QVERIFY2(!segments.has(QStringLiteral("KV1")), qPrintable(segments.words.join(u' ')));
    }

    void inANarrowFigureOneLiesUnderTheOther()
    {
        FigureOptions options;
        options.dpi = 100;
        options.sizeInches = {inchesOfMm(77), 0};
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfComparison(sample(), m_info), path("narrow.png"), options));
        const QImage image(QString::fromStdString(path("narrow.png").string()));
        QCOMPARE(image.width(), 303);
        QVERIFY(image.height() > image.width());
    }

    void linesAndTheirNumberAreThere()
    {
        ComparisonFigure figure = sample();
        FigureOptions options;
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfComparison(figure, m_info), path("bare.svg"), options));
        const auto& xy = figure.panels.front().map->xy;
        const auto at = [&xy](std::int64_t i) {
            return QPointF(static_cast<double>(xy(i, 0)), static_cast<double>(xy(i, 1)));
        };
        for (std::int64_t i = 0; i < 10; ++i)
            figure.lines.push_back({at(i), at(i), i == 0});
        figure.lines.push_back({{1e6, 1e6}, {2e6, 1e6}, false}); // nowhere in view
        figure.note = QStringLiteral("lines of 10 of 320 points");
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfComparison(figure, m_info), path("lines.svg"), options));
        QFile bare(QString::fromStdString(path("bare.svg").string()));
        QFile lines(QString::fromStdString(path("lines.svg").string()));
        QVERIFY(bare.open(QIODevice::ReadOnly) && lines.open(QIODevice::ReadOnly));
        QCOMPARE(lines.readAll().count("<polyline"), bare.readAll().count("<polyline") + 10);
        QVERIFY(wordsOfSvg(path("lines.svg")).has(figure.note));
    }

    void refusesWhatCannotBeDrawn()
    {
        HEADSCOPE_VERIFY_ERROR(writeFigure(figureOfComparison({}, m_info), path("x.png"), {}),
                               ErrorCode::InvalidArgument, "no map to draw");
        ComparisonFigure figure = sample();
        figure.coloring.index.pop_back();
        HEADSCOPE_VERIFY_ERROR(writeFigure(figureOfComparison(figure, m_info), path("x.png"), {}),
                               ErrorCode::ShapeMismatch, "320 points");
    }
};

HEADSCOPE_TEST(TestComparisonFigure)
#include "tst_comparison_figure.moc"
