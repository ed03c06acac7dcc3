// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/figure_export.h"

#include "tests/support/file_bytes.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/viz/drawn_figure.h"
#include "viz/axis/text.h"
#include "viz/export/pixels/svg_pixels.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <cstdlib>

#include <unistd.h>

using namespace headscope;
using test::bytesOf;
using namespace headscope::viz;

namespace
{

void drawSample(QPainter& painter, const QRectF& box, double)
{
    painter.fillRect(box.adjusted(20, 20, -20, -20), QColor(10, 120, 60));
    drawLine(painter, box, QStringLiteral("Inside <&> \u65e5\u672c\u8a9e"), textFont(9), Qt::black);
}

} // namespace

class TestFigureExport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void endings_data();
    void endings();
    void pngHoldsItsParameters();
    void pdfEmbedsItsFonts();
    void svgIsWellFormed();
    void svgAsPixelsIsThePng();
    void sameBytesAgain_data();
    void sameBytesAgain();
    void refusals_data();
    void refusals();
    void unwritableFolderLeavesNothing();
    void longTextsStayInside();

private:
    QTemporaryDir m_folder;
    FigureOptions m_options;

    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] Result<FigureRecord> write(const QString& name) const
    {
        return writeFigure(test::drawnFigure(drawSample), path(name).toStdString(), m_options);
    }
};

void TestFigureExport::init()
{
    m_options = {};
    m_options.sizeInches = {3.0, 2.0};
    m_options.dpi = 150;
    m_options.title = QStringLiteral("Heads <of> & \"sample\"");
    m_options.caption = QStringLiteral("t-SNE, perplexity 30 < 50 & seed 1");
    m_options.parameters = {{QStringLiteral("seed"), QStringLiteral("1")},
                            {QStringLiteral("input"), QStringLiteral("a<b>&\u00e9")}};
    m_options.overwrite = true;
}

void TestFigureExport::endings_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("format");
    QTest::newRow("png") << QStringLiteral("a.png") << static_cast<int>(FigureFormat::Png);
    QTest::newRow("capitals") << QStringLiteral("a.b.PDF") << static_cast<int>(FigureFormat::Pdf);
    QTest::newRow("svg") << QStringLiteral("dir.x/a.svg") << static_cast<int>(FigureFormat::Svg);
    QTest::newRow("jpg") << QStringLiteral("a.jpg") << -1;
    QTest::newRow("none") << QStringLiteral("png") << -1;
}

void TestFigureExport::endings()
{
    QFETCH(QString, name);
    QFETCH(int, format);
    const auto found = figureFormat(name.toStdString());
    if (format >= 0)
        QCOMPARE(static_cast<int>(found.value()), format);
    else
        HEADSCOPE_VERIFY_ERROR(found, ErrorCode::WrongUse, ".png, .pdf or .svg");
}

void TestFigureExport::pngHoldsItsParameters()
{
    HEADSCOPE_VERIFY_OK(write(QStringLiteral("a.png")));
    const QImage image(path(QStringLiteral("a.png")));
    QCOMPARE(image.size(), QSize(450, 300));
    QCOMPARE(image.text(QStringLiteral("seed")), QStringLiteral("1"));
    QCOMPARE(image.text(QStringLiteral("input")), m_options.parameters[1].second);
    QCOMPARE(image.text(QStringLiteral("Description")), m_options.caption);
    QVERIFY(std::abs(image.dotsPerMeterX() * 0.0254 - 150) < 0.1);
    QCOMPARE(QColor(image.pixel(227, 140)), QColor(10, 120, 60));
}

void TestFigureExport::pdfEmbedsItsFonts()
{
    HEADSCOPE_VERIFY_OK(write(QStringLiteral("a.pdf")));
    const QByteArray pdf = bytesOf(path(QStringLiteral("a.pdf")));
    QVERIFY(pdf.startsWith("%PDF-1."));
    QVERIFY(pdf.trimmed().endsWith("%%EOF"));
    QVERIFY(pdf.contains("/FontFile2"));
    QVERIFY(!pdf.contains("/Type3"));
    QVERIFY(!pdf.contains("/DCTDecode")); // no lossy pictures
    QVERIFY(pdf.contains("/MediaBox [0 0 216"));
    QVERIFY(pdf.contains("(D:20000101000000"));
}

