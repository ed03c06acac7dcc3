// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/attention/attention_figures.h"

#include "tests/support/attention_runs.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

using namespace headscope;
using namespace headscope::viz;

class TestAttentionFigures : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    [[nodiscard]] std::filesystem::path path(const char* name) const
    {
        const QString kept = qEnvironmentVariable("HEADSCOPE_PICTURES");
        const QString file = (kept.isEmpty() ? m_folder.path() : kept) + u'/' + QLatin1StringView(name);
        return file.toStdString();
    }

    static AttentionFigure sample()
    {
        AttentionFigure figure;
        figure.run = test::makeAttentionRun({.layers = 30});
        figure.layer = LayerIndex(12);
        figure.head = HeadIndex(3);
        figure.reading = TokenIndex(8);
        figure.read = TokenIndex(7);
        return figure;
    }

    static FigureOptions replacing()
    {
        FigureOptions options;
        options.overwrite = true;
        return options;
    }

private Q_SLOTS:
    void writtenInAllKinds()
    {
        const AttentionFigure figure = sample();
        for (const char* name : {"attention.pdf", "attention.svg", "attention.png"})
        {
            const auto written = writeFigure(figureOfAttention(figure), path(name), replacing());
            QVERIFY2(written, written ? "" : written.error().sentence().c_str());
        }
        const QImage picture(QString::fromStdString(path("attention.png").string()));
        QVERIFY(picture.width() > 1900);
        QVERIFY(picture.height() > 900);
    }

    void theSameBytesAgain()
    {
        const AttentionFigure figure = sample();
        const auto bytes = [&](const char* name) {
            const auto written = writeFigure(figureOfAttention(figure), path(name), replacing());
            QFile file(QString::fromStdString(path(name).string()));
            return written && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray first = bytes("again.pdf");
        QVERIFY(!first.isEmpty());
        QCOMPARE(bytes("again.pdf"), first);
    }

    void theCaptionSaysWhatIsShown()
    {
        AttentionFigure figure = sample();
        const QString caption = attentionCaption(figure);
        for (const char* words : {"made-up model", "17 tokens", "All heads of 30 layers", "Layer 12, head 4",
                                  "grey column: first token", "grey triangle: future tokens (masked)", "square root"})
            QVERIFY2(caption.contains(QLatin1StringView(words)), words);
        figure.overlay = true;
        QVERIFY(attentionCaption(figure).contains(QStringLiteral("Heads 4 to 6")));
        figure.withoutFirst = false;
        QVERIFY(!attentionCaption(figure).contains(QStringLiteral("first token")));
        figure.heads = true;
        figure.measure = "first_token";
        QVERIFY(attentionCaption(figure).contains(QStringLiteral("first token from")));
    }

    /// Weights that are not held are not drawn, and the caption says so.
    void missingWeightsAreSaid()
    {
        AttentionFigure figure = sample();
        figure.run = test::makeAttentionRun({.layers = 30, .held = {0}});
        QVERIFY(attentionCaption(figure).contains(QStringLiteral("layer 12, head 4 were not computed")));
        QVERIFY(writeFigure(figureOfAttention(figure), path("missing.pdf"), replacing()));
        figure.heads = false;
        const auto refused = writeFigure(figureOfAttention(figure), path("none.pdf"), replacing());
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::InvalidArgument);
    }

    void whatCannotBeDrawnIsRefused()
    {
        AttentionFigure figure = sample();
        figure.heads = figure.lines = figure.matrix = false;
        QVERIFY(!writeFigure(figureOfAttention(figure), path("nothing.pdf"), replacing()));
        figure = sample();
        figure.layer = LayerIndex(77);
        QVERIFY(!writeFigure(figureOfAttention(figure), path("nothing.pdf"), replacing()));
        figure.run = nullptr;
        QVERIFY(!writeFigure(figureOfAttention(figure), path("nothing.pdf"), replacing()));
        QVERIFY(!QFile::exists(QString::fromStdString(path("nothing.pdf").string())));
    }

    void otherShapesAreDrawn_data()
    {
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("kvHeads");
        QTest::addColumn<bool>("causal");
        QTest::newRow("one-token") << 1 << 3 << true;
        QTest::newRow("long") << 300 << 3 << true;
        QTest::newRow("encoder") << 17 << 9 << false;
    }
    void otherShapesAreDrawn()
    {
        QFETCH(int, tokens);
        QFETCH(int, kvHeads);
        QFETCH(bool, causal);
        AttentionFigure figure;
        figure.run = test::makeAttentionRun({.tokens = tokens, .kvHeads = kvHeads, .causal = causal});
        figure.layer = LayerIndex(2);
        figure.head = HeadIndex(1);
        figure.overlay = true;
        figure.beside = {{LayerIndex(3), HeadIndex(1)}};
        const QByteArray name = QByteArray("attention-") + QTest::currentDataTag() + ".pdf";
        QVERIFY(writeFigure(figureOfAttention(figure), path(name.constData()), replacing()));
    }
};

HEADSCOPE_TEST_UNDER(QGuiApplication, TestAttentionFigures)
#include "tst_attention_figures.moc"
