// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/chart/match_bars.h"
#include "viz/export/heatmap_figures.h"
#include "viz/export/map_figures.h"
#include "viz/export/probe_figures.h"
#include "viz/grid/grid_figure.h"

#include "tests/support/file_bytes.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/viz/drawn_figure.h"
#include "tests/viz/figure_text.h"
#include "tests/viz/sample_values.h"

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <vector>

using namespace headscope;
using test::bytesOf;
using namespace headscope::viz;

namespace
{

MapFigure figureOf(const HeadMap& map, const ModelInfo& info)
{
    MapFigure figure;
    figure.coloring = colorByHead(*map.points, HeadPalette(info), QStringLiteral("segment"));
    return figure;
}

/// How many pixels of about this colour a picture has.
int countColor(const QImage& image, QRgb color)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
        {
            const QRgb c = image.pixel(x, y);
            count += std::abs(qRed(c) - qRed(color)) + std::abs(qGreen(c) - qGreen(color)) +
                                 std::abs(qBlue(c) - qBlue(color)) <
                             60
                         ? 1
                         : 0;
        }
    return count;
}

int countExactly(const QImage& image, QRgb color)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += (image.pixel(x, y) & RGB_MASK) == (color & RGB_MASK) ? 1 : 0;
    return count;
}

} // namespace

class TestFigures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void captions();
    void probeCaptionsSayWhatIsCompared();
    void captionsNameTheFinalNorm();
    void mapInEveryFormat();
    void aLegendIsComplete_data();
    void aLegendIsComplete();
    void captionsSayWhatIsShown();
    void captionsAreNotPainted();
    void whatIsHiddenIsPaleInTheLegend();
    void namesOfRegionsStandInTheFigure();
    void manyPointsAreOneRaster();
    void mapRefusals();
    void heatmaps();
    void marksOfAHeatmapAreExplained();
    void probes();
    void numbersOfAProbeStandInTheirCells();
    void numbersOfMeansStandInTheirCells();

private:
    QTemporaryDir m_folder;

    [[nodiscard]] std::filesystem::path path(const char* name) const
    {
        return m_folder.filePath(QString::fromLatin1(name)).toStdString();
    }
};

void TestFigures::captions()
{
    HeadMap map = test::sampleMap(10, 8);
    const ModelInfo info = test::sampleModel(8, 2);
    const QString caption = mapCaption(map, info);
    {
        // Before, a stopped map said "223 iterations" as a finished one does.
        HeadMap stopped = map;
        stopped.iteration = 223;
        stopped.options.iterations = 750;
        QVERIFY(mapCaption(stopped, info).contains(QStringLiteral("stopped at 223 of 750 iterations")));
        QVERIFY(mapCaption(stopped, info).contains(QStringLiteral("during early exaggeration")));
        HeadMapSet set;
        set.maps.push_back({stopped, 0});
        QVERIFY(gridCaption(set, info).contains(QStringLiteral("stopped at 223 of 750 iterations")));
        set.maps.front().map.iteration = 750;
        QVERIFY(gridCaption(set, info).contains(QStringLiteral(", 750 iterations")));
    }
    for (const char* part :
         {"80 segment vectors (10 documents", "8 segments) of", "sample-model", "stage 3", "layer 31", "perplexity 30",
          "750 iterations", "sparse affinities (79 neighbours)", "PCA initialization", "KL 2.52"})
        QVERIFY2(caption.contains(QString::fromLatin1(part)), part);
    QVERIFY(!caption.contains(QStringLiteral("seed")));
    HeadMap drawn = map;
    drawn.options.start = TsneStart::Random;
    drawn.options.affinities = TsneAffinities::Dense;
    QVERIFY(mapCaption(drawn, info).contains(QStringLiteral("random initialization, seed 1")));
    QVERIFY(mapCaption(drawn, info).contains(QStringLiteral("dense affinities (all pairs)")));
    map.kl = std::nan("");
    map.leftOut = 7;
    map.stage = Stage::HeadOutput;
    QVERIFY(!mapCaption(map, info).contains(QStringLiteral("KL")));
    QVERIFY(mapCaption(map, info).contains(QStringLiteral("7 rows")));
    QVERIFY(mapCaption(map, info).contains(QStringLiteral("80 head vectors (10 documents")));
    Heatmap heatmap = test::sampleHeatmap(8, 3, 10);
    QVERIFY(heatmapCaption(heatmap, info).contains(QStringLiteral("each segment")));
    const std::array both = {Stage::HeadOutput, Stage::OutputSegment};
    QVERIFY(heatmapCaption(heatmap, info, both).contains(QStringLiteral("each head or segment")));
    QVERIFY(heatmapCaption(heatmap, info).contains(QStringLiteral("30 documents of 3 topics, sorted by the full")));
    heatmap.options.order = ColumnOrder::byHead(HeadIndex(4));
    QVERIFY(heatmapCaption(heatmap, info).contains(QStringLiteral("sorted by segment 5")));
    const std::vector<ProbeResult> results = {test::sampleProbe(8, 2, Stage::HeadOutput)};
    QVERIFY(probeCaption(results, info).contains(QStringLiteral("split by documents")));
    QVERIFY(probeCaption({}, info).isEmpty());
}

