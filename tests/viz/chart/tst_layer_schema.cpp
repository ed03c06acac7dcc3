// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/chart/layer_schema.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/viz/figure_text.h"
#include "tests/viz/paper.h"
#include "viz/color/stage_colors.h"
#include "viz/export/schema_figure.h"

#include <QPainter>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::viz;

namespace
{

ModelInfo model(const char* family, std::int64_t heads, std::int64_t kvHeads, std::int64_t headDim, std::int64_t dim)
{
    ModelInfo info;
    info.name = "tiny";
    info.family = family;
    info.layers = 30;
    info.heads = heads;
    info.kvHeads = kvHeads;
    info.headDim = headDim;
    info.modelDim = dim;
    return info;
}

QStringList titles(const LayerSchema& schema)
{
    QStringList all;
    for (const auto& row : schema.rows)
        all << row.title;
    return all;
}

QString detailOf(const LayerSchema& schema, const char* title)
{
    for (const auto& row : schema.rows)
        if (row.title == QLatin1StringView(title))
            return row.detail;
    return QStringLiteral("no such row");
}

int stageOf(const LayerSchema& schema, const char* title)
{
    for (const auto& row : schema.rows)
        if (row.title == QLatin1StringView(title))
            return row.stage;
    return -1;
}

} // namespace

