// SPDX-License-Identifier: GPL-3.0-or-later
// One's own files through the window: from the table in the dialog to the cache, with the built engine.
#include "app/desktop/extract/extract_controller.h"
#include "app/desktop/shell/model_memory.h"
#include "model/io/cache/cache_reader.h"
#include "tests/app/copied_line.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/support/process.h"
#include "tests/support/test_paths.h"
#include "tests/support/waiting.h"
#include "ui/dialogs/documents_table.h"
#include "ui/dialogs/extract_dialog.h"
#include "ui/dialogs/role_header.h"
#include "ui/jobs/job_strip.h"
#include "ui/window/notice_bar.h"

#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QTableWidget>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <vector>

using namespace headscope;

class TestDesktopExtract : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    static QString model() { return QString::fromStdString(test::golden("models/bert_f32").string()); }

    QString write(const char* name, const QByteArray& content)
    {
        const QString path = m_folder.filePath(QLatin1StringView(name));
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() ? path : QString();
    }
    QString ownTable()
    {
        QByteArray rows = "Nr,Description,Group\n";
        for (int i = 0; i < 24; ++i)
            rows += QByteArray::number(100 + i) + ",\"" +
                    (i % 2 == 0 ? "The cat sat on the mat, it was number " : "Dogs bark at night, at house ") +
                    QByteArray::number(i) + "\"," + (i % 2 == 0 ? "cats" : "dogs") + "\n";
        return write("own.csv", rows);
    }
    ui::ExtractDialog* dialog() { return m_window->findChild<ui::ExtractDialog*>(); }
    template <class T>
    T* control(const char* name)
    {
        return dialog()->findChild<T*>(QLatin1StringView(name));
    }
    /// The dialog, with a model and texts whose rows are shown.
    void openDialog(const QString& texts)
    {
        m_workbench->open(model());
        QVERIFY(dialog() != nullptr && dialog()->isVisible());
        dialog()->setTexts(texts);
        WAIT_FOR2(dialog()->problem().isEmpty(), qPrintable(dialog()->problem()));
    }
    void extract()
    {
        QSignalSpy opened(m_workbench.get(), &desktop::Workbench::cacheOpened);
        QTest::mouseClick(control<QPushButton>("extractStart"), Qt::LeftButton);
        WAIT_COMPARE(opened.count(), 1);
    }

    /// Texts that keep the small model busy for seconds.
    QString manyTexts()
    {
        QByteArray lines;
        for (int i = 0; i < kMany; ++i)
            lines += "{\"text\": \"Text " + QByteArray::number(i) + " says a little more than the one before it\"}\n";
        return write("many.jsonl", lines);
    }
    desktop::ExtractController& extraction() { return m_workbench->extraction(); }
    /// Starts an extraction of many texts and waits until documents are done.
    void extractMany()
    {
        openDialog(manyTexts());
        bool isHalfWay = false;
        const auto connection =
            connect(&extraction().runner(), &ui::JobRunner::progressed, this, [&isHalfWay](const Progress& progress) {
                isHalfWay = isHalfWay || (progress.stage == "extracting" && progress.done > kMany / 10);
            });
        QTest::mouseClick(control<QPushButton>("extractStart"), Qt::LeftButton);
        WAIT_FOR(isHalfWay);
        disconnect(connection);
        QVERIFY(extraction().busy());
    }
    /// The same again, to its end: with what the first one did.
    void continueMany()
    {
        const qsizetype before = m_window->jobStrip().logText().count(QStringLiteral("earlier run"));
        openDialog(manyTexts());
        extract();
        QCOMPARE(m_window->overview()->documents->count(), std::int64_t{kMany});
        const QString log = m_window->jobStrip().logText();
        QVERIFY2(log.count(QStringLiteral("were done by an earlier run")) > before, qPrintable(log));
        QVERIFY(!QFileInfo::exists(m_folder.filePath(QStringLiteral("many-bert_f32.h5.shards"))));
    }

    static constexpr int kMany = 20'000;

