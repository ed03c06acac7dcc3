// SPDX-License-Identifier: GPL-3.0-or-later
// One head over the documents of a cache, through the window: asked of the built engine, kept, mapped, shown.
#include "app/desktop/shell/model_memory.h"
#include "app/views/head_corpus/example_list.h"
#include "app/views/head_corpus/head_corpus_controller.h"
#include "app/views/head_corpus/head_corpus_view.h"
#include "app/views/head_corpus/token_canvas.h"
#include "model/io/results/attention/head_corpus_file.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/app/engine/engine_run.h"
#include "tests/support/test_paths.h"
#include "tests/support/unseen_change.h"
#include "tests/support/waiting.h"
#include "ui/jobs/job_strip.h"
#include "ui/panels/document/inspector.h"
#include "ui/widgets/widgets.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QSpinBox>

#include <filesystem>

using namespace headscope;

class TestDesktopHeadCorpus : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    static QString model() { return test::text(test::golden("models/mistral_f32")); }

    /// A cache of the small model, and one of other documents.
    void makeCache(const QString& name, int documents, int lines)
    {
        QByteArray rows;
        for (int i = 0; i < documents; ++i)
        {
            QByteArray text = "The cat " + QByteArray::number(i);
            for (int k = 0; k < (lines > 0 ? lines : i % 9); ++k)
                text += " sat on a mat and saw the dog";
            rows += "{\"id\": \"d" + QByteArray::number(i) + "\", \"text\": \"" + text + "\", \"topic\": \"" +
                    (i % 2 == 0 ? "cats" : "dogs") + "\"}\n";
        }
        const QString texts = m_folder.filePath(name + QStringLiteral(".jsonl"));
        QFile file(texts);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(rows) == rows.size());
        file.close();
        const auto made = test::runEngine(
            {QStringLiteral("extract"), model(), texts, QStringLiteral("-o"), path(name), QStringLiteral("--layers"),
             QStringLiteral("all"), QStringLiteral("--stages"), QStringLiteral("1"), QStringLiteral("--overwrite")});
        QVERIFY2(made.exitCode == 0, made.err.constData());
    }
    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name + QStringLiteral(".h5")); }

    desktop::HeadCorpusController& controller() { return *m_workbench->findChild<desktop::HeadCorpusController*>(); }
    ui::HeadCorpusView& view() { return controller().view(); }
    template <class T>
    T* find(const char* name)
    {
        return view().findChild<T*>(QLatin1StringView(name));
    }
    void openHeadTab(const QString& cache)
    {
        desktop::rememberModel(*m_settings, QStringLiteral("mistral_f32"), model());
        openAndLoad(path(cache));
        m_window->setView(ui::kHeadCorpusView);
    }
    void watch()
    {
        click("headCorpusRun");
        WAIT_FOR(view().corpus() != nullptr);
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!std::filesystem::exists(test::program("headscope-engine")))
            QSKIP("headscope-engine is not built");
        makeCache(QStringLiteral("c"), 40, 0);
        makeCache(QStringLiteral("other"), 12, 0);
        makeCache(QStringLiteral("long"), 3000, 8);
    }
    void init()
    {
        makeWindow({.engine = test::text(test::program("headscope-engine"))});
        controller().setHome(m_folder.filePath(QStringLiteral("home")).toStdString());
    }
    void cleanup()
    {
        dropWindow();
        for (const QString& name : QDir(m_folder.path()).entryList({QStringLiteral("*.head-*")}, QDir::Files))
            QFile::remove(m_folder.filePath(name));
    }

    void fromAClickToTheMaps();
    void whatIsKeptIsThereAtOnce();
    void damagedAnswersAreSaid();
    void theModelIsAskedFor();
    void textsOfAFile();
    void stoppedAndGoneOn();
    void anotherCacheOpensMeanwhile();
    void savedAndCopied();
};

