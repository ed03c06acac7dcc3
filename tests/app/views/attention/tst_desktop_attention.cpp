// SPDX-License-Identifier: GPL-3.0-or-later
// The attention tab with an engine behind it: what is asked, what is fetched, and what is shown of which cache.
#include "app/desktop/shell/model_memory.h"
#include "app/views/ablation/ablation_controller.h"
#include "app/views/ablation/ablation_panel.h"
#include "app/views/ablation/running_page.h"
#include "app/views/attention/attention_controller.h"
#include "app/views/attention/attention_view.h"
#include "app/views/attention/cell_card.h"
#include "app/views/attention/cell_column.h"
#include "app/views/heads/heads_view.h"
#include "tests/app/copied_line.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/app/engine/engine_run.h"
#include "tests/support/golden_file.h"
#include "tests/support/process.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "ui/window/notice_bar.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QTimer>

#include <sys/types.h>

#include <csignal>
#include <filesystem>

using namespace headscope;
using namespace headscope::desktop;
using namespace headscope::test;

class TestDesktopAttention : public QObject, private DesktopFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { makeWindow({.engine = text(program("headscope-engine"))}); }
    void cleanup() { dropWindow(); }

    void storedRunsAreShownWithoutAModel();
    void aTextIsThatOfTheVerb();
    void weightsAndVectorsComeWhenTheyAreWanted();
    void aDocumentOfTheCache();
    void anEmptyDocumentIsASentence();
    void documentsHaveTheirMenu();
    void headsAndLayersAreThoseOfTheWindow();
    void headsAreSwitchedOff();
    void whatIsOffStaysOffInAnotherText();
    void aChangedCacheIsReadByTheChangedModel();
    void anotherCacheTakesItsPlace();
    void aDyingEngineIsASentence();
    void oneTokenAndScripts();
    void filesAndClipboard_data();
    void filesAndClipboard();
    void workFilesKeepIt();
    void answersAreFast();
    void longTextsLeaveTheWindowFree();

private:
    ui::AttentionView* view() { return m_window->findChild<ui::AttentionView*>(); }
    AttentionRunPtr run() { return view()->run(); }
    [[nodiscard]] QString model(const char* name) const { return text(golden(std::string("models/") + name)); }

    /// A cache of three texts and an empty one by a golden model, all layers.
    /// @param more  options of its extraction
    QString cacheOf(const char* name, const QStringList& more = {})
    {
        const QString cache =
            m_folder.filePath(QLatin1StringView(name) + more.join(QString()).remove(u':') + QStringLiteral(".h5"));
        if (QFileInfo::exists(cache))
            return cache;
        const QByteArray lines = "{\"text\": \"the cat and the dog\"}\n{\"text\": \"nine red apples\"}\n"
                                 "{\"text\": \"old stones\"}\n{\"text\": \"\"}\n";
        const auto made =
            runEngine(QStringList{QStringLiteral("extract"), model(name), QStringLiteral("-"), QStringLiteral("-o"),
                                  cache, QStringLiteral("--layers"), QStringLiteral("all")} +
                          more,
                      lines);
        if (made.exitCode != 0)
            qWarning("%s", made.err.constData());
        return cache;
    }
    /// Opens such a cache with its model known, and brings the tab to the front.
    void openLive(const char* name, const QStringList& more = {})
    {
        rememberModel(*m_settings, QLatin1StringView(name), model(name));
        openAndLoad(cacheOf(name, more));
        m_window->setView(ui::kAttentionView);
    }
    void ask(const QString& words)
    {
        Q_EMIT view()->textAsked(words);
        WAIT_FOR(run() != nullptr && run()->maker == AttentionMaker::Model && run()->text == words.toStdString());
        waitForJobs();
    }
};

void TestDesktopAttention::initTestCase()
{
    prepareApplication(*qApp);
    if (!std::filesystem::exists(program("headscope-engine")))
        QSKIP("headscope-engine is not built");
    writeSample();
}

