// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/embedded_recipe.h"
#include "viz/export/figure_presets.h"

#include "model/base/random.h"
#include "tests/support/file_bytes.h"
#include "tests/support/process.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/viz/drawn_figure.h"
#include "tests/viz/sample_values.h"
#include "viz/axis/text.h"
#include "viz/chart/layer_schema.h"
#include "viz/export/heatmap_figures.h"
#include "viz/export/map_figures.h"
#include "viz/export/match_figure.h"
#include "viz/export/probe_figures.h"
#include "viz/export/schema_figure.h"

#include <QFile>
#include <QImage>
#include <QPainter>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <functional>
#include <memory>

using namespace headscope;
using test::bytesOf;
using namespace headscope::viz;

namespace
{

using Export = std::function<Result<FigureRecord>(const std::filesystem::path&, const FigureOptions&)>;

const std::string kRecipe = "{\n  \"options\": \"<a> & \\\"b\\\" \\u00e9 -- ]]>\"\n}\n";

MapFigure figureOf(const HeadMap& map, const ModelInfo& info)
{
    MapFigure figure;
    figure.coloring = colorByHead(*map.points, HeadPalette(info), QStringLiteral("segment"));
    return figure;
}

Result<FigureRecord> mapOf(std::int64_t documents, const std::filesystem::path& path, const FigureOptions& options)
{
    const HeadMap map = test::sampleMap(documents, 8);
    const ModelInfo info = test::sampleModel(8, 2);
    return writeFigure(figureOfMap(std::make_shared<const HeadMap>(map), info, figureOf(map, info)), path, options);
}

Result<FigureRecord> matchOf(const std::filesystem::path& path, const FigureOptions& options)
{
    TopicMatch match;
    match.stage = Stage::OutputSegment;
    match.result.topics = 8;
    match.result.documents = 120;
    match.result.k = {1, 5};
    match.result.share = match.low = match.high = MatrixD(9, 2);
    for (std::int64_t row = 0; row < 9; ++row)
        for (std::int64_t k = 0; k < 2; ++k)
        {
            match.result.share(row, k) = 0.2 + 0.3 * static_cast<double>(k);
            match.low(row, k) = match.result.share(row, k) - 0.1;
            match.high(row, k) = match.result.share(row, k) + 0.1;
        }
    return writeFigure(figureOfMatch(match, test::sampleModel(8, 2), {}), path, options);
}

/// A figure of every kind.
std::vector<std::pair<const char*, Export>> allKinds()
{
    return {{"map", [](const auto& path, const auto& options) { return mapOf(20, path, options); }},
            {"dense map", [](const auto& path, const auto& options) { return mapOf(700, path, options); }},
            {"schema",
             [](const auto& path, const auto& options) {
                 return writeFigure(figureOfSchema(layerSchema(test::sampleModel(8, 2), 3)), path, options);
             }},
            {"heatmap",
             [](const auto& path, const auto& options) {
                 return writeFigure(
                     figureOfHeatmaps(test::owned<Heatmap>({test::sampleHeatmap(8, 3, 12)}), test::sampleModel(8, 2)),
                     path, options);
             }},
            {"match", [](const auto& path, const auto& options) { return matchOf(path, options); }},
            {"probe", [](const auto& path, const auto& options) {
                 const std::vector results = {test::sampleProbe(8, 2, Stage::HeadOutput)};
                 return writeFigure(figureOfProbe(results, test::sampleModel(8, 2)), path, options);
             }}};
}

FigureFormat formatOf(const QString& name)
{
    return figureFormat(name.toStdString()).value();
}

void drawWords(QPainter& painter, const QRectF& box, double)
{
    painter.fillRect(box.adjusted(4, 40, -4, -4), QColor(10, 120, 60));
    drawLine(painter, {box.left(), box.top(), box.width(), 14}, QStringLiteral("Heads of one layer"), textFont(9),
             Qt::black, Qt::AlignRight | Qt::AlignVCenter);
    drawLine(painter, {box.left(), box.top() + 16, box.width(), 14}, QStringLiteral("small \u65e5\u672c"), textFont(5),
             Qt::black, Qt::AlignHCenter | Qt::AlignVCenter);
}

/// Where a picture is dark, as a box.
QRect inkOf(const QImage& image)
{
    QRect ink;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (qGray(image.pixel(x, y)) < 128)
                ink |= QRect(x, y, 1, 1);
    return ink;
}

} // namespace

