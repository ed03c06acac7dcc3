// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "viz/axis/text.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <limits>

using namespace headscope::viz;

namespace
{

/// Sum of darkness of a white picture.
double ink(const QImage& image)
{
    double sum = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            sum += (255 - qGray(image.pixel(x, y))) / 255.0;
    return sum;
}

} // namespace

class TestText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void measuredTextIsNotElided();
    void elidesInTheMiddle();
    void wraps();
    void wrapsAtMostSoManyLines();
    void scaledTextIsAsHeavy();
    void numbers();
    void isDrawnTheSameInAWindowFromRightToLeft();
};

void TestText::measuredTextIsNotElided()
{
    const QFont font = textFont(11);
    for (const QString& text : {QStringLiteral("KV1"), QStringLiteral("Health, Nutrition, Diet"),
                                QStringLiteral("\u65e5\u672c\u8a9e"), QStringLiteral("\u05e2\u05d1\u05e8\u05d9\u05ea")})
        QCOMPARE(elidedMiddle(text, font, textWidth(text, font)), text);
}

void TestText::elidesInTheMiddle()
{
    const QFont font = textFont(11);
    const QString name = QStringLiteral("beginning ") + QString(300, QLatin1Char('x')) + QStringLiteral(" end");
    const QString shown = elidedMiddle(name, font, 120);
    QVERIFY(textWidth(shown, font) <= 120.5);
    QVERIFY(shown.startsWith(QStringLiteral("begin")) && shown.endsWith(QStringLiteral("end")));
}

void TestText::wraps()
{
    const QFont font = textFont(10);
    const QString text =
        QStringLiteral("one two three four five six seven eight nine ten ") + QString(80, QLatin1Char('w'));
    const QStringList lines = wrappedLines(text, font, 100);
    QVERIFY(lines.size() > 4);
    for (const QString& line : lines)
        QVERIFY2(textWidth(line, font) <= 100.5, qPrintable(line));
    QCOMPARE(lines.join(QString()).remove(QLatin1Char(' ')), QString(text).remove(QLatin1Char(' ')));
    QCOMPARE(wrappedLines(QStringLiteral("a\nb"), font, 100), (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
    QVERIFY(wrappedLines(QString(), font, 100).join(QString()).isEmpty());
}

void TestText::wrapsAtMostSoManyLines()
{
    const QFont font = textFont(10);
    const QString text = QStringLiteral("one two three four five six seven eight nine ten eleven");
    const QStringList lines = wrappedLines(text, font, 90, 2);
    QCOMPARE(lines.size(), 2);
    QVERIFY2(lines.last().endsWith(QChar(0x2026)), "running text ends in an ellipsis, it is not cut in its middle");
    QVERIFY(textWidth(lines.last(), font) <= 90);
    QCOMPARE(wrappedLines(QStringLiteral("one"), font, 90, 2).size(), 1);
}

void TestText::scaledTextIsAsHeavy()
{
    const QString text = QStringLiteral("Logistic probe of the head index");
    QImage direct(400, 40, QImage::Format_RGB32);
    direct.fill(Qt::white);
    QImage scaled = direct;
    {
        QPainter painter(&direct);
        drawLine(painter, {4, 4, 390, 30}, text, textFont(16), Qt::black);
    }
    {
        QPainter painter(&scaled);
        painter.scale(2, 2);
        drawLine(painter, {2, 2, 195, 15}, text, textFont(8), Qt::black);
    }
    const double share = ink(scaled) / ink(direct);
    // The direct text has FreeType's own thickening at 16 pixels; enlarged small text had more than it.
    QVERIFY2(share > 0.7 && share < 1.05, qPrintable(QString::number(share)));
}

void TestText::isDrawnTheSameInAWindowFromRightToLeft()
{
    const auto drawn = [](Qt::LayoutDirection direction, double scale) {
        QImage image(260, 60, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.setLayoutDirection(direction);
        painter.scale(scale, scale);
        drawLine(painter, {2, 2, 240, 16}, QStringLiteral("(-0.5 to 0.7) 12%"), textFont(12), Qt::black);
        drawLine(painter, {2, 20, 240, 16}, QStringLiteral("0.12 [0.1, 0.2]."), textFont(12), Qt::black,
                 Qt::AlignRight | Qt::AlignVCenter);
        painter.end();
        return image;
    };
    for (const double scale : {1.0, 1.2})
        QCOMPARE(drawn(Qt::RightToLeft, scale), drawn(Qt::LeftToRight, scale));
}

void TestText::numbers()
{
    QCOMPARE(groupedNumber(320'000), QStringLiteral("320,000"));
    QCOMPARE(shortNumber(-0.25), QChar(0x2212) + QStringLiteral("0.25"));
    QCOMPARE(shortNumber(-0.0), QStringLiteral("0"));
    QCOMPARE(shortNumber(2.5173), QStringLiteral("2.52"));
    QCOMPARE(shortNumber(1990), QStringLiteral("1990"));
    QCOMPARE(shortNumber(999'999), QStringLiteral("999999"));
    QCOMPARE(shortNumber(0.00012345), QStringLiteral("0.000123"));
    QCOMPARE(shortNumber(12'300'000), QStringLiteral("1.23e+07"));
    QCOMPARE(shortNumber(std::numeric_limits<double>::quiet_NaN()), QString(QChar(0x2013)));
}

HEADSCOPE_TEST(TestText)
#include "tst_text.moc"
