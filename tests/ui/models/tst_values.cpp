// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of ui that are plain values: words, kinds of files, strengths, the selection.
#include "app/commands/extract_command.h"
#include "model/base/fields/fields.h"
#include "tests/support/test_program.h"
#include "ui/state/selection_hub.h"
#include "ui/state/strengths.h"
#include "ui/window/cache_overview.h"
#include "ui/words/opened_file_kind.h"
#include "ui/words/window_text.h"
#include "ui/words/wording.h"

#include <QDir>
#include <QFile>
#include <QLocale>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace headscope;
using namespace headscope::ui;

class TestValues : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English)); }

    void durations_data()
    {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("unknown") << -1.0 << QString();
        QTest::newRow("not a number") << std::nan("") << QString();
        QTest::newRow("seconds") << 8.2 << "9 s";
        QTest::newRow("minutes") << 200.0 << "3 min 20 s";
        QTest::newRow("hours") << 7500.0 << "2 h 5 min";
        QTest::newRow("endless") << 1e300 << "277777 h 46 min";
    }
    void durations()
    {
        QFETCH(double, seconds);
        QFETCH(QString, text);
        QCOMPARE(durationText(seconds), text);
    }

    void numbers()
    {
        QCOMPARE(countText(320'000), QStringLiteral("320,000"));
        QCOMPARE(bytesText(625'000'000), QStringLiteral("625 MB"));
        QCOMPARE(numberText(4.2099), QStringLiteral("4.21"));
        QCOMPARE(numberText(std::nan("")), QStringLiteral("not a number"));
        QCOMPARE(numberText(-0.021), QStringLiteral("\u22120.02")); // a minus, not a hyphen; none before a zero
        QCOMPARE(numberText(-0.001), QStringLiteral("0.00"));
        QCOMPARE(percentText(-0.125), QStringLiteral("\u221212.5%"));
        QCOMPARE(rateText(0, QStringLiteral("it")), QString());
        QCOMPARE(rateText(31.2, QStringLiteral("it")), QStringLiteral("31 it/s"));
        Progress progress;
        QCOMPARE(progressText(progress), QString());
        progress.done = 480;
        progress.total = 750;
        progress.unit = "documents";
        progress.rate = 31;
        progress.eta = 8.7;
        QCOMPARE(progressText(progress), QStringLiteral("480 / 750 documents · 31 /s · 9 s left"));
    }

    void stagesSayHeadOrSegment()
    {
        QCOMPARE(unitText(Stage::HeadOutput, HeadIndex(17)), QStringLiteral("Head 18"));
        QCOMPARE(unitText(Stage::OutputSegment, HeadIndex(17)), QStringLiteral("Segment 18"));
        for (const Stage stage :
             {Stage::HeadOutput, Stage::ProjectedSegment, Stage::OutputSegment, Stage::Contribution})
        {
            QVERIFY(!stageTitle(stage).isEmpty());
            QVERIFY(!stageHint(stage).isEmpty());
        }
    }

    void sentencesOfTheWindowHaveNoOptionsOfTheShell()
    {
        const auto said = [](const char* message) { return errorText(Error{ErrorCode::WrongUse, message, {}, {}}); };
        QCOMPARE(said("exists already; --overwrite replaces it"), QStringLiteral("exists already"));
        Fields options;
        commands::ExtractCommand command;
        command.declare(options);
        nameOptions(options);
        QCOMPARE(said("about 3 GB of memory, 2 GB are free (all of it); use --memory 900M or more to read the layers "
                      "from disk batch by batch, or fewer --layers"),
                 QStringLiteral("about 3 GB of memory, 2 GB are free (all of it); use “Memory limit” 900M or more to "
                                "read the layers from disk batch by batch, or fewer layers"));
        QCOMPARE(said("a—b; c -- d"), QStringLiteral("a—b; c -- d"));
    }

    void topicsThatAreAllOfThemAreSaid()
    {
        QCOMPARE(amongText(5, 8), QStringLiteral("among 5"));
        QCOMPARE(amongText(10, 8), QStringLiteral("among 10 (all 8 topics)"));
        QCOMPARE(amongText(10, 0), QStringLiteral("among 10"));
    }

    void everyErrorHasAHeading()
    {
        for (int code = 0; code <= static_cast<int>(ErrorCode::Internal); ++code)
            QVERIFY(!errorHeading(static_cast<ErrorCode>(code)).isEmpty());
    }

    void firstLines_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("line");
        QTest::newRow("empty") << QByteArray() << QString();
        QTest::newRow("lines") << QByteArray("  one\ttwo \nthree") << "one two";
        QTest::newRow("only spaces") << QByteArray(" \n \t ") << QString();
        QTest::newRow("cut") << QByteArray(100, 'a') << QString(19, u'a') + QChar(0x2026);
        QTest::newRow("a megabyte") << QByteArray("ab\n") + QByteArray(1'000'000, 'x') << "ab";
        QTest::newRow("right to left") << QByteArray("\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d")
                                       << QString::fromUtf8("\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d");
    }
    void firstLines()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, line);
        QCOMPARE(firstLine(std::string_view(text.constData(), static_cast<std::size_t>(text.size())), 20), line);
    }

    void kindsOfFiles()
    {
        const QTemporaryDir folder;
        QCOMPARE(fileKind(QStringLiteral("/x/A.H5")), FileKind::Cache);
        QCOMPARE(fileKind(QStringLiteral("m.gguf")), FileKind::Model);
        QCOMPARE(fileKind(QStringLiteral("model.safetensors.index.json")), FileKind::Model);
        QCOMPARE(fileKind(QStringLiteral("t.jsonl.zst")), FileKind::Texts);
        QCOMPARE(fileKind(QStringLiteral("fineweb.PARQUET")), FileKind::Texts);
        QCOMPARE(fileKind(QStringLiteral("t.png")), FileKind::Figure);
        QCOMPARE(fileKind(QStringLiteral("t.jpg")), FileKind::Unknown);
        QCOMPARE(fileKind(folder.path()), FileKind::Unknown);
        QVERIFY(unknownFileReason(folder.path()).contains(QStringLiteral("empty")));
        QFile file(folder.filePath(QStringLiteral("a.txt")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(fileKind(folder.path()), FileKind::Texts);
        QFile config(folder.filePath(QStringLiteral("config.json")));
        QVERIFY(config.open(QIODevice::WriteOnly));
        QCOMPARE(fileKind(folder.path()), FileKind::Model);
        QVERIFY(unknownFileReason(QStringLiteral("t.png")).contains(QStringLiteral("t.png")));
    }

    void strengths()
    {
        const HeadVectors vectors(Stage::HeadOutput, LayerIndex(0), 2, 2, 2, {3, 4, 0, 0, 6, 8, std::nanf(""), 1});
        const Strengths one = strengthsOf(vectors, 1);
        QCOMPARE(one.values(0, 0), 5.0F);
        QCOMPARE(one.values(0, 1), 0.0F);
        QCOMPARE(one.values(1, 0), 10.0F);
        QVERIFY(std::isnan(one.values(1, 1)));
        QCOMPARE(one.sorted, (std::vector<float>{0, 5, 10}));
        QCOMPARE(one.topShare(10), 1.0 / 3);
        QCOMPARE(one.topShare(std::nanf("")), 1.0);
        QCOMPARE(strengthsOf(vectors, 3).sorted, one.sorted);
    }

    void selectionTellsOnceWhatChanged()
    {
        SelectionHub hub;
        QSignalSpy primary(&hub, &SelectionHub::primaryChanged);
        QSignalSpy hovered(&hub, &SelectionHub::hoveredChanged);
        QSignalSpy documents(&hub, &SelectionHub::documentsChanged);
        hub.setPrimary(DocumentIndex(3), HeadIndex(1));
        hub.setPrimary(DocumentIndex(3), HeadIndex(1));
        QCOMPARE(primary.count(), 1);
        hub.setHovered(DocumentIndex(4));
        hub.setHovered(DocumentIndex(4));
        QCOMPARE(hovered.count(), 1);
        hub.setDocuments({5, 2, 5});
        QCOMPARE(hub.selection().documents, (std::vector<std::int64_t>{2, 5}));
        hub.clear();
        QVERIFY(!hub.selection().primary && !hub.selection().primaryHead && !hub.selection().hovered);
        QCOMPARE(documents.count(), 2);
        hub.setPrimary({}, HeadIndex(7));
        QVERIFY(!hub.selection().primaryHead);
    }

    void choicesCanBeUndone()
    {
        SelectionHub hub;
        QSignalSpy documents(&hub, &SelectionHub::documentsChanged);
        using Set = std::vector<std::int64_t>;
        hub.undo();
        hub.redo();
        QCOMPARE(documents.count(), 0);
        hub.pick({1, 2, 3}, SetOperation::Replace);
        hub.pick({2}, SetOperation::Remove);
        hub.pick({7}, SetOperation::Add);
        QCOMPARE(hub.selection().documents, (Set{1, 3, 7}));
        hub.undo();
        QCOMPARE(hub.selection().documents, (Set{1, 3}));
        hub.undo();
        hub.undo();
        QVERIFY(hub.selection().documents.empty());
        QVERIFY(!hub.canUndo());
        hub.redo();
        hub.redo();
        QCOMPARE(hub.selection().documents, (Set{1, 3}));
        hub.pick({9}, SetOperation::Replace); // what was undone is gone
        QVERIFY(!hub.canRedo());
        for (std::int64_t i = 0; i < 300; ++i)
            hub.setDocuments({i});
        int steps = 0;
        for (; hub.canUndo(); ++steps)
            hub.undo();
        QCOMPARE(steps, SelectionHub::kUndoDepth);
        hub.clear();
        QVERIFY(!hub.canUndo() && !hub.canRedo());
    }

    void overviewKnowsItsStages()
    {
        CacheOverview overview;
        overview.stages[LayerIndex(4)] = {Stage::HeadOutput};
        QVERIFY(overview.has(LayerIndex(4), Stage::HeadOutput));
        QVERIFY(!overview.has(LayerIndex(4), Stage::OutputSegment));
        QVERIFY(overview.stagesOf(LayerIndex(5)).empty());
    }
};

HEADSCOPE_TEST_GUILESS(TestValues)
#include "tst_values.moc"