/// The cache's model is nowhere: what came with the program is there to see, and says what it is.
void TestDesktopAttention::storedRunsAreShownWithoutAModel()
{
    openAndLoad(m_cache);
    QVERIFY(run() == nullptr);
    m_window->setView(ui::kAttentionView);
    WAIT_FOR(run() != nullptr);
    QVERIFY(run()->maker == AttentionMaker::Stored);
    QVERIFY(run()->tokenCount() > 10 && !run()->weights.empty());
    const QString first = QString::fromStdString(run()->storedName);
    QVERIFY(view()->chosen().has_value());
    for (const char* name : {"smollm2-groups", "smollm2-knife", "minilm-groups", "minilm-knife"})
    {
        Q_EMIT view()->storedWanted(QLatin1StringView(name));
        QCOMPARE(run()->storedName, name);
        QVERIFY(!run()->vectors.empty() && !run()->statistics.empty());
        QVERIFY(run()->placeOf(view()->chosen()->layer).has_value());
    }
    QVERIFY(!run()->causal);                                     // all-MiniLM is an encoder
    waitForCalm();                                               // what opening the cache has begun
    Q_EMIT view()->weightsWanted(LayerIndex(0), {HeadIndex(0)}); // has what it has: nothing is started
    QVERIFY(!m_workbench->anyJobRuns());
    QVERIFY(m_window->notices().sentence().isEmpty());
}

void TestDesktopAttention::aTextIsThatOfTheVerb()
{
    openLive("mistral_f32");
    const QString words = QStringLiteral("the dog sat on the mat");
    ask(words);
    const QString file = m_folder.filePath(QStringLiteral("verb.h5"));
    const auto verb =
        runEngine({QStringLiteral("attention"), model("mistral_f32"), words, QStringLiteral("--statistics"),
                   QStringLiteral("--overwrite"), QStringLiteral("-o"), file});
    QVERIFY2(verb.exitCode == 0, verb.err.constData());
    const GoldenFile truth(file.toStdString());
    const auto weights = truth.floats("attention/weights");
    const auto ids = truth.integers("attention/ids");
    QCOMPARE(std::vector<std::int64_t>(run()->ids.begin(), run()->ids.end()), ids);
    QCOMPARE(run()->tokens, truth.strings("attention/tokens"));
    std::vector<float> own;
    for (const LayerIndex layer : run()->layers)
        for (HeadIndex head; head.value() < run()->model.heads; ++head)
        {
            const MatrixF* found = run()->weightsOf(layer, head);
            QVERIFY(found != nullptr);
            own.insert(own.end(), found->values().begin(), found->values().end());
        }
    QCOMPARE(own, weights);
    QCOMPARE(run()->statistics.at("entropy").values(), truth.doubles("statistics/entropy"));
    QVERIFY(!run()->document && run()->causal && run()->seconds > 0);
    QVERIFY(!run()->model.sha256.empty());
    m_window->findChild<QAction*>(QStringLiteral("actionCopyCommand"))->trigger();
    const QString line = QGuiApplication::clipboard()->text();
    QVERIFY2(line.contains(QStringLiteral("attention ")) && line.contains(words), qPrintable(line));
    QCOMPARE(copiedLineFault(line), std::string());
}

/// Of a text that is not short, single heads; of a layer its vectors. Each comes in a copy of the run that is shown.
void TestDesktopAttention::weightsAndVectorsComeWhenTheyAreWanted()
{
    openLive("mistral_f32");
    const QString words = QStringLiteral("the cat and the dog and a mat ").repeated(150).trimmed();
    ask(words);
    QVERIFY(run()->tokenCount() > 1000);
    QCOMPARE(run()->thumbnailSide, kThumbnailSide);
    const AttentionRunPtr first = run();
    QVERIFY(first->weightsOf(LayerIndex(1), HeadIndex(2)) == nullptr || !first->weights.empty());
    Q_EMIT view()->weightsWanted(LayerIndex(1), {HeadIndex(2), HeadIndex(5)});
    Q_EMIT view()->vectorsWanted(LayerIndex(2));
    Q_EMIT view()->weightsWanted(LayerIndex(0), {HeadIndex(0)});
    WAIT_FOR(run()->weightsOf(LayerIndex(1), HeadIndex(2)) != nullptr &&
             run()->weightsOf(LayerIndex(1), HeadIndex(5)) != nullptr &&
             run()->weightsOf(LayerIndex(0), HeadIndex(0)) != nullptr && run()->vectorsOf(LayerIndex(2)) != nullptr);
    QCOMPARE(run()->origin, first->origin);
    QCOMPARE(run()->thumbnails.values(), first->thumbnails.values());
    const MatrixF& rows = *run()->weightsOf(LayerIndex(1), HeadIndex(2));
    QCOMPARE(rows.rows(), run()->tokenCount());
    for (const std::int64_t row : {std::int64_t{0}, std::int64_t{500}, rows.rows() - 1})
    {
        double sum = 0;
        for (const float weight : rows.row(row))
            sum += static_cast<double>(weight);
        QVERIFY(std::abs(sum - 1) < 1e-5);
    }
    const LayerVectors& vectors = *run()->vectorsOf(LayerIndex(2));
    QCOMPARE(vectors.q.cols(), run()->model.heads * run()->model.headDim);
    QCOMPARE(vectors.k.cols(), run()->model.kvHeads * run()->model.headDim);
    QVERIFY(m_window->notices().sentence().isEmpty());
}

