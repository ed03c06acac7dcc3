// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"
#include "app/desktop/start/workbench.h"
#include "app/views/retrieval/head_mixer.h"
#include "app/views/retrieval/query_row.h"
#include "app/views/retrieval/result_heads.h"
#include "app/views/retrieval/retrieval_controller.h"
#include "app/views/retrieval/retrieval_view.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/app/copied_line.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/app/engine/engine_run.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "ui/models/frame_model.h"
#include "ui/models/roles.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/stage_cards.h"
#include "ui/settings/settings.h"
#include "ui/window/main_window.h"
#include "ui/window/notice_bar.h"
#include "ui/words/wording.h"

#include <nlohmann/json.hpp>

#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

using namespace headscope;
using namespace headscope::desktop;
using Side = ui::RankingModel::Side;

/// The retrieval view with everything behind it: its numbers are those of the verb.
class TestDesktopRetrieval : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    ui::RetrievalView* view() { return m_window->findChild<ui::RetrievalView*>(); }
    std::shared_ptr<const RetrievalComparison> comparison() { return view()->comparison(); }

    void setStrategy(Side side, VotingStrategy strategy)
    {
        QComboBox* box = view()->strategyBox(side);
        box->setCurrentIndex(box->findData(static_cast<int>(strategy)));
    }

    void open(const QString& cache)
    {
        m_workbench->open(cache);
        WAIT_FOR(m_workbench->study().cache().has_value());
        WAIT_FOR(!m_workbench->isLoading());
    }

    /// In a new window that asks this engine.
    void openWithEngine(const QString& cache, const std::filesystem::path& engine)
    {
        cleanup();
        makeWindow({.engine = test::text(engine)});
        open(cache);
        m_window->setView(ui::kRetrievalView);
    }

    /// Opens the cache, chooses a document and asks with it.
    void ask(std::int64_t document)
    {
        open(m_cache);
        m_window->selection().setPrimary(DocumentIndex(document), HeadIndex(0));
        m_window->setView(ui::kRetrievalView);
        WAIT_FOR(comparison() != nullptr);
    }

    nlohmann::json verb(std::vector<std::string> more)
    {
        std::vector<std::string> arguments = {"retrieve", m_cache.toStdString(), "--json", "--layer", "last"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        std::ostringstream out;
        std::ostringstream err;
        if (cli::run(arguments, out, err) != 0)
            qWarning("%s", err.str().c_str());
        return nlohmann::json::parse(out.str());
    }

    static void compareRankings(const RankedDocuments& shown, const nlohmann::json& results)
    {
        QCOMPARE(shown.results.size(), results.size());
        for (std::size_t i = 0; i < results.size(); ++i)
        {
            QCOMPARE(shown.results[i].document.value(), results[i]["document"].get<std::int64_t>());
            QVERIFY(std::abs(shown.results[i].votes - results[i]["votes"].get<double>()) < 1e-12);
            QCOMPARE(shown.results[i].byHead.size(), results[i]["by_head"].size());
        }
    }

    /// A cache of five texts.
    static test::ProcessOutcome extractFive(const QString& model, const QString& cache, const QStringList& more = {})
    {
        QByteArray lines;
        for (const char* text :
             {"the sea is blue", "a train leaves", "nine red apples", "rain in the hills", "old stones"})
            lines += QByteArray("{\"text\": \"") + text + "\"}\n";
        return test::runEngine(QStringList{QStringLiteral("extract"), model, QStringLiteral("-"), QStringLiteral("-o"),
                                           cache, QStringLiteral("--layers"), QStringLiteral("last"),
                                           QStringLiteral("--stages"), QStringLiteral("1,3")} +
                                   more,
                               lines);
    }

private Q_SLOTS:
    void initTestCase()
    {
        test::prepareApplication(*qApp);
        writeSample();
    }

    void init() { makeWindow({}); }

    void cleanup() { dropWindow(); }

    void numbersAreThoseOfTheVerb_data()
    {
        QTest::addColumn<int>("strategy");
        QTest::addColumn<QString>("name");
        QTest::newRow("multirag") << static_cast<int>(VotingStrategy::Multirag) << "multirag";
        QTest::newRow("distance") << static_cast<int>(VotingStrategy::Distance) << "distance";
        QTest::newRow("split") << static_cast<int>(VotingStrategy::SplitWeighted) << "split-weighted";
        QTest::newRow("standard") << static_cast<int>(VotingStrategy::Standard) << "standard";
        QTest::newRow("rrf") << static_cast<int>(VotingStrategy::ReciprocalRank) << "rrf";
    }
    void numbersAreThoseOfTheVerb()
    {
        QFETCH(const int, strategy);
        QFETCH(const QString, name);
        ask(5);
        setStrategy(Side::First, static_cast<VotingStrategy>(strategy));
        WAIT_COMPARE(static_cast<int>(comparison()->first.strategy), strategy);
        const nlohmann::json answer = verb({"--query-document", comparison()->query, "--strategy", name.toStdString()});
        compareRankings(comparison()->first, answer["queries"][0]["results"]);
    }

    /// A zero head voted for the first documents of the file, and a zero document found them.
    void whatHasNoDirectionIsNotRanked()
    {
        CacheContents contents = test::tellingContents();
        auto& vectors = contents.embeddings.front();
        std::vector<float> values(vectors->values().begin(), vectors->values().end());
        for (std::int64_t document = 0; document < test::kDocuments; ++document)
            std::fill_n(values.begin() + (document * test::kHeads + 1) * test::kDims, test::kDims, 0.0F);
        std::fill_n(values.begin() + 5 * test::kHeads * test::kDims, test::kHeads * test::kDims, 0.0F);
        vectors = std::make_shared<const HeadVectors>(vectors->stage(), vectors->layer(), vectors->documents(),
                                                      vectors->heads(), vectors->dims(), std::move(values));
        JobContext job;
        const QString before = std::exchange(m_cache, m_folder.filePath(QStringLiteral("zero.h5")));
        HEADSCOPE_VERIFY_OK(writeCache(m_cache.toStdString(), contents, NumberType::F32, job));
        ask(3);
        const nlohmann::json answer = verb({"--query-document", "d3"});
        m_cache = before;
        compareRankings(comparison()->first, answer["queries"][0]["results"]);
        for (const RetrievedDocument& result : comparison()->first.results)
            QVERIFY(result.document != DocumentIndex(5));
        const QString said = view()->metricsText(Side::First);
        QVERIFY2(said.startsWith(QStringLiteral("Head 2 has no direction for the query and does not vote")) &&
                     said.contains(QStringLiteral("without a direction, which cannot be found")),
                 qPrintable(said));
        m_window->selection().setPrimary(DocumentIndex(5), HeadIndex(0));
        Q_EMIT view()->documentAsked(DocumentIndex(5));
        WAIT_COMPARE(*comparison()->document, DocumentIndex(5));
        QVERIFY(comparison()->first.results.empty());
        QVERIFY2(view()->metricsText(Side::First).startsWith(QStringLiteral("No results. Heads 1-4 have no direction")),
                 qPrintable(view()->metricsText(Side::First)));
    }

    void mutedHeadDoesNotVote()
    {
        ask(7);
        QTest::mouseClick(view()->mixer()->muteButton(2), Qt::LeftButton);
        WAIT_FOR(view()->mixer()->votingCount() == 8);
        const auto hasHead = [this] {
            for (const RetrievedDocument& result : comparison()->first.results)
                for (const HeadVote& vote : result.byHead)
                    if (vote.head == HeadIndex(2))
                        return true;
            return false;
        };
        WAIT_FOR(!hasHead());
        const nlohmann::json answer = verb({"--query-document", comparison()->query, "--mute", "3"});
        compareRankings(comparison()->first, answer["queries"][0]["results"]);
    }

    void clickedResultLightsTheHeadsThatFoundIt()
    {
        ask(3);
        QTableView* table = view()->table(Side::First);
        table->selectRow(1);
        const RetrievedDocument& result = comparison()->first.results[1];
        QCOMPARE(m_window->selection().selection().primary, std::optional(result.document));
        QCOMPARE(m_window->selection().litHeads().size(), result.byHead.size());
        QCOMPARE(*comparison()->document, DocumentIndex(3)); // the query stays
        QTest::keyClick(table, Qt::Key_Return);              // and now it asks
        WAIT_COMPARE(*comparison()->document, result.document);
    }

    void relevantDocumentsAreMeasured()
    {
        const QString file = m_folder.filePath(QStringLiteral("relevant.jsonl"));
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        ask(4);
        const std::string query = comparison()->query;
        const auto& ids = m_window->overview()->documents->ids;
        const std::string found = ids[comparison()->first.results[0].document.index()];
        out.write(QByteArray::fromStdString("{\"id\": \"" + query + "\", \"relevant\": [\"" + found + "\", \"" +
                                            ids[9] + "\"]}\n{\"id\": \"" + ids[2] + "\", \"relevant\": [\"" + ids[11] +
                                            "\"]}\n"));
        out.close();
        m_dialogs.nextPath = file;
        QTest::mouseClick(m_window->findChild<QWidget*>(QStringLiteral("retrievalRelevant")), Qt::LeftButton);
        WAIT_FOR(comparison()->first.measuredQueries == 2);
        QVERIFY(comparison()->first.metrics.has_value());
        const nlohmann::json answer = verb({"--query-document", query, "--relevant", file.toStdString()});
        const auto ratio = answer["metrics"]["success_ratio"].get<std::vector<double>>();
        QCOMPARE(comparison()->first.metrics->successRatio, ratio);
        QVERIFY(ratio.back() > 0); // the first result is relevant
        const QString queries = ui::countText(2, QStringLiteral("query"), QStringLiteral("queries"));
        QVERIFY(view()->metricsText(Side::First).contains(queries));
    }

    void commandLineMakesTheSame()
    {
        ask(6);
        m_window->findChild<QAction*>(QStringLiteral("actionCopyCommand"))->trigger();
        const QString line = QGuiApplication::clipboard()->text();
        QVERIFY2(line.startsWith(QStringLiteral("headscope retrieve ")), qPrintable(line));
        QVERIFY(line.contains(QStringLiteral("--query-document")));
        QCOMPARE(test::copiedLineFault(line), std::string());
        QVERIFY(!line.contains(QStringLiteral("--weights")));
        view()->mixer()->fader(0)->setValue(50);
        m_window->findChild<QAction*>(QStringLiteral("actionCopyCommand"))->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("--weights <(echo '[0.5,1,")));
    }

    void tablesAndPicturesAreWritten_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("begin");
        QTest::newRow("csv") << "r.csv" << QByteArray("query,strategy,rank");
        QTest::newRow("tex") << "r.tex" << QByteArray("% headscope retrieve");
        QTest::newRow("pdf") << "r.pdf" << QByteArray("%PDF");
        QTest::newRow("png") << "r.png" << QByteArray("\x89PNG");
        QTest::newRow("svg") << "r.svg" << QByteArray("<?xml");
    }
    void tablesAndPicturesAreWritten()
    {
        QFETCH(const QString, name);
        QFETCH(const QByteArray, begin);
        ask(2);
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        m_dialogs.nextPath = m_folder.filePath(name);
        m_window->findChild<QAction*>(QStringLiteral("actionSaveView"))->trigger();
        WAIT_COMPARE(saved.count(), 1);
        QFile file(m_dialogs.nextPath);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().startsWith(begin));
    }

    /// Before, the file had the distance of the standard ranking beside real votes, and ranks from 0.
    void theFileHasTheColumnsOfTheScreen()
    {
        ask(2);
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        m_dialogs.nextPath = m_folder.filePath(QStringLiteral("columns.csv"));
        m_window->findChild<QAction*>(QStringLiteral("actionSaveView"))->trigger();
        WAIT_COMPARE(saved.count(), 1);
        QFile file(m_dialogs.nextPath);
        QVERIFY(file.open(QIODevice::ReadOnly | QIODevice::Text));
        const QStringList lines = QString::fromUtf8(file.readAll()).trimmed().split(u'\n');
        const QStringList header = lines.front().trimmed().split(u',');
        const auto at = [&header](const char* name) { return header.indexOf(QLatin1StringView(name)); };
        for (const char* name : {"rank", "id", "votes", "cosine", "moved"})
            QVERIFY2(at(name) >= 0, name);
        qsizetype line = 1;
        for (const Side side : {Side::First, Side::Second})
        {
            using ui::RankingModel;
            const RankingModel& model = *view()->model(side);
            const auto score = model.headerData(RankingModel::VotesColumn, Qt::Horizontal, Qt::DisplayRole).toString();
            for (int row = 0; row < model.rowCount(); ++row, ++line)
            {
                const QStringList cells = lines.at(line).trimmed().split(u',');
                QVERIFY(model.index(row, RankingModel::RankColumn).data().toString().startsWith(cells.at(at("rank"))));
                const QString shown = model.index(row, RankingModel::VotesColumn).data().toString();
                QCOMPARE(QLocale().toString(cells.at(header.indexOf(score.toLower())).toDouble(), 'f', 2), shown);
                QVERIFY(cells.at(at(score == QStringLiteral("Votes") ? "cosine" : "votes")).isEmpty());
                QString moved = model.index(row, RankingModel::MovedColumn).data().toString();
                moved.replace(QStringLiteral("▲ "), QStringLiteral("+"))
                    .replace(QStringLiteral("▼ "), QStringLiteral("-"));
                QCOMPARE(cells.at(at("moved")), moved == QStringLiteral("=") ? QStringLiteral("0") : moved);
            }
        }
        QCOMPARE(line, lines.size());
    }

    void whatCannotBeSavedStandsUntilItIsClosed()
    {
        ask(2);
        m_dialogs.nextPath = m_folder.filePath(QStringLiteral("no-such-folder/r.csv"));
        m_window->findChild<QAction*>(QStringLiteral("actionSaveView"))->trigger();
        WAIT_FOR(m_window->notices().sentence().contains(QStringLiteral("no-such-folder")));
    }

    void copyingSaysWhatWasCopied()
    {
        ask(2);
        m_window->findChild<QAction*>(QStringLiteral("actionCopyView"))->trigger();
        const auto rows = std::ssize(comparison()->first.results) + std::ssize(comparison()->second.results);
        const QString size = ui::countText(rows, QStringLiteral("row"), QStringLiteral("rows"));
        QVERIFY(m_window->statusText().contains(QStringLiteral("Copied: table, %1").arg(size)));
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("query,strategy,rank")));
    }

    void anotherLabelColumnKeepsTheRankings()
    {
        ask(5);
        const auto before = comparison();
        auto* labels = m_window->dataPanel().findChild<QComboBox*>(QStringLiteral("labelBox"));
        labels->setCurrentIndex(labels->count() > 1 ? 1 - labels->currentIndex() : labels->currentIndex());
        waitForCalm();
        QCOMPARE(comparison(), before); // nothing was voted anew
    }

    void anotherStageAsksAgain()
    {
        ask(5);
        const auto before = comparison();
        QTest::mouseClick(m_window->dataPanel().stageCards()->card(Stage::OutputSegment), Qt::LeftButton);
        WAIT_FOR(comparison() != nullptr && comparison() != before);
        QCOMPARE(*comparison()->document, DocumentIndex(5));
    }

    /// The whole way: the engine makes a cache of a small model, and embeds the text that asks.
    void aTextAsksWithTheModelThatMadeTheCache()
    {
        const auto engine = test::program("headscope-engine");
        if (!std::filesystem::exists(engine))
            QSKIP("headscope-engine is not built");
        const QString cache = m_folder.filePath(QStringLiteral("tiny.h5"));
        const auto made = extractFive(test::text(test::golden("models/mistral_f32")), cache);
        QVERIFY2(made.exitCode == 0, made.err.constData());
        openWithEngine(cache, engine);
        QVERIFY(!QTest::currentTestFailed());
        ui::QueryRow* row = view()->queryRow();
        QCOMPARE(row->need(), QString()); // recorded in the cache, and still there
        QTest::keyClicks(row->field(), QStringLiteral("nine red apples"));
        QTest::mouseClick(row->findChild<QPushButton*>(QStringLiteral("queryAsk")), Qt::LeftButton);
        QVERIFY(row->query().contains(QStringLiteral("mistral_f32"))); // what goes on
        WAIT_FOR(comparison() != nullptr);
        QVERIFY(!comparison()->document);
        QCOMPARE(comparison()->second.results.front().document, DocumentIndex(2)); // the same text
        QVERIFY(comparison()->second.results.front().votes < 1e-4);                // its cosine distance
        QVERIFY(row->query().contains(QStringLiteral("nine red apples")));
        // The engine stays, and says what it takes.
        WAIT_FOR(m_window->statusText().contains(QStringLiteral("Engine: ")));
        const auto askNext = [&](const char* text) {
            row->field()->clear();
            QTest::keyClicks(row->field(), QLatin1StringView(text));
            QTest::mouseClick(row->findChild<QPushButton*>(QStringLiteral("queryAsk")), Qt::LeftButton);
        };
        askNext("old stones");
        WAIT_COMPARE(comparison()->second.results.front().document, DocumentIndex(4));
    }

    void aTextIsEmbeddedByTheChangedModel_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("zero") << QStringList{QStringLiteral("--ablate"), QStringLiteral("0:all;1:1-4")};
        QTest::newRow("groups") << QStringList{QStringLiteral("--regroup"), QStringLiteral("1")};
    }

    /// The text of a document is found at distance 0 by the model with the same heads ablated.
    void aTextIsEmbeddedByTheChangedModel()
    {
        const auto engine = test::program("headscope-engine");
        if (!std::filesystem::exists(engine))
            QSKIP("headscope-engine is not built");
        QFETCH(QStringList, options);
        const QString cache =
            m_folder.filePath(QStringLiteral("changed-%1.h5").arg(QLatin1StringView(QTest::currentDataTag())));
        const auto made = extractFive(test::text(test::golden("models/mistral_f32")), cache, options);
        QVERIFY2(made.exitCode == 0, made.err.constData());
        openWithEngine(cache, engine);
        QVERIFY(!QTest::currentTestFailed());
        setStrategy(Side::Second, VotingStrategy::Standard);
        ui::QueryRow* row = view()->queryRow();
        QTest::keyClicks(row->field(), QStringLiteral("nine red apples"));
        QTest::mouseClick(row->findChild<QPushButton*>(QStringLiteral("queryAsk")), Qt::LeftButton);
        WAIT_FOR(comparison() != nullptr && !comparison()->document);
        QCOMPARE(comparison()->second.results.front().document, DocumentIndex(2));
        QVERIFY2(comparison()->second.results.front().votes < 1e-5,
                 qPrintable(QString::number(comparison()->second.results.front().votes)));
    }

    /// Of a result: what each head adds to its cosine with the query, a document or a text; all parts sum to it.
    void whichHeads()
    {
        const auto engine = test::program("headscope-engine");
        if (!std::filesystem::exists(engine))
            QSKIP("headscope-engine is not built");
        const QString cache = m_folder.filePath(QStringLiteral("heads.h5"));
        const auto made = extractFive(test::text(test::golden("models/mistral_f32")), cache);
        QVERIFY2(made.exitCode == 0, made.err.constData());
        openWithEngine(cache, engine);
        QVERIFY(!QTest::currentTestFailed());
        ui::ResultHeads* heads = view()->resultHeads();
        m_window->selection().setPrimary(DocumentIndex(1), HeadIndex(0));
        WAIT_FOR(comparison() != nullptr);
        view()->showHeads();
        QVERIFY(!heads->isFilled() && !heads->text().isEmpty()); // no result is selected
        view()->table(Side::Second)->selectRow(0);
        WAIT_FOR(heads->isFilled());
        const auto* rows = heads->table()->model();
        QCOMPARE(rows->rowCount(), 3 * 8);
        const double cosine = 1 - comparison()->second.results.front().votes;
        QVERIFY2(heads->text().contains(ui::fixedText(cosine).left(5)), qPrintable(heads->text()));
        const auto value = [&](int row) { return rows->index(row, 4).data(ui::SortRole).toDouble(); };
        const auto share = [&](int row) { return rows->index(row, 5).data(ui::SortRole).toDouble(); };
        for (int row = 1; row < rows->rowCount(); ++row)
            QVERIFY(value(row - 1) >= value(row));
        QVERIFY(std::abs(share(0) - value(0) / cosine) < 1e-4);
        heads->table()->selectRow(3);
        QVERIFY(heads->headMeant().has_value());
        if (const QString folder = qEnvironmentVariable("HEADSCOPE_PICTURES"); !folder.isEmpty())
            for (const QSize size : {QSize(1440, 900), QSize(1100, 700)})
            {
                m_window->resize(size);
                m_window->grab().save(QStringLiteral("%1/which-heads-%2.png").arg(folder).arg(size.width()));
            }
        // A text: other results, whose heads are asked for again.
        ui::QueryRow* row = view()->queryRow();
        QTest::keyClicks(row->field(), QStringLiteral("nine red apples"));
        QTest::mouseClick(row->findChild<QPushButton*>(QStringLiteral("queryAsk")), Qt::LeftButton);
        WAIT_FOR(comparison() != nullptr && !comparison()->document);
        QVERIFY(!heads->isFilled());
        m_workbench->findChild<RetrievalController*>()->explain(DocumentIndex(2));
        WAIT_FOR(heads->isFilled());
        QVERIFY2(heads->text().contains(QStringLiteral("1.000")), qPrintable(heads->text())); // the same text
    }

    /// From the click to the ranking, printed, not judged: machines differ.
    void questionsAreFast()
    {
        const auto engine = test::program("headscope-engine");
        const QString model = qEnvironmentVariable("HEADSCOPE_DEMO_MODEL");
        if (!QFileInfo::exists(model) || !std::filesystem::exists(engine))
            QSKIP("the demo model is not here (packaging/fetch_model.sh fetches it)");
        const QString cache = m_folder.filePath(QStringLiteral("demo.h5"));
        const auto made = extractFive(model, cache);
        QVERIFY2(made.exitCode == 0, made.err.constData());
        openWithEngine(cache, engine);
        QVERIFY(!QTest::currentTestFailed());
        ui::QueryRow* row = view()->queryRow();
        std::vector<qint64> times;
        for (const char* text : {"nine red apples", "old stones", "a train leaves", "rain in the hills", "sea and sky",
                                 "who eats apples?"})
        {
            row->field()->clear();
            QTest::keyClicks(row->field(), QLatin1StringView(text));
            QElapsedTimer timer;
            timer.start();
            QTest::mouseClick(row->findChild<QPushButton*>(QStringLiteral("queryAsk")), Qt::LeftButton);
            const auto isShown = [&] { return comparison() != nullptr && comparison()->query == text; };
            WAIT_FOR(isShown());
            times.push_back(timer.elapsed());
        }
        qInfo("the first question, with loading: %lld ms", times.front());
        times.erase(times.begin());
        std::ranges::sort(times);
        qInfo("a question once loaded: median %lld ms, slowest %lld ms", times[times.size() / 2], times.back());
    }

    /// An engine that dies is a sentence; the window stands, and the next question starts another.
    void aDyingEngineIsASentence()
    {
        ask(5);
        const QString path = m_folder.filePath(QStringLiteral("dying.sh"));
        QFile script(path);
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\necho started >> " + m_folder.filePath(QStringLiteral("starts")).toLocal8Bit() +
                     "\necho '{\"protocol\":1,\"version\":\"0\"}'\nread -r line\nkill -9 $$\n");
        script.close();
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QFile model(m_folder.filePath(QStringLiteral("dying.gguf")));
        QVERIFY(model.open(QIODevice::WriteOnly));
        model.close();
        cleanup();
        makeWindow({.engine = path});
        ask(5);
        ui::QueryRow* row = view()->queryRow();
        QTest::keyClicks(row->field(), QStringLiteral("a question"));
        m_dialogs.nextPath = model.fileName();
        QTest::mouseClick(row->findChild<QPushButton*>(QStringLiteral("queryModel")), Qt::LeftButton);
        WAIT_FOR(row->query().contains(QStringLiteral("SIGKILL")));
        QTest::mouseClick(row->findChild<QPushButton*>(QStringLiteral("queryAsk")), Qt::LeftButton);
        const auto starts = [this] {
            QFile file(m_folder.filePath(QStringLiteral("starts")));
            return file.open(QIODevice::ReadOnly) ? file.readAll().count('\n') : 0;
        };
        WAIT_COMPARE(starts(), 2);
        WAIT_FOR(row->query().contains(QStringLiteral("SIGKILL")));
        QVERIFY(!m_window->statusText().contains(QStringLiteral("Engine: ")));
    }

    void textWithoutAnEngineIsASentence()
    {
        ask(5);
        QFile model(m_folder.filePath(QStringLiteral("any.gguf")));
        QVERIFY(model.open(QIODevice::WriteOnly));
        model.close();
        ui::QueryRow* row = view()->queryRow();
        QVERIFY(!row->need().isEmpty()); // which model is wanted
        QTest::keyClicks(row->field(), QStringLiteral("a question"));
        m_dialogs.nextPath = model.fileName();
        QTest::mouseClick(row->findChild<QPushButton*>(QStringLiteral("queryModel")), Qt::LeftButton);
        // What was written is asked at once.
        WAIT_FOR(m_window->notices().sentence().contains(QStringLiteral("headscope-engine")));
        WAIT_FOR(row->query().contains(QStringLiteral("headscope-engine")));
        QCOMPARE(row->need(), QString()); // remembered
    }
};

HEADSCOPE_TEST(TestDesktopRetrieval)
#include "tst_desktop_retrieval.moc"
