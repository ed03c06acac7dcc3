// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/part_figures.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/viz/figure_text.h"

#include <QImage>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace headscope;
using namespace headscope::viz;
using headscope::test::wordsOfSvg;

class TestPartFigures : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::filesystem::path path(const QString& name) const { return m_folder.filePath(name).toStdString(); }

    static FigureTable sample()
    {
        FigureTable table;
        table.columns.push_back({QStringLiteral("Head"), false, false, false});
        for (int i = 0; i < 9; ++i)
            table.columns.push_back({QStringLiteral("Measure %1").arg(i), true, false, false});
        table.columns.push_back({QStringLiteral("Topic"), false, true, false});
        for (int row = 0; row < 12; ++row)
        {
            std::vector<FigureCell> cells(11);
            cells[0].text = QStringLiteral("Head %1").arg(row + 1);
            for (std::size_t i = 1; i < 10; ++i)
                cells[i].text = QStringLiteral("%1.%2").arg(row).arg(1000 + 7 * i);
            cells[10].text = QStringLiteral("Topic%1").arg(row);
            table.rows.push_back(std::move(cells));
        }
        return table;
    }

private Q_SLOTS:
    /// Whatever the width, every cell is there, whole.
    void noTextIsCut_data()
    {
        QTest::addColumn<double>("mm");
        for (const double mm : {60.0, 77.0, 160.0, 171.45})
            QTest::addRow("%g mm", mm) << mm;
    }
    void noTextIsCut()
    {
        QFETCH(const double, mm);
        FigureOptions options;
        options.sizeInches = {inchesOfMm(mm), 0};
        options.overwrite = true;
        const std::vector<FigurePart> parts = {tablePart(QStringLiteral("All of it"), sample(), 1e6)};
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfParts(parts), path(QStringLiteral("table.svg")), options));
        const auto svg = wordsOfSvg(path(QStringLiteral("table.svg")));
        QVERIFY(std::abs(svg.width - mm / 25.4 * 72) < 0.1);
        const FigureTable table = sample();
        for (const FigureColumn& column : table.columns)
            QVERIFY2(svg.has(column.title), qPrintable(column.title));
        for (const auto& row : table.rows)
            for (const FigureCell& cell : row)
                QVERIFY2(svg.has(cell.text), qPrintable(cell.text));
    }

    /// Two columns that do not fit next to each other are one table all the same, as wide as there is room.
    void twoColumnsAreOneTable_data()
    {
        QTest::addColumn<double>("width");
        for (const double width : {150.0, 195.0, 218.0, 480.0})
            QTest::addRow("%g pt", width) << width;
    }
    void twoColumnsAreOneTable()
    {
        QFETCH(const double, width);
        FigureTable table;
        table.columns = {{QStringLiteral("Compared with"), false, false, false},
                         {QStringLiteral("Stage 1"), true, false, false}};
        for (const auto& [name, value] :
             {std::pair("means subtracted (chance by construction)", "0.111"),
              std::pair("the probe on other test documents", "0.752 (sd of 10 splits: 0.012)"),
              std::pair("p of the grouping", "0.0036 (smallest possible: 0.0036)")})
        {
            std::vector<FigureCell> cells(2);
            cells[0].text = QString::fromLatin1(name);
            cells[1].text = QString::fromLatin1(value);
            table.rows.push_back(std::move(cells));
        }
        const FigurePart part = tablePart({}, table, 1e6);
        QImage image(800, static_cast<int>(std::ceil(part.height(width))), QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        part.paint(painter, {0, 0, width, static_cast<double>(image.height())}, 1);
        painter.end();
        int right = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (qGray(image.pixel(x, y)) < 200)
                    right = std::max(right, x);
        QVERIFY2(right <= width + 1, qPrintable(QString::number(right)));
        FigureOptions options;
        options.sizeInches = {width / kPointsPerInch, 0};
        options.overwrite = true;
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfParts({part}), path(QStringLiteral("two.svg")), options));
        const QStringList words = wordsOfSvg(path(QStringLiteral("two.svg"))).words;
        QCOMPARE(words.count(QStringLiteral("Compared with")), 1);
        QCOMPARE(words.count(QStringLiteral("Stage 1")), 1);
        QVERIFY(words.contains(QStringLiteral("0.111")));
    }

    /// A figure without a caption of its own says what its parts are, and what they leave out.
    void captionsAreThoseOfTheParts()
    {
        FigurePart part = tablePart(QStringLiteral("All of it"), sample(), 1e6);
        part.note = QStringLiteral("Seen");
        part.more = QStringLiteral("Spread: defined.");
        FigureOptions options;
        options.overwrite = true;
        auto record = writeFigure(figureOfParts({part}), path(QStringLiteral("c.svg")), options);
        HEADSCOPE_VERIFY_OK(record);
        QCOMPARE(record->caption, QStringLiteral("All of it: Seen Spread: defined."));
        const QStringList words = wordsOfSvg(path(QStringLiteral("c.svg"))).words;
        QVERIFY(words.contains(QStringLiteral("Seen")) && !words.contains(QStringLiteral("Spread: defined.")));
        options.caption = QStringLiteral("Its own");
        record = writeFigure(figureOfParts({part}), path(QStringLiteral("c.svg")), options);
        HEADSCOPE_VERIFY_OK(record);
        QCOMPARE(record->caption, options.caption);
    }

    void partsShareALineWhereTheyFit()
    {
        std::vector<QRectF> boxes;
        FigurePart part;
        part.least = 150;
        part.height = [](double width) { return width; };
        part.paint = [&boxes](QPainter&, const QRectF& box, double) { boxes.push_back(box); };
        const std::vector<FigurePart> parts = {part, part, part};
        FigureOptions options;
        options.overwrite = true;
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfParts(parts), path(QStringLiteral("p.svg")), options));
        QCOMPARE(boxes.size(), std::size_t{3});
        QCOMPARE(boxes[0].top(), boxes[2].top());
        QVERIFY(boxes[1].left() > boxes[0].right());
        boxes.clear();
        options.sizeInches = {inchesOfMm(77), 0};
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfParts(parts), path(QStringLiteral("p.svg")), options));
        QVERIFY(boxes[1].top() > boxes[0].bottom());
        QVERIFY(boxes[2].top() > boxes[1].bottom());
        HEADSCOPE_VERIFY_ERROR(writeFigure(figureOfParts({}), path(QStringLiteral("p.svg")), options),
                               ErrorCode::InvalidArgument, "nothing to draw");
    }
};

HEADSCOPE_TEST(TestPartFigures)
#include "tst_part_figures.moc"