void TestDesktopAttention::aDocumentOfTheCache()
{
    openLive("qwen3_f32");
    m_window->selection().setPrimary(DocumentIndex(1));
    m_window->setView(ui::kMapView);
    QAction* const command = action("actionAttentionOfDocument");
    QVERIFY(command != nullptr && command->isEnabled());
    command->trigger();
    QCOMPARE(m_window->view(), ui::kAttentionView);
    WAIT_FOR(run() != nullptr && run()->document == std::optional(DocumentIndex(1)));
    QCOMPARE(run()->text, "nine red apples");
    QCOMPARE(view()->text(), QStringLiteral("nine red apples"));
    QCOMPARE(run()->documentOrigin, m_workbench->study().origin());
    // Without the model, the tab says what is needed.
    m_settings->setList(ui::SettingKey::KnownModels, {});
    openAndLoad(m_cache);
    WAIT_FOR(run() != nullptr && run()->maker == AttentionMaker::Stored);
    m_workbench->attention().askDocument(DocumentIndex(0));
    const std::string& words = m_workbench->study().cache()->overview->documents->texts.front();
    QCOMPARE(view()->text(), QString::fromStdString(words));
    QVERIFY(!m_workbench->attention().busy());
    const auto* wrong = m_window->findChild<QLabel*>(QStringLiteral("attentionWrong"));
    QVERIFY(wrong != nullptr && wrong->text().contains(QStringLiteral("open the model of this cache")));
}

/// Nothing is asked of the engine, which would refuse a question without a text in words of its protocol.
void TestDesktopAttention::anEmptyDocumentIsASentence()
{
    openLive("qwen3_f32");
    ask(QStringLiteral("old stones"));
    m_workbench->attention().askDocument(DocumentIndex(3));
    const auto* wrong = m_window->findChild<QLabel*>(QStringLiteral("attentionWrong"));
    QCOMPARE(wrong->text(), QStringLiteral("This document is empty: there is no attention."));
    QVERIFY(!m_workbench->attention().busy() && m_window->notices().sentence().isEmpty());
    QVERIFY(run() == nullptr && view()->text().isEmpty()); // no attention of another text below it
    m_workbench->attention().askDocument(DocumentIndex(2));
    WAIT_FOR(run() != nullptr && run()->document == std::optional(DocumentIndex(2)));
    QVERIFY(wrong->text().isEmpty());
}