/// What the bars are and how their intervals are made; the values are in the tables, and no caption argues.
void TestFigures::probeCaptionsSayWhatIsCompared()
{
    const ModelInfo info = test::sampleModel(8, 2);
    std::vector<ProbeResult> results = {test::sampleProbe(8, 2, Stage::HeadOutput)};
    ProbeResult& probe = results.front();
    probe.testDocuments = {3, 3, 5, 8};
    probe.baselines.emplace();
    probe.baselines->baselines = {{ProbeBaselineKind::Gaussian, 0.784, {0.74, 0.82}, 4, 4, true}};
    const QString caption = probeCaption(results, info);
    QCOMPARE(caption, QString::fromUtf8("Logistic probe of the head index of ") + QString::fromStdString(info.name) +
                          QString::fromUtf8(
                              ": C = 1, seed 1, split by documents. Bars: proportion of the test vectors of each head "
                              "classified correctly (95% CI: Wilson\u2019s, over the test documents; for the accuracy, "
                              "over the effective sample size by document); dashed: all vectors; dotted: chance, "
                              "0.125."));
    GroupErrors groups;
    groups.errors = 83;
    probe.baselines->groups = groups;
    QCOMPARE(probeCaption(results, info),
             caption + QStringLiteral(" Heads in a group share keys and values. How much of the confusion comes only "
                                      "from the shared values is not measured."));
    probe.options.split = ProbeSplit::Rows;
    QVERIFY(probeCaption(results, info).contains(QStringLiteral("do not hold for new documents")));
}

/// Whatever shows stage 3 of the last layer says where it stands to the final norm, and nothing else does.
void TestFigures::captionsNameTheFinalNorm()
{
    HeadMap map = test::sampleMap(10, 8); // stage 3 of layer 31
    HeadMapSet set;
    set.maps.push_back({map, 0});
    const Heatmap heatmap = test::sampleHeatmap(8, 3, 10);
    const std::vector<ProbeResult> results = {test::sampleProbe(8, 2, Stage::HeadOutput),
                                              test::sampleProbe(8, 2, Stage::OutputSegment)};
    const auto said = [&](const ModelInfo& info) {
        return QStringList{mapCaption(map, info), gridCaption(set, info), heatmapCaption(heatmap, info),
                           probeCaption(results, info), viz::heatmapTitle(heatmap, info)};
    };
    ModelInfo info = test::sampleModel(8, 2);
    for (const QString& caption : said(info))
        QVERIFY2(caption.contains(QStringLiteral("after the final norm")), qPrintable(caption));
    info.lastLayerRaw = true;
    for (const QString& caption : said(info))
        QVERIFY2(caption.contains(QStringLiteral("before the final norm")), qPrintable(caption));
    ModelInfo encoder = info;
    encoder.family = "bert";
    ModelInfo deeper = info;
    deeper.layers = 40;
    for (const ModelInfo& other : {encoder, deeper})
        for (const QString& caption : said(other))
            QVERIFY2(!caption.contains(QStringLiteral("final norm")), qPrintable(caption));
    map.stage = Stage::HeadOutput;
    QVERIFY(!mapCaption(map, info).contains(QStringLiteral("final norm")));
}