private Q_SLOTS:
    void init()
    {
        QDir folder(m_folder.path()); // caches are never written over
        for (const QString& cache : folder.entryList({QStringLiteral("*.h5")}, QDir::Files))
            QVERIFY(folder.remove(cache));
        for (const QString& parts : folder.entryList({QStringLiteral("*.shards")}, QDir::Dirs))
            QVERIFY(QDir(folder.filePath(parts)).removeRecursively());
        makeWindow({.engine = QString::fromStdString(test::program("headscope-engine").string())});
    }
    void cleanup() { dropWindow(); }

    void aTableOfOnesOwnBecomesACache()
    {
        openDialog(ownTable());
        const QTableWidget* table = dialog()->documents().table();
        QCOMPARE(table->rowCount(), 24);
        QCOMPARE(table->horizontalHeaderItem(1)->text(), QStringLiteral("Description"));
        QCOMPARE(dialog()->documents().roles().at(1), ColumnRole::Text);
        extract();
        const DocumentSet& documents = *m_window->overview()->documents;
        QCOMPARE(documents.count(), std::int64_t{24});
        QCOMPARE(documents.ids.front(), std::string("100"));
        QCOMPARE(documents.texts.front(), std::string("The cat sat on the mat, it was number 0"));
        QCOMPARE(documents.labels.size(), std::size_t{1});
        QCOMPARE(documents.labels.front().name, std::string("Group"));
        QVERIFY((documents.labels.front().categories == std::vector<std::string>{"cats", "dogs"}));
    }

    /// Whoever works on a cache is not taken away from it.
    void besideAnOpenCacheItIsOffered()
    {
        writeSample();
        openAndLoad(m_cache);
        openDialog(ownTable());
        QSignalSpy opened(m_workbench.get(), &desktop::Workbench::cacheOpened);
        QTest::mouseClick(control<QPushButton>("extractStart"), Qt::LeftButton);
        WAIT_FOR2(m_window->notices().sentence().startsWith(QStringLiteral("Open own-bert_f32.h5 to use it.")),
                  qPrintable(m_window->notices().sentence()));
        test::passMs(1000); // what opens by itself would
        QVERIFY(!m_workbench->isLoading());
        QCOMPARE(opened.count(), 0);
        QCOMPARE(m_window->overview()->path, m_cache.toStdString());
        test::savePictures(*m_window, QStringLiteral("extraction-offered"));
        const auto* button = m_window->findChild<QPushButton*>(QStringLiteral("noticeAct"));
        QCOMPARE(button->text(), QStringLiteral("Open own-bert_f32.h5"));
        click("noticeAct");
        WAIT_COMPARE(opened.count(), 1);
        QCOMPARE(m_window->overview()->documents->count(), std::int64_t{24});
        QCOMPARE(m_window->notices().count(), std::size_t{0});
    }

    void whatIsChosenReachesTheEngineAndTheCommandLine()
    {
        openDialog(ownTable());
        dialog()->documents().setRole(0, ColumnRole::Unused);
        dialog()->documents().setRole(2, ColumnRole::Unused);
        control<QLineEdit>("extractOption-prompt")->setText(QStringLiteral("- it's: "));
        control<QComboBox>("extractOption-pooling")->setCurrentIndex(3); // the first token
        control<QLineEdit>("extractOption-max-tokens")->setText(QStringLiteral("12"));
        control<QLineEdit>("extractOption-limit")->setText(QStringLiteral("5"));
        WAIT_FOR2(dialog()->problem().isEmpty(), qPrintable(dialog()->problem()));
        WAIT_COMPARE(dialog()->documents().preview()->rowsRead, std::int64_t{5});
        QTest::mouseClick(control<QPushButton>("extractCopy"), Qt::LeftButton);
        const QString line = QGuiApplication::clipboard()->text();
        QVERIFY2(line.startsWith(QStringLiteral("headscope extract ")), qPrintable(line));
        QCOMPARE(test::copiedLineFault(line), std::string());
        extract();
        const DocumentSet& documents = *m_window->overview()->documents;
        QCOMPARE(documents.count(), std::int64_t{5});
        QCOMPARE(documents.ids.front(), std::string("0"));
        QVERIFY(documents.labels.empty());
        QVERIFY(documents.flags.front() != 0); // cut to twelve tokens

        // The line does the same in a shell: word for word what the engine was given.
        QString other = line;
        other.replace(QStringLiteral("own-bert_f32.h5"), QStringLiteral("again.h5"));
        other.replace(0, QStringLiteral("headscope").size(),
                      u'\'' + QString::fromStdString(test::program("headscope-engine").string()) + u'\'');
        QProcess shell;
        shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), other});
        QVERIFY(shell.waitForFinished(test::kHangMs));
        QVERIFY2(shell.exitCode() == 0, shell.readAllStandardError().constData());
        JobContext job;
        std::vector<std::shared_ptr<const HeadVectors>> vectors;
        for (const char* name : {"own-bert_f32.h5", "again.h5"})
        {
            const auto reader = CacheReader::open(m_folder.filePath(QLatin1StringView(name)).toStdString());
            HEADSCOPE_VERIFY_OK(reader);
            QCOMPARE((*reader)->info().header.pooling, std::string("first"));
            QCOMPARE((*reader)->info().header.maxTokens, std::int64_t{12});
            const VectorsInfo& found = (*reader)->info().embeddings.front();
            const auto loaded = (*reader)->load(found.layer, found.stage, {}, job);
            HEADSCOPE_VERIFY_OK(loaded);
            vectors.push_back(*loaded);
        }
        QVERIFY(std::ranges::equal(vectors[0]->values(), vectors[1]->values()));
    }

    void cancelledHalfWayAndContinued()
    {
        extractMany();
        const pid_t engine = extraction().engineProcess();
        QVERIFY(test::signal(engine, 0));
        ui::JobStrip& strip = m_window->jobStrip();
        const std::uint64_t id = strip.row(QStringLiteral("extract"))->id();
        QCOMPARE(strip.jobs().job(id)->progress.unit, std::string("documents"));
        QVERIFY(strip.jobs().job(id)->progress.rate > 0 && strip.jobs().job(id)->progress.eta > 0);
        strip.cancel(id);
        QCOMPARE(strip.jobs().job(id)->state, ui::JobState::Stopping);
        WAIT_FOR(!extraction().busy());
        QVERIFY(!test::signal(engine, 0)); // its memory is free
        QCOMPARE(strip.jobs().job(id)->state, ui::JobState::Cancelled);
        QVERIFY2(strip.jobs().job(id)->log.join(u' ').contains(QStringLiteral("the same command continues")),
                 qPrintable(strip.jobs().job(id)->log.join(u'\n')));
        QVERIFY2(m_window->statusText().contains(QStringLiteral("many-bert_f32.h5")),
                 qPrintable(m_window->statusText()));
        QVERIFY(QFileInfo::exists(m_folder.filePath(QStringLiteral("many-bert_f32.h5.shards"))));
        continueMany();
    }

    void aKilledEngineIsToldAndItsPartContinued()
    {
        const auto letDie = [this] {
            QVERIFY(test::signal(extraction().engineProcess(), SIGKILL));
            WAIT_FOR(!extraction().busy());
            QVERIFY2(m_window->welcome().problem().contains(QStringLiteral("SIGKILL")),
                     qPrintable(m_window->welcome().problem()));
            QVERIFY(m_window->jobStrip().logShown());
        };
        const QString kept = QStringLiteral("Finished parts are saved next to many-bert_f32.h5");
        extractMany();
        letDie(); // before the first part was full
        QVERIFY2(!m_window->welcome().problem().contains(kept), qPrintable(m_window->welcome().problem()));
        extractMany();
        m_window->jobStrip().row(QStringLiteral("extract"))->requestCancel(); // a part is written
        WAIT_FOR(!extraction().busy());
        extractMany();
        letDie();
        QVERIFY2(m_window->welcome().problem().contains(kept), qPrintable(m_window->welcome().problem()));
        continueMany();
    }

    /// Neither another cache nor the engines that stay disturb it, nor the other way round.
    void itGoesOnWhateverElseIsDone()
    {
        writeSample();
        extractMany();
        openAndLoad(m_cache);
        QVERIFY(extraction().busy());
        const auto engine = m_workbench->engines().of(model());
        JobContext job;
        HEADSCOPE_VERIFY_OK(engine->ask("tokenize", {{"model", model().toStdString()}, {"text", "one"}}, job));
        QVERIFY(extraction().busy());
        QVERIFY(engine->processId() != extraction().engineProcess());
        m_window->jobStrip().row(QStringLiteral("extract"))->requestCancel();
        WAIT_FOR(!extraction().busy());
        QVERIFY(test::signal(engine->processId(), 0));
        QCOMPARE(m_window->overview()->path, m_cache.toStdString());
    }

    void faultsOfTheFileStandInTheDialog()
    {
        m_workbench->open(model());
        dialog()->setTexts(write("ragged.csv", "Nr,Description\n1,\"a, b\"\n2,x,y\n"));
        WAIT_FOR2(dialog()->problem().contains(QStringLiteral("line 3: expected 2 fields")),
                  qPrintable(dialog()->problem()));
        QVERIFY(!control<QPushButton>("extractStart")->isEnabled());
        QCOMPARE(dialog()->documents().table()->rowCount(), 2);
        dialog()->setTexts(write("empty.jsonl", ""));
        WAIT_FOR2(dialog()->problem().contains(QStringLiteral("at least one document")),
                  qPrintable(dialog()->problem()));
        dialog()->setTexts(write("table.parquet", "PAR1"));
        WAIT_FOR(control<QLabel>("extractColumns")->text().contains(QStringLiteral("Parquet")));
        dialog()->setTexts(ownTable());
        WAIT_FOR2(dialog()->problem().isEmpty(), qPrintable(dialog()->problem()));
        dialog()->reject();
    }

    void defaultsComeFromTheModel()
    {
        openDialog(ownTable());
        WAIT_FOR(!dialog()->modelCard().isEmpty());
        QVERIFY2(control<QLineEdit>("extractOption-max-tokens")
                     ->placeholderText()
                     .endsWith(QStringLiteral(" for this model")),
                 qPrintable(control<QLineEdit>("extractOption-max-tokens")->placeholderText()));
        QCOMPARE(control<QComboBox>("extractOption-pooling")->itemText(0), QStringLiteral("auto: mean for this model"));
        // A model that could be opened is offered the next time.
        dialog()->reject();
        m_workbench->open(ownTable());
        QStringList offered;
        for (const QAction* action : control<QPushButton>("extractModelBrowse")->menu()->actions())
            if (action->data().isValid())
                offered << action->data().toString();
        QVERIFY2(offered.contains(model()), qPrintable(offered.join(u' ')));
        dialog()->reject();
    }

    void downloadedModelsAreFound()
    {
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("MiniLM")));
        QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("fetch.Xa12bC")));
        for (const char* name : {"MiniLM/config.json", "Smol.Q4_1.gguf", "notes.txt"})
        {
            QFile file(folder.filePath(QLatin1StringView(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        QStringList names;
        for (const desktop::ModelPlace& place : desktop::modelsIn(folder.path()))
        {
            names << place.name;
            QVERIFY(QFileInfo::exists(place.path));
        }
        QCOMPARE(names, (QStringList{QStringLiteral("MiniLM"), QStringLiteral("Smol.Q4_1")}));
        QVERIFY(desktop::modelsIn(folder.filePath(QStringLiteral("none"))).isEmpty());
    }

    void rowsAreReadBesideTheWindow()
    {
        QByteArray rows = "Nr,Description,Group\n";
        for (int i = 0; rows.size() < 20'000'000; ++i)
            rows += QByteArray::number(i) + ",some words about number " + QByteArray::number(i) + ",g\n";
        const QString path = write("large.csv", rows);
        m_workbench->open(model());
        dialog()->setTexts(path);
        // Asked for, and on with the window: the rows are not there when the question returns.
        bool isAwaited = false;
        connect(dialog(), &ui::ExtractDialog::previewWanted, this, [this, &isAwaited] {
            isAwaited = dialog()->documents().preview() == nullptr &&
                        dialog()->problem().contains(QStringLiteral("Reading the first rows of large.csv"));
        });
        WAIT_FOR(dialog()->documents().preview() != nullptr);
        QVERIFY(isAwaited);
        QVERIFY(!dialog()->documents().preview()->whole);
        dialog()->reject();
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopExtract)
#include "tst_desktop_extract.moc"