/// The same menu by a right click on a row of a list, and on whatever shows the document under the pointer.
void TestDesktopAttention::documentsHaveTheirMenu()
{
    openLive("mistral_f32");
    const auto menu = [this](QWidget* widget, QPoint at, QContextMenuEvent::Reason reason) {
        delete m_window->findChild<QMenu*>(QStringLiteral("documentMenu"));
        QContextMenuEvent event(reason, at, widget->mapToGlobal(at));
        QApplication::sendEvent(widget, &event);
        return m_window->findChild<QMenu*>(QStringLiteral("documentMenu"));
    };
    m_window->setView(ui::kMapView);
    QVERIFY(menu(m_window->centralWidget(), {5, 5}, QContextMenuEvent::Mouse) == nullptr); // nothing is there
    m_window->selection().setHovered(DocumentIndex(2));
    QMenu* const shown = menu(m_window->centralWidget(), {5, 5}, QContextMenuEvent::Mouse);
    QVERIFY(shown != nullptr);
    QCOMPARE(shown->actions().size(), 3);
    QCOMPARE(shown->actions()[1]->text(), QStringLiteral("Attention of this document"));
    QVERIFY(shown->actions()[1]->isEnabled());
    shown->actions()[1]->trigger();
    shown->close();
    WAIT_FOR(run() != nullptr && run()->document == std::optional(DocumentIndex(2)));
    // A row of a list: the nearest documents of the one that is shown.
    m_window->selection().setHovered({});
    m_window->selection().showDocument(DocumentIndex(0));
    auto* const list = m_window->findChild<QTableView*>(QStringLiteral("nearestFullTable"));
    WAIT_FOR(list != nullptr && list->model()->rowCount() > 1 && list->isVisible());
    waitForCalm(); // that list may be of the document before, and another follows
    WAIT_FOR(list->model()->rowCount() > 1);
    const QPoint at = list->visualRect(list->model()->index(0, 0)).center();
    QMenu* const ofRow = menu(list->viewport(), at, QContextMenuEvent::Mouse);
    QVERIFY(ofRow != nullptr);
    ofRow->actions()[0]->trigger();
    ofRow->close();
    QVERIFY(m_window->selection().selection().primary != std::optional(DocumentIndex(0)));
    // By the key: the document that the keys went to, and not one that was clicked before.
    m_window->views().setFocus();
    m_window->selection().setHovered(DocumentIndex(1));
    QMenu* const byKey = menu(m_window->centralWidget(), {5, 5}, QContextMenuEvent::Keyboard);
    QVERIFY(byKey != nullptr);
    const QString ofDocument = byKey->actions()[0]->text();
    byKey->close();
    m_window->selection().setHovered({});
    QMenu* const without = menu(m_window->centralWidget(), {5, 5}, QContextMenuEvent::Keyboard);
    if (without != nullptr) // the card of a head is left
        for (const QAction* action : without->actions())
            QVERIFY(action->text() != ofDocument);
}

void TestDesktopAttention::headsAndLayersAreThoseOfTheWindow()
{
    openLive("mistral_f32");
    ask(QStringLiteral("the cat sat"));
    QCOMPARE(view()->chosen()->layer, m_workbench->study().layer());
    m_window->choices().setLayer(LayerIndex(1));
    QCOMPARE(view()->chosen()->layer, LayerIndex(1));
    m_window->selection().setLitHeads({4});
    QCOMPARE(view()->chosen()->head, HeadIndex(4));
    m_window->selection().setLitHeads({1, 2}); // several: none of them alone
    QCOMPARE(view()->chosen()->head, HeadIndex(4));
    Q_EMIT view()->layerHeadChosen(LayerIndex(0), HeadIndex(6));
    QCOMPARE(m_workbench->study().layer(), LayerIndex(0));
    QCOMPARE(m_window->selection().litHeads(), (std::vector<std::int64_t>{6}));
    // A stored run of another model leaves the window as it is.
    Q_EMIT view()->storedWanted(QStringLiteral("smollm2-groups"));
    QCOMPARE(run()->model.layers, std::int64_t(30));
    Q_EMIT view()->layerHeadChosen(LayerIndex(2), HeadIndex(0));
    QCOMPARE(m_workbench->study().layer(), LayerIndex(0));
}