void TestFigures::mapInEveryFormat()
{
    const HeadMap map = test::sampleMap(40, 8);
    const ModelInfo info = test::sampleModel(8, 2);
    const MapFigure figure = figureOf(map, info);
    FigureOptions options;
    options.dpi = 100;
    options.sizeInches = {5.5, 4};
    for (const char* name : {"m.png", "m.pdf", "m.svg"})
        HEADSCOPE_VERIFY_OK(
            writeFigure(figureOfMap(std::make_shared<const HeadMap>(map), info, figure), path(name), options));
    const QImage image(QString::fromStdString(path("m.png").string()));
    for (std::int64_t head = 0; head < 8; ++head)
        QVERIFY(countColor(image, HeadPalette(info).color(HeadIndex(head)).rgb()) > 30);
    QCOMPARE(image.text(QStringLiteral("perplexity")), QStringLiteral("30"));
    QCOMPARE(image.text(QStringLiteral("hash")), QString::fromStdString(map.hash));
    QVERIFY(image.text(QStringLiteral("Description")).contains(QStringLiteral("segments")));
    QVERIFY(bytesOf(path("m.pdf")).contains("/FontFile2"));
    QXmlStreamReader reader(bytesOf(path("m.svg")));
    int shapes = 0;
    while (!reader.atEnd())
        shapes += reader.readNext() == QXmlStreamReader::StartElement &&
                          (reader.name() == QStringLiteral("path") || reader.name() == QStringLiteral("circle"))
                      ? 1
                      : 0;
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QVERIFY(shapes >= 320); // every dot of few is a shape of its own
}

void TestFigures::aLegendIsComplete_data()
{
    QTest::addColumn<double>("mm");
    for (const double mm : {77.0, 160.0, 171.45})
        QTest::addRow("%g mm", mm) << mm;
}

void TestFigures::aLegendIsComplete()
{
    QFETCH(const double, mm);
    const HeadMap map = test::sampleMap(50, 8);
    const ModelInfo info = test::sampleModel(8, 2);
    constexpr int kLabels = 25;
    LabelColumn label{"topic", {}, {}};
    for (int i = 0; i < kLabels; ++i)
        label.categories.push_back("Label of number " + std::to_string(i));
    for (std::int32_t i = 0; i < 50; ++i)
        label.codes.push_back(i % kLabels);
    MapFigure figure;
    figure.coloring = colorByLabel(*map.points, label, InkTheme::Light);
    FigureOptions options;
    options.dpi = 100;
    options.overwrite = true;
    options.sizeInches = {inchesOfMm(mm), 0};
    HEADSCOPE_VERIFY_OK(
        writeFigure(figureOfMap(std::make_shared<const HeadMap>(map), info, figure), path("labels.svg"), options));
    const auto svg = test::wordsOfSvg(path("labels.svg"));
    QVERIFY(std::abs(svg.width - 72 * inchesOfMm(mm)) < 0.1);
    for (const std::string& name : label.categories)
        QVERIFY2(svg.has(QString::fromStdString(name)), name.c_str());
    QVERIFY(svg.words.filter(QStringLiteral("more")).isEmpty());
    for (const char* name : {"labels.pdf", "labels.png"})
        HEADSCOPE_VERIFY_OK(
            writeFigure(figureOfMap(std::make_shared<const HeadMap>(map), info, figure), path(name), options));
}