void TestDesktopHeadCorpus::fromAClickToTheMaps()
{
    openHeadTab(QStringLiteral("c"));
    QVERIFY(view().emptyState()->title().contains(QStringLiteral("No activations for")));
    QVERIFY(view().emptyState()->text().replace(QChar::Nbsp, u' ').contains(QStringLiteral("40 documents")));
    QCOMPARE(view().layer(), m_workbench->study().layer());
    watch();
    const HeadCorpusPtr corpus = view().corpus();
    QCOMPARE(corpus->documentCount(), 40);
    QCOMPARE(corpus->source.head, view().head());
    QCOMPARE(corpus->origin, m_workbench->study().origin());
    QVERIFY(QFile::exists(path(QStringLiteral("c")) + QStringLiteral(".head-2-1")));
    // The map comes by itself, at its last iteration in the end.
    WAIT_FOR(view().canvas()->map() != nullptr && view().canvas()->map()->iteration == 750);
    QCOMPARE(view().canvas()->map()->kind, TokenMapKind::QueriesAndKeys);
    const std::int64_t tokens = std::min<std::int64_t>(2000, std::ssize(corpus->sampled));
    QCOMPARE(view().canvas()->map()->pointCount(), 2 * tokens);
    click("mapOutputs");
    WAIT_FOR(view().canvas()->map() != nullptr && view().canvas()->map()->iteration == 750);
    QCOMPARE(view().canvas()->map()->pointCount(), tokens);
    // A click leads to the document.
    view().examples()->setCurrentIndex(view().examples()->examples()->index(0, 0));
    QTest::keyClick(view().examples(), Qt::Key_Return);
    QCOMPARE(hub().selection().primary, std::optional(corpus->placeOf(corpus->top[0].token).document));
    // Labels of the cache colour the tokens.
    QVERIFY(find<QComboBox>("tokenColors")->findText(QStringLiteral("by topic")) >= 0);
    test::savePictures(*m_window, QStringLiteral("window-head"));
}

void TestDesktopHeadCorpus::whatIsKeptIsThereAtOnce()
{
    openHeadTab(QStringLiteral("c"));
    find<QSpinBox>("headCorpusHead")->setValue(3);
    watch();
    const auto first = view().corpus();
    find<QSpinBox>("headCorpusHead")->setValue(4);
    QCOMPARE(view().corpus(), nullptr);
    QVERIFY(view().emptyState()->title().contains(QStringLiteral("head 4")));
    find<QSpinBox>("headCorpusHead")->setValue(3);
    WAIT_FOR(view().corpus() != nullptr);
    QCOMPARE(view().corpus()->activations, first->activations);
    // The head that is chosen alone at the left is the one that is asked for.
    m_workbench->study().choices().setHeads({6});
    QCOMPARE(view().head(), HeadIndex(6));
    QCOMPARE(view().corpus(), nullptr);
    m_workbench->study().choices().chooseAllHeads();
    QCOMPARE(view().head(), HeadIndex(6));
    // And the one that is clicked in another view, as one that is chosen here is that of all views.
    hub().setLitHeads({1});
    QCOMPARE(view().head(), HeadIndex(1));
    find<QSpinBox>("headCorpusHead")->setValue(5);
    QCOMPARE(hub().litHeads(), std::vector<std::int64_t>{4});
    // Another cache has nothing kept.
    openAndLoad(path(QStringLiteral("other")));
    QCOMPARE(view().corpus(), nullptr);
    QVERIFY(view().emptyState()->text().replace(QChar::Nbsp, u' ').contains(QStringLiteral("12 documents")));
}

void TestDesktopHeadCorpus::damagedAnswersAreSaid()
{
    openHeadTab(QStringLiteral("c"));
    watch();
    WAIT_FOR(!m_workbench->anyJobRuns());
    const QString kept = path(QStringLiteral("c")) + QStringLiteral(".head-2-1");
    std::string bytes = test::contents(kept.toStdString());
    bytes[bytes.size() / 2] ^= 0x10;
    test::writeFile(kept.toStdString(), bytes);
    find<QSpinBox>("headCorpusHead")->setValue(2);
    find<QSpinBox>("headCorpusHead")->setValue(1);
    WAIT_FOR(view().emptyState()->text().replace(QChar::Nbsp, u' ').contains(QStringLiteral("head-2-1")));
    QCOMPARE(view().corpus(), nullptr);
    // Of other documents, under the name of these.
    find<QSpinBox>("headCorpusHead")->setValue(2);
    openAndLoad(path(QStringLiteral("other")));
    watch();
    const QString others = path(QStringLiteral("other")) + QStringLiteral(".head-2-1");
    QVERIFY(QFile::exists(others));
    QFile::remove(kept);
    QVERIFY(QFile::copy(others, kept));
    openAndLoad(path(QStringLiteral("c")));
    find<QSpinBox>("headCorpusHead")->setValue(2);
    find<QSpinBox>("headCorpusHead")->setValue(1);
    WAIT_FOR2(
        view().emptyState()->text().replace(QChar::Nbsp, u' ').contains(QStringLiteral("documents of the open cache")),
        qPrintable(view().emptyState()->text()));
    watch(); // made anew in its place
}

void TestDesktopHeadCorpus::theModelIsAskedFor()
{
    openAndLoad(path(QStringLiteral("c")));
    m_window->setView(ui::kHeadCorpusView);
    if (!view().emptyState()->text().replace(QChar::Nbsp, u' ').contains(QStringLiteral("This needs the model")))
        QSKIP("the model stands where the cache says");
    m_dialogs.nextPath = model();
    click("headCorpusRun");
    WAIT_FOR(view().corpus() != nullptr);
}