class TestLayerSchema : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sizesAreThoseOfTheModel()
    {
        const LayerSchema schema = layerSchema(model("llama", 9, 3, 64, 576), 12);
        QCOMPARE(detailOf(schema, "Queries"), QStringLiteral("9 × 64"));
        QCOMPARE(detailOf(schema, "Keys and values"), QStringLiteral("3 × 64"));
        QCOMPARE(detailOf(schema, "Head outputs"), QStringLiteral("9 × 64 = 576 numbers"));
        QCOMPARE(detailOf(schema, "Attention output"), QStringLiteral("576 = 9 × 64 numbers"));
        QCOMPARE(stageOf(schema, "Head outputs"), 1);
        QCOMPARE(stageOf(schema, "Attention output"), 2);
        QCOMPARE(stageOf(schema, "Output of the layer"), 3);
        QVERIFY(!titles(schema).contains(QStringLiteral("Final norm")));
        const QString caption = schemaCaption(schema);
        for (const char* words :
             {"Layer 12 of tiny (30 layers, 9 heads in 3 KV groups, head dimension 64, hidden size 576)",
              "which are not heads", "Stage 3: Output of the layer:"})
            QVERIFY2(caption.contains(QLatin1StringView(words)), qPrintable(caption));
    }

    void theLastLayerIsReadBehindTheFinalNorm()
    {
        const LayerSchema decoder = layerSchema(model("mistral", 32, 8, 128, 4096), 29);
        QVERIFY(titles(decoder).contains(QStringLiteral("Final norm")));
        QVERIFY(decoder.taps[2].contains(QStringLiteral("after the final norm")));
        // BERT's norms stand behind the sums, and its last layer has no other.
        const LayerSchema encoder = layerSchema(model("bert", 12, 12, 32, 384), 29);
        QVERIFY(encoder.traits->normPlacement == NormPlacement::Post);
        QVERIFY(!titles(encoder).contains(QStringLiteral("Final norm")));
        QVERIFY(titles(encoder).indexOf(QStringLiteral("Norm")) >
                titles(encoder).indexOf(QStringLiteral("plus the input")));
        QCOMPARE(detailOf(encoder, "Attention"), QStringLiteral("over all tokens"));
        // Gemma's norms stand in front of both blocks and behind them, before the sums.
        const LayerSchema both = layerSchema(model("gemma2", 8, 4, 256, 2048), 3);
        QCOMPARE(titles(both).count(QStringLiteral("Norm")), 4);
        QCOMPARE(titles(both).indexOf(QStringLiteral("plus the input")),
                 titles(both).indexOf(QStringLiteral("Attention output")) + 2);
        // The first layer of ModernBERT has none in front of its attention.
        QCOMPARE(titles(layerSchema(model("modernbert", 8, 8, 64, 512), 0)).count(QStringLiteral("Norm")), 1);
        QCOMPARE(titles(layerSchema(model("modernbert", 8, 8, 64, 512), 1)).count(QStringLiteral("Norm")), 2);
        const LayerSchema parallel = layerSchema(model("gpt_neox", 8, 8, 64, 512), 1);
        QCOMPARE(titles(parallel).count(QStringLiteral("Norm")), 2);
        QVERIFY(std::ranges::any_of(parallel.rows, [](const auto& row) {
            return row.detail == QStringLiteral("of the layer's input, in parallel");
        }));
    }

    void whatTheCacheDoesNotSayIsNotDrawn()
    {
        const LayerSchema schema = layerSchema(model("", 8, 0, 0, 0), 3);
        QVERIFY(!titles(schema).contains(QStringLiteral("Norm")));
        QCOMPARE(detailOf(schema, "Attention"), QString());
        QCOMPARE(detailOf(schema, "Head outputs"), QStringLiteral("8 heads"));
        QVERIFY(
            schemaCaption(schema).contains(QStringLiteral("are not drawn, because the cache does not describe them")));
        const LayerSchema uneven = layerSchema(model("llama", 9, 3, 64, 500), 3);
        QCOMPARE(detailOf(uneven, "Attention output"), QStringLiteral("500 dimensions, not split"));
        QVERIFY(uneven.taps[1].contains(QStringLiteral("500 dimensions are not a multiple of 9 heads")));
    }

    void nothingLeavesItsBox_data()
    {
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("width");
        for (const int heads : {1, 9, 32, 128})
            for (const int width : {220, 486, 900})
                QTest::addRow("%d heads, %d wide", heads, width) << heads << width;
    }
    void nothingLeavesItsBox()
    {
        QFETCH(int, heads);
        QFETCH(int, width);
        const SchemaStyle style{InkTheme::Light, 10};
        const LayerSchema schema = layerSchema(model("llama", heads, heads > 4 ? heads / 4 : 1, 64, 64 * heads), 29);
        const double height = schemaHeight(schema, width, style);
        constexpr int kAround = 20;
        QImage image = test::paper({width + 2 * kAround, static_cast<int>(std::ceil(height)) + 2 * kAround});
        QPainter painter(&image);
        paintSchema(painter, schema, {kAround, kAround, double(width), height}, style);
        painter.end();
        QVERIFY(test::staysInside(image, image.rect().adjusted(kAround - 1, kAround - 1, 1 - kAround, 1 - kAround)));
        // Each stage has its mark.
        for (const Stage stage : kStages)
        {
            int found = 0;
            const QRgb color = stageColor(stage, InkTheme::Light).rgb();
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    found += image.pixel(x, y) == color ? 1 : 0;
            QVERIFY(found > 50);
        }
    }

    void aFileOfIt()
    {
        const QTemporaryDir folder;
        const auto path = std::filesystem::path(folder.filePath(QStringLiteral("schema.svg")).toStdString());
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfSchema(layerSchema(model("llama", 9, 3, 64, 576), 29)), path, {}));
        const auto svg = test::wordsOfSvg(path);
        for (const char* word : {"Stage 1", "Stage 2", "Stage 3", "Output projection (o_proj)", "Final norm", "9 × 64"})
            QVERIFY2(svg.has(QString::fromUtf8(word)), word);
        QVERIFY(svg.about.contains(QStringLiteral("where its vectors are measured")));
        QVERIFY(std::abs(svg.width - 486) < 1);
        QVERIFY(svg.height < 648); // a page of two columns
    }
};

HEADSCOPE_TEST(TestLayerSchema)
#include "tst_layer_schema.moc"