void TestFigures::captionsSayWhatIsShown()
{
    const HeadMap map = test::sampleMap(40, 8);
    const auto count = static_cast<std::size_t>(map.points->count());
    std::vector<PointState> states(count, PointState::Shown);
    QCOMPARE(shownSentences(map, {}), QString());
    QCOMPARE(shownSentences(map, states), QString());
    for (std::size_t i = 0; i < count; ++i)
        if (map.points->head[i] >= 6)
            states[i] = PointState::Hidden;
    QCOMPARE(shownSentences(map, states), QStringLiteral(" Shown: segments 1\u20136 of 8 (240 of 320 points)."));
    *std::ranges::find(states, PointState::Shown) = PointState::Dimmed;
    QVERIFY(shownSentences(map, states).endsWith(QStringLiteral(" Pale grey: 1 point that is not selected.")));
    // Documents alone are left out: every head is there.
    for (std::size_t i = 0; i < count; ++i)
        states[i] = map.points->document[i] < 10 ? PointState::Hidden : PointState::Shown;
    QCOMPARE(shownSentences(map, states), QStringLiteral(" Shown: 240 of 320 points."));
}

void TestFigures::captionsAreNotPainted()
{
    const HeadMap map = test::sampleMap(40, 8);
    const ModelInfo info = test::sampleModel(8, 2);
    HEADSCOPE_VERIFY_OK(writeFigure(figureOfMap(std::make_shared<const HeadMap>(map), info, figureOf(map, info)),
                                    path("bare-map.svg"), {}));
    HEADSCOPE_VERIFY_OK(writeFigure(figureOfHeatmaps(test::owned<Heatmap>({test::sampleHeatmap(8, 3, 20)}), info),
                                    path("bare-heatmap.svg"), {}));
    const std::vector<ProbeResult> results = {test::sampleProbe(8, 2, Stage::HeadOutput)};
    HEADSCOPE_VERIFY_OK(writeFigure(figureOfProbe(results, info), path("bare-probe.svg"), {}));
    for (const char* name : {"bare-map.svg", "bare-heatmap.svg", "bare-probe.svg"})
    {
        const auto svg = test::wordsOfSvg(path(name));
        QVERIFY2(svg.words.filter(QString::fromStdString(info.name)).isEmpty(), name);
        QVERIFY2(svg.about.contains(QString::fromStdString(info.name)), name);
    }
    HEADSCOPE_VERIFY_OK(writeFigure(figureOfMap(std::make_shared<const HeadMap>(map), info, figureOf(map, info)),
                                    path("about.pdf"), {}));
    // The title of a PDF is UTF-16.
    QByteArray title;
    for (const char c : QByteArray("perplexity 30"))
        title += QByteArray(1, '\0') + c;
    QVERIFY(bytesOf(path("about.pdf")).contains(title));
}

void TestFigures::whatIsHiddenIsPaleInTheLegend()
{
    const HeadMap map = test::sampleMap(40, 8);
    const ModelInfo info = test::sampleModel(8, 2);
    MapFigure figure = figureOf(map, info);
    HEADSCOPE_VERIFY_OK(
        writeFigure(figureOfMap(std::make_shared<const HeadMap>(map), info, figure), path("all.svg"), {}));
    figure.faded = {{LegendHit::Kind::Group, 1}};
    HEADSCOPE_VERIFY_OK(
        writeFigure(figureOfMap(std::make_shared<const HeadMap>(map), info, figure), path("faded.svg"), {}));
    QVERIFY(bytesOf(path("faded.svg")).count("opacity=\"0.35") > bytesOf(path("all.svg")).count("opacity=\"0.35"));
}