/// Figures as a paper needs them: widths of venues, readable text, fonts that are embedded, a recipe inside.
class TestFigurePaper : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void presetsAreSizes();
    void textIsMeasuredOnPaper();
    void outlinesLookLikeText();
    void outlinesNeedNoFont();
    void denseLayersHave600Dpi();
    void recipesComeBack_data();
    void recipesComeBack();
    void damagedRecipesAreSentences_data();
    void damagedRecipesAreSentences();
    void liesAreNotBelieved();
    void matchesSayWhatTheyShow();
    void fontsAreEmbeddedAndNoneIsType3();
    void anotherRendererShowsTheSvg();

private:
    QTemporaryDir m_folder;
    FigureRecord m_record;

    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] static FigureOptions options()
    {
        FigureOptions options;
        options.sizeInches = {3.0, 2.0};
        options.overwrite = true;
        return options;
    }
    /// Keeps what is known of it.
    [[nodiscard]] Status noted(Result<FigureRecord> written)
    {
        HEADSCOPE_TRY(m_record, std::move(written));
        return {};
    }
    [[nodiscard]] Status draw(const QString& name, const FigureOptions& options)
    {
        return noted(writeFigure(test::drawnFigure(drawWords), path(name).toStdString(), options));
    }
};

void TestFigurePaper::presetsAreSizes()
{
    QVERIFY(findPreset("acl") == nullptr);
    for (const FigurePreset& preset : figurePresets())
    {
        FigureOptions made = options();
        applyPreset(preset, made);
        QCOMPARE(findPreset(preset.name), &preset);
        HEADSCOPE_VERIFY_OK(noted(mapOf(20, path(QStringLiteral("preset.pdf")).toStdString(), made)));
        QVERIFY2(std::abs(m_record.sizeMm.width() - preset.widthMm) < 1e-9, preset.name.data());
        QVERIFY2(!isTooSmall(m_record), preset.name.data());
        // Entries of a legend are an eighth smaller than ordinary text.
        QVERIFY2(std::abs(m_record.leastTextPt - 7.0 / 8 * preset.textPt) < 1e-6 * preset.textPt,
                 qPrintable(QString::number(m_record.leastTextPt)));
        QVERIFY2(!isTooHigh(m_record.sizeMm, &preset), qPrintable(QString::number(m_record.sizeMm.height())));
        QVERIFY(isTooHigh({90, preset.mostMm + 1}, &preset));
        QVERIFY(isTooHigh({90, kPageMm + 1}, nullptr) && !isTooHigh({90, kPageMm}, nullptr));
        QVERIFY(!isTooHigh({210, 297}, nullptr) && isTooHigh({210, 310}, nullptr)); // a page of its own
        const QByteArray pdf = bytesOf(path(QStringLiteral("preset.pdf")));
        const qsizetype box = pdf.indexOf("/MediaBox [0 0 ");
        const double points = pdf.mid(box + 15, pdf.indexOf(' ', box + 15) - box - 15).toDouble();
        QVERIFY2(std::abs(points - preset.widthMm / 25.4 * 72) <= 0.5, preset.name.data());
    }
    QCOMPARE(findPreset("acl-column")->widthMm, 77.0);
    QCOMPARE(findPreset("neurips")->widthMm, 5.5 * 25.4);
    QCOMPARE(findPreset("icml-page")->widthMm, 6.75 * 25.4);
}

void TestFigurePaper::textIsMeasuredOnPaper()
{
    for (const char* name : {"a.png", "a.pdf", "a.svg"})
    {
        FigureOptions made = options();
        HEADSCOPE_VERIFY_OK(draw(QString::fromLatin1(name), made));
        QVERIFY2(std::abs(m_record.leastTextPt - 5) < 1e-9, name);
        QVERIFY(isTooSmall(m_record));
        made.scale = 1.25;
        HEADSCOPE_VERIFY_OK(draw(QString::fromLatin1(name), made));
        QVERIFY2(std::abs(m_record.leastTextPt - 6.25) < 1e-9, name);
        QVERIFY(!isTooSmall(m_record));
    }
    HEADSCOPE_VERIFY_OK(noted(writeFigure(test::drawnFigure([](QPainter&, const QRectF&, double) {}),
                                          path(QStringLiteral("bare.pdf")).toStdString(), options())));
    QCOMPARE(m_record.leastTextPt, 0.0);
    QVERIFY(!isTooSmall(m_record));
}