void TestDesktopAttention::headsAreSwitchedOff()
{
    openLive("llama_mha");
    ask(QStringLiteral("the cat sat on the mat"));
    const AttentionRunPtr before = run();
    Q_EMIT view()->switchOffWanted(LayerIndex(0), {HeadIndex(1), HeadIndex(0)});
    WAIT_FOR(run() != before && !run()->model.changes.ablated.empty());
    QCOMPARE(run()->model.changes.ablated, "0:1-2");
    QVERIFY(run()->origin != before->origin);
    QVERIFY(*run()->weightsOf(LayerIndex(0), HeadIndex(1)) == *before->weightsOf(LayerIndex(0), HeadIndex(1)));
    QVERIFY(*run()->weightsOf(LayerIndex(1), HeadIndex(0)) != *before->weightsOf(LayerIndex(1), HeadIndex(0)));
    Q_EMIT view()->switchOffWanted(LayerIndex(0), {});
    QCOMPARE(run(), before);
    // By the buttons; from there to the documents that move.
    view()->setCell(TokenIndex(3), TokenIndex(1));
    auto* const off = m_window->findChild<QPushButton*>(QStringLiteral("attentionHeadOff"));
    auto* const moved = m_window->findChild<QPushButton*>(QStringLiteral("attentionMoved"));
    QVERIFY(off->isVisible() && off->isEnabled() && !moved->isVisible());
    const auto place = *view()->chosen();
    const auto rows = [this] { return view()->numbers()->card()->rows().size(); };
    WAIT_COMPARE(rows(), 7); // with the vectors
    off->click();
    WAIT_FOR(run() != before && !run()->model.changes.ablated.empty());
    QVERIFY(off->isChecked() && moved->isVisible());
    QCOMPARE(off->text(), QStringLiteral("Restore"));
    WAIT_COMPARE(rows(), 7); // the same cell is compared
    off->click();            // on again
    WAIT_COMPARE(run()->origin, before->origin);
    QVERIFY(!off->isChecked() && !moved->isVisible());
    QCOMPARE(off->text(), QStringLiteral("Ablate"));
    off->click();
    WAIT_FOR(run() != before && moved->isVisible());
    QSignalSpy ended(&m_workbench->ablation(), &headscope::desktop::AblationController::switchedOff);
    moved->click();
    QCOMPARE(m_window->view(), ui::kHeadsView);
    WAIT_COMPARE(ended.count(), 1);
    const auto result = m_workbench->ablation().page().switchOff()->result();
    QVERIFY(result != nullptr);
    QCOMPARE(result->layer, place.layer.value());
    QCOMPARE(result->heads, std::vector<std::int64_t>{place.head.value()});
}

void TestDesktopAttention::whatIsOffStaysOffInAnotherText()
{
    openLive("llama_mha");
    ask(QStringLiteral("the cat sat on the mat"));
    Q_EMIT view()->switchOffWanted(LayerIndex(0), {HeadIndex(1)});
    WAIT_FOR(!run()->model.changes.ablated.empty());
    Q_EMIT view()->textAsked(QStringLiteral("nine red apples"));
    WAIT_FOR(run()->text == "nine red apples" && !run()->model.changes.ablated.empty());
    QCOMPARE(run()->model.changes.ablated, "0:2");
    Q_EMIT view()->switchOffWanted(LayerIndex(0), {});
    WAIT_FOR(run()->model.changes.ablated.empty());
    QCOMPARE(run()->text, "nine red apples");
    // And what is on stays on.
    Q_EMIT view()->textAsked(QStringLiteral("old stones"));
    WAIT_FOR(run()->text == "old stones");
    waitForJobs();
    QVERIFY(run()->model.changes.ablated.empty());
}

/// The heads that are ablated in a cache are ablated in every run for it.
void TestDesktopAttention::aChangedCacheIsReadByTheChangedModel()
{
    openLive("llama_mha", {QStringLiteral("--ablate"), QStringLiteral("0:1")});
    ask(QStringLiteral("the cat sat on the mat"));
    const AttentionRunPtr before = run();
    QCOMPARE(before->model.changes.ablated, "0:1");
    Q_EMIT view()->switchOffWanted(LayerIndex(0), {HeadIndex(2)});
    WAIT_FOR(run() != before);
    QCOMPARE(run()->model.changes.ablated, "0:1,3");
    Q_EMIT view()->switchOffWanted(LayerIndex(0), {});
    QCOMPARE(run(), before);
}

/// What belongs to a cache goes with it; an answer that comes later is dropped.
void TestDesktopAttention::anotherCacheTakesItsPlace()
{
    openLive("mistral_f32");
    ask(QStringLiteral("the cat sat"));
    m_workbench->attention().askDocument(DocumentIndex(0));
    openAndLoad(m_cache);
    QVERIFY(run() == nullptr || run()->maker == AttentionMaker::Stored);
    waitForJobs();
    QVERIFY(run() == nullptr || run()->maker == AttentionMaker::Stored);
    QVERIFY(view()->text().isEmpty() || run() != nullptr);
}