void TestFigures::namesOfRegionsStandInTheFigure()
{
    const HeadMap map = test::sampleMap(40, 8);
    const ModelInfo info = test::sampleModel(8, 2);
    MapFigure figure = figureOf(map, info);
    FigureOptions options;
    options.dpi = 100;
    options.sizeInches = {5.5, 4};
    HEADSCOPE_VERIFY_OK(
        writeFigure(figureOfMap(std::make_shared<const HeadMap>(map), info, figure), path("bare.svg"), options));
    HEADSCOPE_VERIFY_OK(
        writeFigure(figureOfMap(std::make_shared<const HeadMap>(map), info, figure), path("bare.png"), options));
    figure.regionsView = ViewTransform::fit(*dataBounds(map.xy.values()), {1000, 700});
    figure.regions = {{QStringLiteral("Astronomy"), QRectF(460, 340, 80, 16), 1.0}};
    HEADSCOPE_VERIFY_OK(
        writeFigure(figureOfMap(std::make_shared<const HeadMap>(map), info, figure), path("named.svg"), options));
    HEADSCOPE_VERIFY_OK(
        writeFigure(figureOfMap(std::make_shared<const HeadMap>(map), info, figure), path("named.png"), options));
    QCOMPARE(bytesOf(path("named.svg")).count("<path"), bytesOf(path("bare.svg")).count("<path") + 2); // halo and ink
    const QImage bare(QString::fromStdString(path("bare.png").string()));
    const QImage named(QString::fromStdString(path("named.png").string()));
    QRect changed;
    for (int y = 0; y < named.height(); ++y)
        for (int x = 0; x < named.width(); ++x)
            if (named.pixel(x, y) != bare.pixel(x, y))
                changed = changed.united(QRect(x, y, 1, 1));
    QVERIFY(changed.width() > 30 && changed.width() < 90);
    QVERIFY(changed.height() > 6 && changed.height() < 24);
}

void TestFigures::manyPointsAreOneRaster()
{
    const HeadMap map = test::sampleMap(700, 8);
    const ModelInfo info = test::sampleModel(8, 2);
    FigureOptions options;
    options.dpi = 150;
    options.sizeInches = {4, 3};
    HEADSCOPE_VERIFY_OK(writeFigure(figureOfMap(std::make_shared<const HeadMap>(map), info, figureOf(map, info)),
                                    path("many.svg"), options));
    const QByteArray svg = bytesOf(path("many.svg"));
    QVERIFY(svg.contains("<image"));
    QVERIFY(svg.count("<path") < 200);
    HEADSCOPE_VERIFY_OK(writeFigure(figureOfMap(std::make_shared<const HeadMap>(map), info, figureOf(map, info)),
                                    path("many.pdf"), options));
    QVERIFY(!bytesOf(path("many.pdf")).contains("/DCTDecode"));
}

void TestFigures::mapRefusals()
{
    HeadMap map = test::sampleMap(5, 4);
    const ModelInfo info = test::sampleModel(4, 2);
    MapFigure figure = figureOf(map, info);
    figure.coloring.index.pop_back();
    HEADSCOPE_VERIFY_ERROR(
        writeFigure(figureOfMap(std::make_shared<const HeadMap>(map), info, figure), path("x.png"), {}),
        ErrorCode::ShapeMismatch, "20 points");
    figure = figureOf(map, info);
    for (float& value : map.xy.values())
        value = std::numeric_limits<float>::quiet_NaN();
    HEADSCOPE_VERIFY_ERROR(
        writeFigure(figureOfMap(std::make_shared<const HeadMap>(map), info, figure), path("x.png"), {}),
        ErrorCode::InvalidArgument, "finite");
    QVERIFY(!QFile::exists(QString::fromStdString(path("x.png").string())));
}

void TestFigures::heatmaps()
{
    const ModelInfo info = test::sampleModel(8, 2);
    std::vector<Heatmap> heatmaps;
    for (const Stage stage : kStages)
    {
        heatmaps.push_back(test::sampleHeatmap(8, 3, 20));
        heatmaps.back().stage = stage;
    }
    FigureOptions options;
    options.dpi = 100;
    for (const char* name : {"h.png", "h.pdf", "h.svg"})
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfHeatmaps(test::owned(heatmaps), info), path(name), options));
    const QImage image(QString::fromStdString(path("h.png").string()));
    QCOMPARE(image.text(QStringLiteral("stages")), QStringLiteral("1, 2, 3"));
    HEADSCOPE_VERIFY_OK(
        writeFigure(figureOfHeatmaps(test::owned<Heatmap>({heatmaps.front()}), info), path("one.png"), options));
    HEADSCOPE_VERIFY_ERROR(writeFigure(figureOfHeatmaps({}, info), path("none.png"), options),
                           ErrorCode::InvalidArgument, "heatmap");
    // Names of groups and of segments differ in width; columns of all stages begin at one place.
    for (Heatmap& heatmap : heatmaps)
        std::fill(heatmap.values.values().begin(), heatmap.values.values().end(), 1.0F);
    const ScaleChoice scale{ScaleChoice::Kind::Diverging, {0, 1}, 0.5};
    HEADSCOPE_VERIFY_OK(writeFigure(figureOfHeatmaps(test::owned(heatmaps), info, scale), path("full.png"), options));
    const QImage full(QString::fromStdString(path("full.png").string()));
    const QRgb cells = scaleOf(scale, InkTheme::Light).color(1);
    std::set<int> lefts;
    for (int y = 0; y < full.height(); ++y)
        for (int x = 0; x < full.width(); ++x)
            if ((full.pixel(x, y) & RGB_MASK) == (cells & RGB_MASK))
            {
                lefts.insert(x);
                break;
            }
    QCOMPARE(lefts.size(), std::size_t{1});
}

