// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/layer_figures.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/viz/figure_text.h"
#include "tests/viz/sample_values.h"

#include <QFileInfo>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include <array>

using namespace headscope;
using namespace headscope::viz;

class TestLayerFigures : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::filesystem::path path(const char* name) const
    {
        return m_folder.filePath(QLatin1StringView(name)).toStdString();
    }

private Q_SLOTS:
    void probes()
    {
        const ModelInfo info = test::sampleModel(8, 2);
        ProbeFigure figure;
        for (std::int64_t layer = 0; layer < 6; ++layer)
            for (const Stage stage : {Stage::HeadOutput, Stage::OutputSegment})
            {
                auto result = std::make_shared<ProbeResult>(test::sampleProbe(8, 2, stage));
                result->layer = layer;
                figure.results.push_back(result);
                figure.controls.push_back(result);
            }
        figure.shown = figure.results[3];
        for (const char* name : {"sweep.png", "sweep.pdf", "sweep.svg"})
        {
            HEADSCOPE_VERIFY_OK(writeFigure(figureOfProbes(figure, info), path(name), {}));
            QVERIFY(QFileInfo(QString::fromStdString(path(name).string())).size() > 2000);
        }
        const QImage picture(QString::fromStdString(path("sweep.png").string()));
        QCOMPARE(picture.width(), 2025);
        FigureOptions narrow;
        narrow.sizeInches = {inchesOfMm(77), 0};
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfProbes(figure, info), path("narrow.png"), narrow));
        const QImage column(QString::fromStdString(path("narrow.png").string()));
        QVERIFY(column.height() > 2 * column.width()); // parts go under each other rather than shrink
        // Of one layer: the figure of single probes.
        ProbeFigure one;
        one.results = {figure.results[0], figure.results[1]};
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfProbes(one, info), path("one.png"), {}));
        HEADSCOPE_VERIFY_ERROR(writeFigure(figureOfProbes({}, info), path("none.png"), {}), ErrorCode::InvalidArgument,
                               "no probe result to draw");
    }

    /// Points that no line joins: a path of them alone is damaged PDF, of which some readers complain.
    void pointsWithoutLines()
    {
        std::vector<std::shared_ptr<const LayerMeasures>> measures;
        for (const std::int64_t layer : {2, 3})
        {
            auto one = std::make_shared<LayerMeasures>();
            one->layer = LayerIndex(layer);
            one->stage = Stage::OutputSegment;
            one->documents = 40;
            one->heads = 8;
            one->accuracy = 0.5;
            one->redundancy = 0.3;
            one->afterFinalNorm = layer == 3;
            measures.push_back(one);
        }
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfLayers(measures, {}, test::sampleModel(8, 2)), path("apart.pdf"), {}));
        const QByteArray pdf = test::pdfContents(path("apart.pdf"));
        QVERIFY(pdf.contains(" l\n")); // lines of the axes
        QVERIFY(!pdf.contains(" m\nh\n"));
    }

    void layers()
    {
        std::vector<std::shared_ptr<const LayerMeasures>> measures;
        for (std::int64_t layer = 0; layer < 4; ++layer)
        {
            auto one = std::make_shared<LayerMeasures>();
            one->layer = LayerIndex(layer);
            one->documents = 4000;
            one->heads = 8;
            one->accuracy = 0.5;
            one->redundancy = 0.3;
            measures.push_back(one);
        }
        const ModelInfo info = test::sampleModel(8, 2);
        for (const char* name : {"layers.png", "layers.pdf", "layers.svg"})
            HEADSCOPE_VERIFY_OK(writeFigure(figureOfLayers(measures, {}, info), path(name), {}));
        HEADSCOPE_VERIFY_ERROR(writeFigure(figureOfLayers({}, {}, info), path("none.svg"), {}),
                               ErrorCode::InvalidArgument, "no measured layer to draw");
        const QString caption = layersCaption(measures, {}, info);
        QVERIFY(caption.contains(QStringLiteral("4,000 documents")));
        QVERIFY(!caption.contains(QStringLiteral("purity"))); // nothing of it is shown
        QVERIFY(caption.contains(QStringLiteral("Redundancy (debiased")));
        QVERIFY(!caption.contains(QStringLiteral("final norm")));
        std::vector<std::shared_ptr<const LayerMeasures>> tested;
        for (const auto& each : measures)
        {
            auto one = std::make_shared<LayerMeasures>(*each);
            one->purity = 0.4;
            one->testDocuments = 38;
            one->purityNull = {0.2, 0.3, each->layer.value() == 0 ? 0.4 : 0.005, 200};
            one->afterFinalNorm = each->layer.value() == 3;
            tested.push_back(one);
        }
        // By q, as the table judges, and not by p; which ones is said.
        const std::vector<double> q = {0.4, 0.06, 0.01, 0.01};
        const QString marked = layersCaption(tested, q, info);
        QVERIFY2(
            marked.contains(QStringLiteral("2 of 4 not distinguishable from permuted labels: stage 1 of layers 0, 1; "
                                           "q > 0.05")),
            qPrintable(marked));
        QVERIFY(marked.contains(QStringLiteral("0 on average for unrelated heads and may be negative")));
        QVERIFY(marked.contains(QStringLiteral("over the effective sample size of the 38 test documents")));
        QVERIFY(marked.contains(QStringLiteral("often near 1 whatever they represent")));
        QVERIFY(marked.contains(QStringLiteral("Open marker: after the final norm")));

        // Before, round numbers stood there: 0, 2, 4 ... 28, and none of the layers that were measured.
        ModelInfo deep = info;
        deep.layers = 30;
        for (std::size_t i = 0; i < measures.size(); ++i)
        {
            auto one = std::make_shared<LayerMeasures>(*measures[i]);
            one->layer = LayerIndex(static_cast<std::int64_t>(std::array{4, 9, 19, 29}[i]));
            measures[i] = one;
        }
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfLayers(measures, {}, deep), path("few.svg"), {}));
        const test::SvgWords said = test::wordsOfSvg(path("few.svg"));
        for (const char* layer : {"4", "9", "19", "29"})
            QVERIFY2(said.has(QString::fromLatin1(layer)), layer);
        for (const char* other : {"0", "2", "28"})
            QVERIFY2(!said.has(QString::fromLatin1(other)), other);
    }
};

HEADSCOPE_TEST(TestLayerFigures)
#include "tst_layer_figures.moc"