void TestDesktopHeadCorpus::textsOfAFile()
{
    openHeadTab(QStringLiteral("c"));
    m_dialogs.nextPath = m_folder.filePath(QStringLiteral("other.jsonl"));
    auto* source = find<QComboBox>("headCorpusTexts");
    source->setCurrentIndex(1);
    Q_EMIT source->activated(1);
    QCOMPARE(view().corpusChoice(), ui::CorpusChoice::File);
    QVERIFY(view().emptyState()->text().replace(QChar::Nbsp, u' ').contains(QStringLiteral("other.jsonl")));
    watch();
    QCOMPARE(view().corpus()->documentCount(), 12);
    QVERIFY(view().corpus()->source.cacheIdentity.empty());
    // Its documents are none of the cache: nothing is chosen by a click.
    view().examples()->setCurrentIndex(view().examples()->examples()->index(0, 0));
    QTest::keyClick(view().examples(), Qt::Key_Return);
    QVERIFY(!hub().selection().primary);
    QCOMPARE(find<QComboBox>("tokenColors")->findText(QStringLiteral("by topic")), -1);
    // Kept for these texts: under the same name there may be others.
    const auto again = [this] {
        find<QSpinBox>("headCorpusHead")->setValue(2);
        find<QSpinBox>("headCorpusHead")->setValue(1);
    };
    WAIT_FOR(!m_workbench->anyJobRuns());
    again();
    WAIT_FOR(view().corpus() != nullptr);
    test::changeWordUnseen(m_folder.filePath(QStringLiteral("other.jsonl")).toStdString(), "The cat 3", "The dog 3");
    again();
    const auto said = [this] { return view().emptyState()->text().replace(QChar::Nbsp, u' '); };
    WAIT_FOR(said().contains(QStringLiteral("current texts of the file")));
    QCOMPARE(view().corpus(), nullptr);
    watch(); // made anew in its place
    test::changeWordUnseen(m_folder.filePath(QStringLiteral("other.jsonl")).toStdString(), "The dog 3", "The cat 3");
}

void TestDesktopHeadCorpus::stoppedAndGoneOn()
{
    openHeadTab(QStringLiteral("long"));
    click("headCorpusRun");
    WAIT_FOR(QFile::exists(path(QStringLiteral("long")) + QStringLiteral(".head-2-1.run")));
    QVERIFY(m_workbench->anyJobRuns());
    click("headCorpusStop");
    WAIT_FOR(!controller().busy());
    QCOMPARE(view().corpus(), nullptr);
    WAIT_FOR(view()
                 .emptyState()
                 ->text()
                 .replace(QChar::Nbsp, u' ')
                 .contains(QStringLiteral("It continues an earlier run.")));
    click("headCorpusRun");
    WAIT_FOR(view().corpus() != nullptr);
    QCOMPARE(view().corpus()->documentCount(), 3000);
    QVERIFY(!QFile::exists(path(QStringLiteral("long")) + QStringLiteral(".head-2-1.run")));
}

/// What is found of one cache is never shown while another is open; it is there when the first opens again.
void TestDesktopHeadCorpus::anotherCacheOpensMeanwhile()
{
    openHeadTab(QStringLiteral("long"));
    click("headCorpusRun");
    WAIT_FOR(QFile::exists(path(QStringLiteral("long")) + QStringLiteral(".head-2-1.run")));
    openAndLoad(path(QStringLiteral("c")));
    WAIT_FOR(!controller().busy());
    waitForCalm();
    QCOMPARE(view().corpus(), nullptr);
    QVERIFY(view().emptyState()->text().replace(QChar::Nbsp, u' ').contains(QStringLiteral("40 documents")));
    QVERIFY(find<QPushButton>("headCorpusRun")->isVisible());
    watch();
    QCOMPARE(view().corpus()->documentCount(), 40);
}

void TestDesktopHeadCorpus::savedAndCopied()
{
    openHeadTab(QStringLiteral("c"));
    watch();
    WAIT_FOR(!m_workbench->anyJobRuns());
    const auto entry = *m_window->views().find(ui::kHeadCorpusView);
    QVERIFY(entry.commandLine().contains(QStringLiteral("--activations 2:1")));
    for (const char* name : {"head.csv", "head.png", "head.svg", "head.pdf"})
    {
        const QString target = m_folder.filePath(QLatin1StringView(name));
        entry.save(target);
        WAIT_FOR(QFile::exists(target));
        WAIT_FOR(!m_workbench->anyJobRuns());
    }
    const std::string csv = test::contents(m_folder.filePath(QStringLiteral("head.csv")).toStdString());
    QCOMPARE(std::ranges::count(csv, '\n'), 1 + 24 + 50);
    QVERIFY(csv.starts_with("kind,document,token,text,activation"));
    entry.copy();
}

HEADSCOPE_TEST(TestDesktopHeadCorpus)
#include "tst_desktop_head_corpus.moc"