/// Three greys, lines and blue marks: the file says what they are, in the words of the window.
void TestFigures::marksOfAHeatmapAreExplained()
{
    const ModelInfo info = test::sampleModel(8, 2);
    auto panel = std::make_shared<HeatmapPanel>();
    panel->heatmap = std::make_shared<const Heatmap>(test::sampleHeatmap(8, 3, 20));
    auto match = std::make_shared<TopicMatch>();
    match->stage = Stage::HeadOutput;
    match->result.topics = 8;
    match->result.k = {1, 5, 10};
    match->result.fullSource = "the model's embedding";
    match->result.share = match->low = match->high = MatrixD(9, 3);
    for (std::int64_t row = 0; row < 9; ++row)
        for (std::int64_t k = 0; k < 3; ++k)
            match->result.share(row, k) = 0.2 + 0.2 * static_cast<double>(k);
    HeatmapFigure figure;
    const std::vector<std::shared_ptr<const HeatmapPanel>> panels = {panel};
    HEADSCOPE_VERIFY_OK(writeFigure(figureOfHeatmapPanels(panels, info, figure), path("plain.svg"), {}));
    const test::SvgWords plain = test::wordsOfSvg(path("plain.svg"));
    figure.lit.assign(static_cast<std::size_t>(panel->heatmap->values.cols()), 0);
    figure.lit[3] = 1;
    HEADSCOPE_VERIFY_OK(writeFigure(figureOfHeatmapPanels(panels, info, figure), path("lit.svg"), {}));
    QVERIFY(test::wordsOfSvg(path("lit.svg")).height > plain.height); // the key takes nothing from the cells
    figure.match = match;
    figure.heads = {1, 2};
    HEADSCOPE_VERIFY_OK(writeFigure(figureOfHeatmapPanels(panels, info, figure), path("key.svg"), {}));
    const test::SvgWords keyed = test::wordsOfSvg(path("key.svg"));
    for (const char* words : {"true topic the nearest", "among 5", "among 10 (all 8 topics)", "lines: 95%",
                              "full: the model's embedding", "selected documents, others pale"})
    {
        QVERIFY2(keyed.has(QString::fromLatin1(words)), words);
        QVERIFY2(!plain.has(QString::fromLatin1(words)), words);
    }
    // Bars and their samples in the key: each grey stands in both.
    HEADSCOPE_VERIFY_OK(writeFigure(figureOfHeatmapPanels(panels, info, figure), path("key.png"), {}));
    const QImage image(QString::fromStdString(path("key.png").string()));
    for (const KeyEntry& entry : matchKey(*match))
        if (entry.mark == KeyEntry::Mark::Bar)
            QVERIFY2(countExactly(image, entry.color.rgb()) > 40, qPrintable(entry.text));
    // In a figure too narrow for the bars nothing speaks of them.
    FigureOptions narrow;
    narrow.sizeInches = {3.2, 0};
    HEADSCOPE_VERIFY_OK(writeFigure(figureOfHeatmapPanels(panels, info, figure), path("narrow.svg"), narrow));
    QVERIFY(!test::wordsOfSvg(path("narrow.svg")).has(QStringLiteral("lines: 95%")));
}