/// An engine that dies is a sentence in the tab, and the next question starts another.
void TestDesktopAttention::aDyingEngineIsASentence()
{
    openLive("mistral_f32");
    ask(QStringLiteral("the cat sat"));
    const auto engine = m_workbench->engines().of(model("mistral_f32"));
    const pid_t first = engine->processId();
    QVERIFY(first > 0);
    QVERIFY(test::signal(first, SIGSTOP)); // it does not answer
    Q_EMIT view()->textAsked(QStringLiteral("the dog sat"));
    QVERIFY(m_workbench->anyJobRuns());
    WAIT_FOR(engine->isAsked()); // killed before, it would be started again and nothing were to be told
    QVERIFY(test::signal(first, SIGKILL));
    WAIT_FOR(!m_workbench->anyJobRuns());
    WAIT_FOR(m_window->notices().sentence().contains(QStringLiteral("SIGKILL")));
    QCOMPARE(run()->text, "the cat sat"); // what was there stays
    ask(QStringLiteral("the dog sat"));
    QVERIFY(engine->processId() > 0 && engine->processId() != first);
}

void TestDesktopAttention::oneTokenAndScripts()
{
    openLive("qwen2_f32"); // adds no token of its own
    ask(QStringLiteral("a"));
    QCOMPARE(run()->tokenCount(), std::int64_t(1));
    QCOMPARE((*run()->weightsOf(LayerIndex(0), HeadIndex(0)))(0, 0), 1.0F);
    for (const char* words : {"שלום עולם", "a 🦀 b", "日本語のテキスト"})
    {
        ask(QString::fromUtf8(words));
        QCOMPARE(run()->tokens.size(), run()->ids.size());
    }
}

void TestDesktopAttention::filesAndClipboard_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("begin");
    QTest::newRow("csv") << "a.csv" << QByteArray("layer,head,query,token,");
    QTest::newRow("pdf") << "a.pdf" << QByteArray("%PDF");
    QTest::newRow("png") << "a.png" << QByteArray("\x89PNG");
    QTest::newRow("svg") << "a.svg" << QByteArray("<?xml");
}

void TestDesktopAttention::filesAndClipboard()
{
    QFETCH(const QString, name);
    QFETCH(const QByteArray, begin);
    openLive("mistral_f32");
    ask(QStringLiteral("the cat sat"));
    QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
    m_dialogs.nextPath = m_folder.filePath(name);
    action("actionSaveView")->trigger();
    WAIT_COMPARE(saved.count(), 1);
    QFile file(m_dialogs.nextPath);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QVERIFY2(bytes.startsWith(begin), bytes.left(60).constData());
    if (!name.endsWith(QStringLiteral(".csv")))
        return;
    const auto lines = QString::fromUtf8(bytes).trimmed().split(u'\n');
    QCOMPARE(lines.size(), 1 + run()->tokenCount());
    const auto place = *view()->chosen();
    const auto last = lines.back().split(u',');
    QCOMPARE(last[0].toInt(), static_cast<int>(place.layer.value()));
    QCOMPARE(last[1].toInt(), static_cast<int>(place.head.value()) + 1);
    const MatrixF& weights = *run()->weightsOf(place.layer, place.head);
    QCOMPARE(last.back().toFloat(), weights(weights.rows() - 1, weights.cols() - 1));
    action("actionCopyView")->trigger();
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("query")));
}

void TestDesktopAttention::workFilesKeepIt()
{
    openLive("mistral_f32");
    ask(QStringLiteral("the cat sat on the mat"));
    view()->setChosen(LayerIndex(1), HeadIndex(5));
    view()->setPinned({{LayerIndex(0), HeadIndex(2)}});
    view()->setCell(TokenIndex(3), TokenIndex(1));
    QJsonObject state;
    m_workbench->attention().saveState(state);
    ask(QStringLiteral("old stones"));
    m_workbench->attention().restoreState(state);
    WAIT_FOR(run() != nullptr && run()->text == "the cat sat on the mat");
    QCOMPARE(*view()->chosen(), (ui::AttentionHead{LayerIndex(1), HeadIndex(5)}));
    QCOMPARE(view()->pinned(), (std::vector<ui::AttentionHead>{{LayerIndex(0), HeadIndex(2)}}));
    QCOMPARE(view()->figure().reading, std::optional(TokenIndex(3)));
    QCOMPARE(view()->figure().read, std::optional(TokenIndex(1)));
    QJsonObject again;
    m_workbench->attention().saveState(again);
    QCOMPARE(again, state);
    // A document by its id; and what anyone may have written does no harm.
    m_workbench->attention().askDocument(DocumentIndex(1));
    WAIT_FOR(run() != nullptr && run()->document == std::optional(DocumentIndex(1)));
    QJsonObject document;
    m_workbench->attention().saveState(document);
    for (const char* broken : {R"({"attention": 7})", R"({"attention": {"document": "nobody"}})",
                               R"({"attention": {"text": "a", "chosen": {"layer": 99, "head": -1}, "reading": 1e9}})",
                               R"({"attention": {"stored": "../../etc/passwd"}})"})
    {
        m_workbench->attention().restoreState(QJsonDocument::fromJson(broken).object());
        waitForJobs();
    }
    m_workbench->attention().restoreState(document);
    WAIT_FOR(run() != nullptr && run()->document == std::optional(DocumentIndex(1)));
}

