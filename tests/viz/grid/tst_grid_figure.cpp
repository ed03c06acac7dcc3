// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/grid/grid_figure.h"

#include "tests/support/test_program.h"
#include "tests/viz/figure_text.h"
#include "tests/viz/sample_set.h"
#include "tests/viz/sample_values.h"
#include "viz/grid/grid_frame.h"

#include <QFile>
#include <QImageReader>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>

#include <limits>

using namespace headscope;
using namespace headscope::viz;

class TestGridFigure : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesEveryFormat_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"grid.png", "grid.pdf", "grid.svg"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void writesEveryFormat()
    {
        QFETCH(QString, name);
        const QTemporaryDir folder;
        const QString path = folder.filePath(name);
        GridFigure figure;
        PointColoring coloring;
        LabelColumn column{"topic", {}, {"Cooking", "Music"}};
        PointIds all;
        for (std::int32_t i = 0; i < 80; ++i)
        {
            all.document.push_back(i);
            all.head.push_back(0);
            column.codes.push_back(i % 2);
        }
        figure.coloring = colorByLabel(all, column, InkTheme::Light);
        FigureOptions options;
        options.dpi = 150;
        options.sizeInches = {6.75, 3};
        const auto model = test::sampleModel(6, 3);
        const auto first =
            writeFigure(figureOfGrid(headscope::test::sampleSet(), model, figure), path.toStdString(), options);
        QVERIFY2(bool(first), first ? "" : first.error().sentence().c_str());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QVERIFY(bytes.size() > 2000);
        options.overwrite = true;
        QVERIFY(
            bool(writeFigure(figureOfGrid(headscope::test::sampleSet(), model, figure), path.toStdString(), options)));
        QFile again(path);
        QVERIFY(again.open(QIODevice::ReadOnly));
        QCOMPARE(again.readAll(), bytes); // the same input, the same bytes
        if (name.endsWith(QStringLiteral("png")))
        {
            if (qEnvironmentVariableIsSet("HEADSCOPE_TEST_PICTURES"))
                QFile::copy(path, qEnvironmentVariable("HEADSCOPE_TEST_PICTURES") + QStringLiteral("/grid_figure.png"));
            const QImage image(path);
            QCOMPARE(image.width(), 1013); // 6.75 inches of 150 dots
        }
    }

    /// However wide the figure and however many the cells: each says its agreement, and the legend is whole.
    void everyCellSaysItsAgreement_data()
    {
        QTest::addColumn<double>("mm");
        QTest::addColumn<int>("heads");
        for (const double mm : {77.0, 160.0, 171.45})
            for (const int heads : {6, 13, 32})
                QTest::addRow("%g mm, %d heads", mm, heads) << mm << heads;
    }
    void everyCellSaysItsAgreement()
    {
        QFETCH(const double, mm);
        QFETCH(const int, heads);
        const QTemporaryDir folder;
        const auto path = folder.filePath(QStringLiteral("grid.svg")).toStdString();
        const auto set = headscope::test::sampleSet(80, heads);
        for (std::size_t i = 0; i < set->maps.size(); ++i)
            set->maps[i].correlation = 0.5 + 0.003 * static_cast<double>(i);
        GridFigure figure;
        LabelColumn column{"topic", {}, {}};
        PointIds all;
        for (std::int32_t i = 0; i < 80; ++i)
        {
            all.document.push_back(i);
            all.head.push_back(0);
            column.codes.push_back(i % 25);
        }
        for (int i = 0; i < 25; ++i)
            column.categories.push_back("Label " + std::to_string(i));
        figure.coloring = colorByLabel(all, column, InkTheme::Light);
        FigureOptions options;
        options.dpi = 72;
        options.sizeInches = {inchesOfMm(mm), 0};
        const auto made = writeFigure(figureOfGrid(set, test::sampleModel(heads, 1), figure), path, options);
        QVERIFY2(bool(made), made ? "" : made.error().sentence().c_str());
        const auto svg = test::wordsOfSvg(path);
        const auto agreements = svg.words.filter(QRegularExpression(QStringLiteral("^r 0\\.\\d\\d$")));
        QCOMPARE(agreements.size(), qsizetype(1 + 2 * heads));
        for (const std::string& name : column.categories)
            QVERIFY2(svg.has(QString::fromStdString(name)), name.c_str());
        QVERIFY(svg.words.filter(QStringLiteral("\u2026")).isEmpty()); // nothing is cut
    }

    /// Where one name does not fit, all cells have the short one; never some of both.
    void allCellsAreNamedAlike()
    {
        const auto set = headscope::test::sampleSet();
        GridContents contents = gridContents(*set, HeadPalette(test::sampleModel(6, 3)));
        for (GridCell& cell : contents.cells)
            cell.title = QStringLiteral("H") + cell.shortTitle; // fits
        GridContents brief = contents;
        for (GridCell& cell : brief.cells)
            cell.title = cell.shortTitle;
        GridContents oneLong = contents;
        oneLong.cells.back().title = QStringLiteral("A name that is longer than any cell of this grid is wide, by far");
        QVERIFY(!GridLayout(contents, QSizeF(300, 4000)).columnHeading(0));
        const auto painted = [](const GridContents& of) {
            const GridLayout layout(of, QSizeF(300, 4000)); // broken rows: no headings of columns
            QImage image(300, 4000, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            paintGridFrame(painter, of, layout, {});
            painter.end();
            return image;
        };
        QVERIFY(painted(contents) != painted(brief)); // there is room
        QCOMPARE(painted(oneLong), painted(brief));
    }

    void refusesWhatCannotBeDrawn()
    {
        const QTemporaryDir folder;
        const auto path = folder.filePath(QStringLiteral("x.png")).toStdString();
        QCOMPARE(writeFigure(figureOfGrid(nullptr, {}, {}), path, {}).error().code, ErrorCode::InvalidArgument);
        auto set = headscope::test::sampleSet(4, 1);
        for (MapOfSet& each : set->maps)
            for (float& value : each.map.xy.values())
                value = std::numeric_limits<float>::quiet_NaN();
        QCOMPARE(writeFigure(figureOfGrid(set, {}, {}), path, {}).error().code, ErrorCode::InvalidArgument);
    }
};

HEADSCOPE_TEST(TestGridFigure)
#include "tst_grid_figure.moc"