void TestFigureExport::svgIsWellFormed()
{
    HEADSCOPE_VERIFY_OK(write(QStringLiteral("a.svg")));
    QXmlStreamReader reader(bytesOf(path(QStringLiteral("a.svg"))));
    QString title;
    QString about;
    bool text = false;
    while (!reader.atEnd())
    {
        reader.readNext();
        if (!reader.isStartElement())
            continue;
        if (reader.name() == QStringLiteral("svg"))
        {
            QVERIFY(
                reader.attributes().value(QStringLiteral("viewBox")).toString().startsWith(QStringLiteral("0 0 216")));
            QVERIFY(reader.attributes().value(QStringLiteral("width")).toString().endsWith(QStringLiteral("mm")));
        }
        else if (reader.name() == QStringLiteral("title"))
            title = reader.readElementText();
        else if (reader.name() == QStringLiteral("desc"))
            about = reader.readElementText();
        else if (reader.name() == QStringLiteral("text"))
            text = true;
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QCOMPARE(title, m_options.title);
    QVERIFY(about.contains(m_options.caption) && about.contains(QStringLiteral("seed: 1")));
    QVERIFY(text);
}

/// The two are painted by different programs of Qt: edges of letters may differ, not where things stand.
void TestFigureExport::svgAsPixelsIsThePng()
{
    HEADSCOPE_VERIFY_OK(write(QStringLiteral("a.svg")));
    HEADSCOPE_VERIFY_OK(write(QStringLiteral("a.png")));
    const QImage painted(path(QStringLiteral("a.png")));
    const auto pixels = pixelsOfSvg(bytesOf(path(QStringLiteral("a.svg"))), painted.width());
    HEADSCOPE_VERIFY_OK(pixels);
    QVERIFY(std::abs(pixels->height() - painted.height()) <= 2 + painted.height() / 100);
    const QImage small = painted.convertToFormat(QImage::Format_RGB32).scaled(60, 40, {}, Qt::SmoothTransformation);
    const QImage same = pixels->scaled(60, 40, {}, Qt::SmoothTransformation);
    int far = 0;
    for (int y = 0; y < small.height(); ++y)
        for (int x = 0; x < small.width(); ++x)
            far += std::abs(qGray(small.pixel(x, y)) - qGray(same.pixel(x, y))) > 60 ? 1 : 0;
    QVERIFY2(far < 60 * 40 / 50, qPrintable(QString::number(far)));
    QVERIFY(!pixelsOfSvg("no picture", 100));
}

void TestFigureExport::sameBytesAgain_data()
{
    QTest::addColumn<QString>("ending");
    for (const char* ending : {"png", "pdf", "svg"})
        QTest::newRow(ending) << QString::fromLatin1(ending);
}

void TestFigureExport::sameBytesAgain()
{
    QFETCH(QString, ending);
    HEADSCOPE_VERIFY_OK(write(QStringLiteral("one.") + ending));
    QTest::qWait(1100); // dates have seconds
    HEADSCOPE_VERIFY_OK(write(QStringLiteral("two.") + ending));
    QVERIFY(bytesOf(path(QStringLiteral("one.") + ending)) == bytesOf(path(QStringLiteral("two.") + ending)));
}

void TestFigureExport::refusals_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QSizeF>("inches");
    QTest::addColumn<int>("dpi");
    QTest::addColumn<QString>("part");
    const QSizeF usual(3, 2);
    QTest::newRow("ending") << QStringLiteral("a.gif") << usual << 150 << QStringLiteral("\".gif\"");
    QTest::newRow("flat") << QStringLiteral("a.png") << QSizeF(3, 0) << 150 << QStringLiteral("inches");
    QTest::newRow("negative") << QStringLiteral("a.png") << QSizeF(-3, 2) << 150 << QStringLiteral("inches");
    QTest::newRow("not a number") << QStringLiteral("a.png") << QSizeF(qQNaN(), 2) << 150 << QStringLiteral("inches");
    QTest::newRow("huge") << QStringLiteral("a.png") << QSizeF(90, 90) << 1200 << QStringLiteral("32000");
    QTest::newRow("dpi") << QStringLiteral("a.pdf") << usual << 0 << QStringLiteral("dpi");
}

void TestFigureExport::refusals()
{
    QFETCH(QString, name);
    QFETCH(QSizeF, inches);
    QFETCH(int, dpi);
    QFETCH(QString, part);
    m_options.sizeInches = inches;
    m_options.dpi = dpi;
    HEADSCOPE_VERIFY_ERROR(write(QStringLiteral("refused_") + name), ErrorCode::WrongUse, part.toStdString());
    QVERIFY(!QFile::exists(path(QStringLiteral("refused_") + name)));
}

void TestFigureExport::unwritableFolderLeavesNothing()
{
    m_options.overwrite = false;
    HEADSCOPE_VERIFY_OK(write(QStringLiteral("kept.png")));
    const QByteArray before = bytesOf(path(QStringLiteral("kept.png")));
    HEADSCOPE_VERIFY_ERROR(write(QStringLiteral("kept.png")), ErrorCode::WrongUse, "kept.png");
    QVERIFY(bytesOf(path(QStringLiteral("kept.png"))) == before);
    const auto missing = write(QStringLiteral("no/such/folder/a.pdf"));
    QVERIFY(!missing.has_value());
    QVERIFY(missing.error().sentence().find("no/such/folder") != std::string::npos);
    const QStringList left = QDir(m_folder.path()).entryList({QStringLiteral("*part*")}, QDir::Files);
    QVERIFY2(left.isEmpty(), qPrintable(left.join(QLatin1Char(' '))));
}

void TestFigureExport::longTextsStayInside()
{
    m_options.title = QString(400, QLatin1Char('T'));
    m_options.caption = QString(5000, QLatin1Char('c')) + QStringLiteral(" the end");
    HEADSCOPE_VERIFY_OK(write(QStringLiteral("long.png")));
    const QImage image(path(QStringLiteral("long.png")));
    const int margin = 6 * 150 / 72 - 2;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (x < margin || y < margin || x >= image.width() - margin || y >= image.height() - margin)
                QCOMPARE(image.pixel(x, y), qRgb(255, 255, 255));
    QCOMPARE(QColor(image.pixel(227, 240)), QColor(10, 120, 60)); // no caption takes the drawing's place
}

HEADSCOPE_TEST(TestFigureExport)
#include "tst_figure_export.moc"