/// From Return to the run on the screen, printed, not judged: machines differ.
void TestDesktopAttention::answersAreFast()
{
    const QString demo = qEnvironmentVariable("HEADSCOPE_DEMO_MODEL");
    if (!QFileInfo::exists(demo))
        QSKIP("the demo model is not here (packaging/fetch_model.sh fetches it)");
    m_settings->setNumber(ui::SettingKey::Threads, 2);
    rememberModel(*m_settings, QStringLiteral("SmolLM2-135M-Instruct.Q4_1"), demo);
    openAndLoad(text(source("resources/demo/demo-cache.h5")));
    m_window->setView(ui::kAttentionView);
    std::vector<qint64> times;
    for (int round = 0; round < 6; ++round)
    {
        const QString words =
            QString::number(round) + QStringLiteral(" quick brown foxes jump over the lazy dog and run").repeated(7);
        QElapsedTimer timer;
        timer.start();
        Q_EMIT view()->textAsked(words);
        const auto isShown = [&] { return run() != nullptr && run()->text == words.toStdString(); };
        WAIT_FOR(isShown());
        view()->repaint();
        times.push_back(timer.elapsed());
    }
    qInfo("%d tokens; the first text, with loading: %lld ms", static_cast<int>(run()->tokenCount()), times.front());
    times.erase(times.begin());
    std::ranges::sort(times);
    qInfo("a text once loaded: median %lld ms, slowest %lld ms", times[times.size() / 2], times.back());
}

/// 4,096 tokens through the demo model: the window answers all the while.
void TestDesktopAttention::longTextsLeaveTheWindowFree()
{
    const QString demo = qEnvironmentVariable("HEADSCOPE_DEMO_MODEL");
    if (!QFileInfo::exists(demo))
        QSKIP("the demo model is not here (packaging/fetch_model.sh fetches it)");
    if (!qEnvironmentVariableIsSet("HEADSCOPE_LONG_TEXTS"))
        QSKIP("takes a minute and prints times: HEADSCOPE_LONG_TEXTS asks for it");
    m_settings->setNumber(ui::SettingKey::Threads, 2);
    rememberModel(*m_settings, QStringLiteral("SmolLM2-135M-Instruct.Q4_1"), demo);
    openAndLoad(text(source("resources/demo/demo-cache.h5")));
    m_window->setView(ui::kAttentionView);
    const QString words = QStringLiteral("quick brown foxes jump over the lazy dogs. ").repeated(455);
    QElapsedTimer timer;
    QElapsedTimer sinceTick;
    qint64 longest = 0;
    QTimer ticks;
    connect(&ticks, &QTimer::timeout, this, [&] { longest = std::max(longest, sinceTick.restart()); });
    timer.start();
    sinceTick.start();
    ticks.start(5);
    Q_EMIT view()->textAsked(words);
    WAIT_FOR(run() != nullptr && run()->maker == AttentionMaker::Model && run()->tokenCount() > 4'000);
    const qint64 shown = timer.elapsed();
    WAIT_FOR(run()->weightsOf(view()->chosen()->layer, view()->chosen()->head) != nullptr);
    const qint64 all = timer.elapsed();
    view()->setCell(TokenIndex(4'000), TokenIndex(3'990));
    waitForCalm();
    ticks.stop();
    qInfo("%d tokens: thumbnails after %lld ms, the chosen head's weights after %lld ms; the window was busy for %lld "
          "ms at "
          "most",
          static_cast<int>(run()->tokenCount()), shown, all, longest);
    if (const QString folder = qEnvironmentVariable("HEADSCOPE_PICTURES"); !folder.isEmpty())
        m_window->grab().save(folder + QStringLiteral("/attention-4096.png"));
}

HEADSCOPE_TEST(TestDesktopAttention)
#include "tst_desktop_attention.moc"