void TestFigures::probes()
{
    const ModelInfo info = test::sampleModel(8, 2);
    std::vector<ProbeResult> results;
    for (const Stage stage : kStages)
        results.push_back(test::sampleProbe(8, 2, stage));
    FigureOptions options;
    options.dpi = 100;
    for (const char* name : {"p.png", "p.pdf", "p.svg"})
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfProbe(results, info), path(name), options));
    QVERIFY(bytesOf(path("p.pdf")).contains("/FontFile2"));
    // The lines in the bars are named below them.
    const test::SvgWords words = test::wordsOfSvg(path("p.svg"));
    QVERIFY(words.has(QStringLiteral("all test vectors")) && words.has(QStringLiteral("chance")));
    HEADSCOPE_VERIFY_ERROR(writeFigure(figureOfProbe({}, info), path("none.png"), options), ErrorCode::InvalidArgument,
                           "probe");
}

/// At the width that is proposed: smaller, down to 5 points, and in lines of fewer matrices, rather than none.
void TestFigures::numbersOfAProbeStandInTheirCells()
{
    const ModelInfo info = test::sampleModel(9, 3);
    std::vector<ProbeResult> results;
    for (const Stage stage : kStages)
        results.push_back(test::sampleProbe(9, 3, stage));
    FigureOptions options;
    options.sizeInches = {inchesOfMm(171.45), 0};
    HEADSCOPE_VERIFY_OK(writeFigure(figureOfProbe(results, info), path("numbers.svg"), options));
    const test::SvgWords svg = test::wordsOfSvg(path("numbers.svg"));
    std::map<QString, qsizetype> expected;
    for (const ProbeResult& result : results)
        for (std::int64_t head = 0; head < 9; ++head)
            ++expected[QString::number(std::round(100 * static_cast<double>(result.confusion(head, head)) / 200))];
    for (const auto& [text, count] : expected)
        QVERIFY2(svg.words.count(text) >= count, qPrintable(text));
    QVERIFY(svg.height < 2 * svg.width); // and no roll of paper
    // Where no width of the figure would do, matrices stand side by side as they did.
    const ModelInfo many = test::sampleModel(64, 8);
    std::vector<ProbeResult> large;
    for (const Stage stage : kStages)
        large.push_back(test::sampleProbe(64, 8, stage));
    HEADSCOPE_VERIFY_OK(writeFigure(figureOfProbe(large, many), path("large.svg"), options));
    QVERIFY(test::wordsOfSvg(path("large.svg")).height < svg.height);
}

void TestFigures::numbersOfMeansStandInTheirCells()
{
    constexpr std::int64_t kRows = 10;
    constexpr std::int64_t kTopics = 8;
    std::vector<MatrixFigure> tables;
    QStringList expected;
    for (int table = 0; table < 3; ++table)
    {
        MatrixFigure figure{MatrixD(kRows, kTopics), {}, {}, {}, QStringLiteral("mean cosine")};
        for (std::int64_t row = 0; row < kRows; ++row)
        {
            figure.rowNames << (row == 0 ? QStringLiteral("full") : QString::number(row));
            for (std::int64_t topic = 0; topic < kTopics; ++topic)
            {
                figure.values(row, topic) = -0.01 * static_cast<double>(10 + row * kTopics + topic);
                expected << QString(QChar(0x2212)) + QString::number(-figure.values(row, topic), 'f', 2);
            }
        }
        for (std::int64_t topic = 0; topic < kTopics; ++topic)
            figure.columnNames << QString(QChar('A' + static_cast<char>(topic)));
        figure.style.title = QStringLiteral("Stage %1").arg(table + 1);
        tables.push_back(std::move(figure));
    }
    FigureOptions options;
    options.sizeInches = {inchesOfMm(171.45), 0};
    HEADSCOPE_VERIFY_OK(writeFigure(figureOfMatrices(tables, {}), path("means.svg"), options));
    const test::SvgWords svg = test::wordsOfSvg(path("means.svg"));
    for (const QString& number : std::as_const(expected))
        QVERIFY2(svg.words.count(number) == expected.count(number), qPrintable(number));
}

HEADSCOPE_TEST(TestFigures)
#include "tst_figures.moc"