void TestFigurePaper::outlinesLookLikeText()
{
    FigureOptions made = options();
    HEADSCOPE_VERIFY_OK(draw(QStringLiteral("text.png"), made));
    made.text = FigureText::Outlines;
    HEADSCOPE_VERIFY_OK(draw(QStringLiteral("outlines.png"), made));
    const QImage text(path(QStringLiteral("text.png")));
    const QImage outlines(path(QStringLiteral("outlines.png")));
    QCOMPARE(outlines.size(), text.size());
    // The upper part holds the letters.
    const QRect letters(0, 0, text.width(), 150);
    const QRect a = inkOf(text.copy(letters));
    const QRect b = inkOf(outlines.copy(letters));
    QVERIFY(a.width() > 100);
    QVERIFY2(std::abs(a.left() - b.left()) <= 1 && std::abs(a.right() - b.right()) <= 1 &&
                 std::abs(a.top() - b.top()) <= 1 && std::abs(a.bottom() - b.bottom()) <= 1,
             qPrintable(QStringLiteral("%1 %2 / %3 %4").arg(a.left()).arg(a.right()).arg(b.left()).arg(b.right())));
}

void TestFigurePaper::outlinesNeedNoFont()
{
    FigureOptions made = options();
    made.text = FigureText::Outlines;
    HEADSCOPE_VERIFY_OK(draw(QStringLiteral("a.pdf"), made));
    QVERIFY(!bytesOf(path(QStringLiteral("a.pdf"))).contains("/FontFile"));
    HEADSCOPE_VERIFY_OK(draw(QStringLiteral("a.svg"), made));
    QVERIFY(!bytesOf(path(QStringLiteral("a.svg"))).contains("<text"));
    HEADSCOPE_VERIFY_OK(draw(QStringLiteral("b.pdf"), options()));
    QVERIFY(bytesOf(path(QStringLiteral("b.pdf"))).contains("/FontFile"));
}

void TestFigurePaper::denseLayersHave600Dpi()
{
    FigureOptions made = options();
    made.sizeInches = {4, 0};
    HEADSCOPE_VERIFY_OK(noted(mapOf(20, path(QStringLiteral("few.pdf")).toStdString(), made)));
    QCOMPARE(m_record.rasterBytes, std::int64_t{0});
    for (const char* name : {"many.pdf", "many.svg"})
    {
        HEADSCOPE_VERIFY_OK(noted(mapOf(700, path(QString::fromLatin1(name)).toStdString(), made)));
        QCOMPARE(m_record.rasterDpi, 600);
        QVERIFY2(m_record.rasterBytes > 20'000 && m_record.vectorBytes > 1'000, name);
        QCOMPARE(m_record.rasterBytes + m_record.vectorBytes, bytesOf(path(QString::fromLatin1(name))).size());
    }
    const QByteArray pdf = bytesOf(path(QStringLiteral("many.pdf")));
    const qsizetype width = pdf.indexOf("/Width ", pdf.indexOf("/Subtype /Image"));
    QVERIFY(pdf.mid(width + 7, 5).trimmed().split('\n').front().toInt() > 1500); // of at most 2400
    made.sizeInches = {30, 0};
    made.format = FigureFormat::Pdf;
    QCOMPARE(layerDpi(made), 266); // 8,000 pixels
    made.format = FigureFormat::Png;
    QCOMPARE(layerDpi(made), 300);
}

void TestFigurePaper::recipesComeBack_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"r.png", "r.pdf", "r.svg"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestFigurePaper::recipesComeBack()
{
    QFETCH(QString, name);
    FigureOptions made = options();
    HEADSCOPE_VERIFY_OK(draw(name, made));
    const QByteArray without = bytesOf(path(name));
    HEADSCOPE_VERIFY_ERROR(recipeOf(without, formatOf(name)), ErrorCode::InvalidArgument, "recipe");
    made.recipe = kRecipe;
    HEADSCOPE_VERIFY_OK(draw(name, made));
    const QByteArray bytes = bytesOf(path(name));
    const auto found = recipeOf(bytes, formatOf(name));
    HEADSCOPE_VERIFY_OK(found);
    QCOMPARE(*found, kRecipe);
    HEADSCOPE_VERIFY_OK(draw(name, made));
    QVERIFY(bytesOf(path(name)) == bytes);
    made.recipe = std::string(std::size_t{100'000}, 'x'); // large, and easily packed
    made.recipe.front() = '{';
    HEADSCOPE_VERIFY_OK(draw(name, made));
    QCOMPARE(recipeOf(bytesOf(path(name)), formatOf(name)).value(), made.recipe);
    if (formatOf(name) != FigureFormat::Pdf)
        QVERIFY(!QImage(path(name)).isNull());
    const QString program = QStandardPaths::findExecutable(QStringLiteral("pdfdetach"));
    if (formatOf(name) != FigureFormat::Pdf || program.isEmpty())
        return;
    // Another reader finds every object at its place, and the same recipe.
    const auto outcome =
        headscope::test::run(program.toStdString(), {QStringLiteral("-save"), QStringLiteral("1"), QStringLiteral("-o"),
                                                     path(QStringLiteral("r.json")), path(name)});
    QVERIFY2(outcome.exitCode == 0 && outcome.err.isEmpty(), outcome.err.constData());
    QCOMPARE(bytesOf(path(QStringLiteral("r.json"))).toStdString(), made.recipe);
}

void TestFigurePaper::damagedRecipesAreSentences_data()
{
    recipesComeBack_data();
}

/// Of 2,000 damaged files each gives a recipe (where the damage is elsewhere) or a sentence.
void TestFigurePaper::damagedRecipesAreSentences()
{
    QFETCH(QString, name);
    FigureOptions made = options();
    made.recipe = kRecipe;
    HEADSCOPE_VERIFY_OK(draw(name, made));
    const QByteArray whole = bytesOf(path(name));
    const qsizetype recipe =
        whole.indexOf("\"options\"") < 0 ? whole.indexOf("&quot;options") : whole.indexOf("\"options\"");
    QVERIFY(recipe > 0);
    const qsizetype near = std::max<qsizetype>(0, recipe - 200); // where the damage meets it
    const CounterRandom random(7);
    int refused = 0;
    for (std::uint64_t i = 0; i < 2'000; ++i)
    {
        QByteArray bytes = whole;
        const auto place = [&](std::uint64_t n) {
            return std::min(bytes.size() - 1, near + static_cast<qsizetype>(random.below(8 * i + n, 600)));
        };
        if (i % 3 == 0)
            bytes.truncate(place(0));
        else if (i % 3 == 1)
            bytes.remove(place(0), place(1) % 64);
        else
            for (std::uint64_t n = 0; n < 6; ++n)
                bytes[place(n)] = static_cast<char>(random.below(8 * i + n + 1, 256));
        const auto found = recipeOf(bytes, formatOf(name));
        if (!found)
        {
            ++refused;
            QVERIFY(!found.error().message.empty());
        }
    }
    QVERIFY(refused > 300);
    for (const QByteArray& bytes : {QByteArray(), QByteArray("\x89PNG"), QByteArray(33, '\xff')})
        QVERIFY(!recipeOf(bytes, formatOf(name)));
}

/// What a file says of lengths is not believed.
void TestFigurePaper::liesAreNotBelieved()
{
    const auto pdfOf = [](const QByteArray& stream) -> QByteArray {
        return QByteArray("%PDF-1.4\n7 0 obj\n<<\n/Length 999999999999\n>>\nstream\n") + stream +
               "\nendstream\nendobj\n8 0 obj\n<<\n/F (" + kRecipeFile + ")\n/EF <</F 7 0 R>>\n>>\nendobj\n";
    };
    QCOMPARE(recipeOf(pdfOf("{}"), FigureFormat::Pdf).value(), std::string("{}"));
    const QByteArray packed = qCompress("{}").mid(4);
    HEADSCOPE_VERIFY_ERROR(recipeOf(pdfOf(packed), FigureFormat::Pdf), ErrorCode::BadFormat,
                           "damaged, or another program compressed it");
    QByteArray large(2 * kMaxRecipeBytes, ' ');
    large[0] = '{';
    HEADSCOPE_VERIFY_ERROR(recipeOf(pdfOf(large), FigureFormat::Pdf), ErrorCode::BadFormat, "damaged");
    QByteArray png("\x89PNG\r\n\x1a\n");
    png += QByteArray("\xff\xff\xff\xff") + "iTXt" + QByteArray(40, 'x');
    HEADSCOPE_VERIFY_ERROR(recipeOf(png, FigureFormat::Png), ErrorCode::BadFormat, "damaged");
}

void TestFigurePaper::matchesSayWhatTheyShow()
{
    FigureOptions made = options();
    made.sizeInches = {3.5, 0};
    HEADSCOPE_VERIFY_OK(noted(matchOf(path(QStringLiteral("match.svg")).toStdString(), made)));
    const double all = m_record.sizeMm.height();
    const QString svg = QString::fromUtf8(bytesOf(path(QStringLiteral("match.svg"))));
    for (const char* words :
         {"Match, stage 3", "true topic the nearest", "dashed: chance, k of 8 topics", ">full<", ">8<"})
        QVERIFY2(svg.contains(QString::fromLatin1(words)), words);
    for (const char* words : {"the nearest, among 5", "120 labelled documents and 8 topics", "not outputs of heads"})
        QVERIFY2(m_record.caption.contains(QString::fromLatin1(words)), qPrintable(m_record.caption));
    TopicMatch none;
    HEADSCOPE_VERIFY_ERROR(
        writeFigure(figureOfMatch(none, {}, {}), path(QStringLiteral("none.svg")).toStdString(), made),
        ErrorCode::InvalidArgument, "none");
    QVERIFY(all > 50 && all < 90);
}

/// What conferences check: every font of every figure is embedded, and none is of Type 3.
void TestFigurePaper::fontsAreEmbeddedAndNoneIsType3()
{
    const QString program = QStandardPaths::findExecutable(QStringLiteral("pdffonts"));
    if (program.isEmpty())
        QSKIP("pdffonts is not installed (Debian: poppler-utils)");
    for (const auto& [kind, write] : allKinds())
    {
        FigureOptions made = options();
        made.sizeInches = {6, 0};
        HEADSCOPE_VERIFY_OK(write(path(QStringLiteral("fonts.pdf")).toStdString(), made));
        const auto outcome = headscope::test::run(program.toStdString(), {path(QStringLiteral("fonts.pdf"))});
        QCOMPARE(outcome.exitCode, 0);
        const QByteArrayList lines = outcome.out.trimmed().split('\n').mid(2);
        QVERIFY2(!lines.isEmpty(), kind);
        for (const QByteArray& line : lines)
        {
            QVERIFY2(line.contains("TrueType") || line.contains("Type 1"), line.constData());
            QVERIFY2(!line.contains("Type 3"), line.constData());
            const QByteArrayList words = line.simplified().split(' '); // ... emb sub uni object generation
            QVERIFY2(words.size() >= 7 && words[words.size() - 5] == "yes", line.constData());
        }
    }
}

void TestFigurePaper::anotherRendererShowsTheSvg()
{
    const QString program = QStandardPaths::findExecutable(QStringLiteral("rsvg-convert"));
    if (program.isEmpty())
        QSKIP("rsvg-convert is not installed (Debian: librsvg2-bin)");
    for (const auto& [kind, write] : allKinds())
    {
        FigureOptions made = options();
        made.sizeInches = {4, 0};
        made.dpi = 72;
        made.recipe = kRecipe;
        HEADSCOPE_VERIFY_OK(write(path(QStringLiteral("ours.png")).toStdString(), made));
        made.text = FigureText::Outlines;
        HEADSCOPE_VERIFY_OK(write(path(QStringLiteral("theirs.svg")).toStdString(), made));
        const QImage ours(path(QStringLiteral("ours.png")));
        const auto outcome = headscope::test::run(
            program.toStdString(), {QStringLiteral("-w"), QString::number(ours.width()), QStringLiteral("-o"),
                                    path(QStringLiteral("theirs.png")), path(QStringLiteral("theirs.svg"))});
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        QImage theirs(path(QStringLiteral("theirs.png")));
        QVERIFY2(std::abs(theirs.height() - ours.height()) <= 1, kind);
        // The same picture in large: blocks of 8 x 8 pixels have the same mean.
        const QSize blocks(ours.width() / 8, ours.height() / 8);
        const QImage a = ours.scaled(blocks, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        const QImage b = theirs.scaled(blocks, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        std::int64_t difference = 0;
        for (int y = 0; y < a.height(); ++y)
            for (int x = 0; x < a.width(); ++x)
                difference += std::abs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y)));
        const double mean = static_cast<double>(difference) / a.width() / a.height();
        QVERIFY2(mean < 4, qPrintable(QStringLiteral("%1: %2").arg(QLatin1StringView(kind)).arg(mean)));
    }
}

HEADSCOPE_TEST(TestFigurePaper)
#include "tst_figure_paper.moc"
