// SPDX-License-Identifier: GPL-3.0-or-later
// Work that cannot be kept, or was kept for something else: nothing is overwritten, nothing is lost without a
// word, and what is said is true.
#include "app/desktop/extract/extract_controller.h"
#include "model/base/file.h"
#include "model/base/output/output_file.h"
#include "tests/app/desktop/engine_script.h"
#include "tests/app/desktop/keep_fixture.h"
#include "tests/support/waiting.h"
#include "ui/dialogs/extract_dialog.h"
#include "ui/jobs/job_strip.h"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

using namespace headscope;
using headscope::desktop::Autosave;

namespace
{

/// No file of this process may become larger, for a while.
class FileLimit
{
public:
    explicit FileLimit(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit most = {bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &most);
    }
    FileLimit(const FileLimit&) = delete;
    FileLimit& operator=(const FileLimit&) = delete;
    ~FileLimit() { ::setrlimit(RLIMIT_FSIZE, &m_before); }

private:
    rlimit m_before = {};
};

} // namespace

class TestDesktopKeepFaults : public QObject, private test::KeepFixture
{
    Q_OBJECT

private:
    /// A set of the open cache, which finds no place beside it nor elsewhere.
    void keepWhereNothingCanBe()
    {
        QDir().mkpath(side() + QStringLiteral("/taken"));
        HEADSCOPE_VERIFY_OK(writeFileAtomically(m_place->filePath(QStringLiteral("data")).toStdString(), "no folder"));
        open(m_cache);
        QSignalSpy failed(&keeper(), &Autosave::keepFailed);
        keepSet(QStringLiteral("homeless"), {1});
        WAIT_COMPARE(failed.count(), 1);
    }

private Q_SLOTS:
    void init() { beginTest(); }
    void cleanup() { endTest(); }

    void fileThatIsNoneOfOursIsSetAside_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("part");
        QTest::newRow("damaged") << 0 << QStringLiteral("damaged");
        QTest::newRow("cut short") << 1 << QStringLiteral("truncated");
        QTest::newRow("of another cache") << 2 << QStringLiteral("found analyses of another");
        QTest::newRow("text") << 3 << QStringLiteral("HDF5");
    }

    void fileThatIsNoneOfOursIsSetAside()
    {
        QFETCH(int, kind);
        QFETCH(QString, part);
        open(kind == 2 ? m_other : m_cache);
        keepSet(QStringLiteral("old"), {1});
        const QString made = side(kind == 2 ? m_other : m_cache);
        closeWindow();
        auto bytes = readTextFile(made.toStdString());
        HEADSCOPE_VERIFY_OK(bytes);
        if (kind == 0)
            (*bytes)[bytes->size() / 2] ^= 1;
        if (kind == 1)
            bytes->resize(bytes->size() / 2);
        if (kind == 3)
            *bytes = "my own notes";
        HEADSCOPE_VERIFY_OK(writeFileAtomically(side().toStdString(), *bytes));
        begin();
        open(m_cache);
        QVERIFY(hub().sets().isEmpty());
        WAIT_FOR(sentence().contains(QStringLiteral("was renamed to a.h5.headscope.aside")));
        QVERIFY2(sentence().contains(part), qPrintable(sentence()));
        keepSet(QStringLiteral("new"), {2});
        closeWindow();
        const auto aside = readTextFile(side().toStdString() + ".aside");
        HEADSCOPE_VERIFY_OK(aside);
        QVERIFY(*aside == *bytes); // as it was
        begin();
        open(m_cache);
        QCOMPARE(hub().sets().at(0).name, QStringLiteral("new"));
    }

    void folderThatCannotBeWrittenSendsItHome_data()
    {
        QTest::addColumn<bool>("byRights");
        QTest::newRow("read-only") << true;
        QTest::newRow("the name is taken by a folder") << false;
    }

    void folderThatCannotBeWrittenSendsItHome()
    {
        QFETCH(bool, byRights);
        if (byRights && ::geteuid() == 0)
            QSKIP("root writes everywhere");
        QDir().mkpath(m_place->filePath(QStringLiteral("shared")));
        const QString cache = m_place->filePath(QStringLiteral("shared/c.h5"));
        QVERIFY(QFile::copy(m_cache, cache));
        if (byRights)
            QFile::setPermissions(m_place->filePath(QStringLiteral("shared")), QFile::ReadOwner | QFile::ExeOwner);
        else
            QDir().mkpath(side(cache) + QStringLiteral("/taken"));
        open(cache);
        keepSet(QStringLiteral("far from home"), {4, 5});
        WAIT_FOR(!QDir(home()).entryList(QDir::Files).isEmpty());
        WAIT_FOR(m_window->jobStrip().logText().contains(home())); // the user is told where, and why
        const QString told = m_window->jobStrip().logText();
        QVERIFY2(told.contains(QStringLiteral("Saving next to the cache failed (")) &&
                     told.contains(QFileInfo(side(cache)).fileName()),
                 qPrintable(told));
        closeWindow();
        begin();
        open(cache);
        QCOMPARE(hub().sets().count(), 1);
        QCOMPARE(hub().sets().at(0).documents, (std::vector<std::int64_t>{4, 5}));
        QFile::setPermissions(m_place->filePath(QStringLiteral("shared")),
                              QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

    void demoIsNotWrittenBeside()
    {
        m_window->setDemos({{QStringLiteral("A"), m_cache, QString()}});
        open(m_cache);
        keepSet(QStringLiteral("of the demo"), {1});
        closeWindow();
        QVERIFY(!QFileInfo::exists(side()));
        QCOMPARE(QDir(home()).entryList(QDir::Files).size(), 1);
        begin();
        m_window->setDemos({{QStringLiteral("A"), m_cache, QString()}});
        open(m_cache);
        QCOMPARE(hub().sets().at(0).name, QStringLiteral("of the demo"));
        // A copy of it elsewhere is another's.
        QVERIFY(QFile::copy(m_cache, m_place->filePath(QStringLiteral("copy.h5"))));
        open(m_place->filePath(QStringLiteral("copy.h5")));
        QVERIFY(hub().sets().isEmpty());
    }

    void whatCannotBeKeptIsAskedAbout()
    {
        keepWhereNothingCanBe();
        if (QTest::currentTestFailed())
            return;
        QVERIFY2(sentence().contains(QStringLiteral("1 named set of a.h5 could not be saved")), qPrintable(sentence()));
        // Another cache: the answer that loses nothing comes first.
        m_dialogs.asked.clear();
        m_dialogs.nextAnswer = 0;
        m_workbench->open(m_other);
        WAIT_COMPARE(m_dialogs.asked.size(), 1u);
        waitForCalm();
        QCOMPARE(m_workbench->study().cache()->overview->path, m_cache.toStdString());
        QCOMPARE(hub().sets().count(), 1);
        // Closing: the same, and the window stays.
        m_window->close();
        WAIT_COMPARE(m_dialogs.asked.size(), 2u);
        waitForCalm();
        QVERIFY(m_window->isVisible());
        // Elsewhere: that is enough, and it fits.
        m_dialogs.nextAnswer = 2;
        m_dialogs.nextPath = m_place->filePath(QStringLiteral("elsewhere.headscope"));
        m_window->close();
        WAIT_FOR(!m_window->isVisible());
        const auto kept = fileOf(m_dialogs.nextPath);
        HEADSCOPE_VERIFY_OK(kept);
        QCOMPARE(kept->work.sets.front().name, std::string("homeless"));
    }

    /// Files may not grow beyond a size, as on a full disk: the old work stays, the window says what is not kept until
    /// it is, and nothing is lost once there is room.
    void fullDiskIsToldUntilThereIsRoom()
    {
        open(m_cache);
        QSignalSpy kept(&keeper(), &Autosave::kept);
        QSignalSpy failed(&keeper(), &Autosave::keepFailed);
        keepSet(QStringLiteral("first"), {1});
        WAIT_COMPARE(kept.count(), 1);
        const auto before = readTextFile(side().toStdString());
        HEADSCOPE_VERIFY_OK(before);
        int tries = 0;
        for (const std::size_t most : {std::size_t{100}, before->size() / 2, before->size() - 10})
        {
            const FileLimit limit(most);
            keepSet(QStringLiteral("second"), {2, ++tries});
            WAIT_COMPARE(failed.count(), tries);
        }
        QVERIFY2(sentence().contains(QStringLiteral("2 named sets of a.h5 could not be saved")),
                 qPrintable(sentence()));
        QCOMPARE(m_window->notices().count(), 1u);
        QVERIFY(*readTextFile(side().toStdString()) == *before);
        QVERIFY(keeper().unsaved());
        QCOMPARE(QDir(m_place->path()).entryList({QStringLiteral("*.part-*")}).size(), 0);
        keepSet(QStringLiteral("third"), {3});
        WAIT_COMPARE(kept.count(), 2);
        QCOMPARE(m_window->notices().count(), 0u); // what it said is not true any more
        const auto file = fileOf(side());
        HEADSCOPE_VERIFY_OK(file);
        QCOMPARE(file->work.sets.size(), 3u);
    }

    /// The cache is no place for its work.
    void workIsNotKeptOverItsCache()
    {
        keepWhereNothingCanBe();
        if (QTest::currentTestFailed())
            return;
        const auto before = readTextFile(m_cache.toStdString());
        m_dialogs.nextAnswer = 2;
        m_dialogs.nextPath = m_cache;
        m_window->close();
        WAIT_FOR(sentence().contains(QStringLiteral("would replace one of the inputs")));
        QVERIFY(m_window->isVisible());
        QVERIFY(*readTextFile(m_cache.toStdString()) == *before);
        m_dialogs.nextAnswer = 3;
        m_window->close();
        WAIT_FOR(!m_window->isVisible());
    }

    void workMayBeLostWhenTheUserSaysSo()
    {
        QDir().mkpath(side() + QStringLiteral("/taken"));
        HEADSCOPE_VERIFY_OK(writeFileAtomically(m_place->filePath(QStringLiteral("data")).toStdString(), "no folder"));
        open(m_cache);
        keepSet(QStringLiteral("homeless"), {1});
        m_dialogs.nextAnswer = 3;
        open(m_other);
        QVERIFY(hub().sets().isEmpty());
        m_window->close();
        WAIT_FOR(!m_window->isVisible());
    }

    void closingDuringAnExtractionSaysWhatIsKept()
    {
        dropWindow();
        m_engine = m_place->filePath(QStringLiteral("engine.sh"));
        const auto at = [](const QByteArray& stage, const QByteArray& numbers) {
            return test::answering("\"progress\":{\"stage\":\"" + stage + "\"," + numbers + '}');
        };
        // The last stage begins when the file is there.
        QVERIFY(test::writeEngine(m_engine,
                                  {.body = at("reading documents", R"("done":1920,"total":0,"unit":"documents")") +
                                           at("reading weights", R"("done":209,"total":210,"unit":"pieces")") +
                                           "while [ ! -e \"$0.go\" ]; do sleep 0.05; done\n" +
                                           at("extracting", R"("done":12,"total":1920,"unit":"documents")"),
                                   .cancel = test::answeringCancelled()}));
        begin();
        action("actionExtract")->trigger();
        auto* dialog = m_window->findChild<ui::ExtractDialog*>();
        QVERIFY(dialog != nullptr);
        dialog->close();
        ui::ExtractRequest request;
        request.output = m_place->filePath(QStringLiteral("new.h5"));
        request.layers = QStringLiteral("last");
        request.stages = QStringLiteral("1");
        desktop::ExtractController& extraction = m_workbench->extraction();
        std::string stage;
        connect(&extraction.runner(), &ui::JobRunner::progressed, this,
                [&stage](const Progress& progress) { stage = progress.stage; });
        Q_EMIT dialog->extractRequested(request);
        WAIT_COMPARE(stage, std::string("reading weights"));
        m_dialogs.nextAnswer = -1;
        QVERIFY(!m_window->close());
        // What is read and loaded first is no document that is done.
        const QString early = plain(m_dialogs.lastText);
        QVERIFY2(early.contains(QStringLiteral("would be interrupted after")), qPrintable(early));
        QVERIFY2(!early.contains(QStringLiteral(" of 0")) && !early.contains(QStringLiteral("1,920")),
                 qPrintable(early));
        m_dialogs.pending(0);
        HEADSCOPE_VERIFY_OK(writeFileAtomically(QString(m_engine + QStringLiteral(".go")).toStdString(), "go"));
        WAIT_COMPARE(stage, std::string("extracting"));
        m_dialogs.nextAnswer = -1;
        QVERIFY(!m_window->close());
        const QString text = plain(m_dialogs.lastText);
        QVERIFY2(text.contains(QStringLiteral("12 of 1,920 documents")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("would be interrupted at 12 of 1,920")) &&
                     text.contains(QStringLiteral("with the same options")),
                 qPrintable(text));
        m_dialogs.pending(0); // Escape, and what Enter presses
        QVERIFY(m_window->isVisible() && extraction.busy());
        // What ends while the question stands takes it away; before, it went on to speak of 12 documents.
        QVERIFY(!m_window->close());
        QVERIFY(m_dialogs.textNow().has_value());
        m_window->jobStrip().row(QStringLiteral("extract"))->requestCancel();
        WAIT_FOR(!extraction.busy());
        QVERIFY(!m_dialogs.textNow().has_value());
        m_dialogs.pending(0);
        QVERIFY(plain(m_window->statusText()).contains(QStringLiteral("The running jobs have finished.")));
        stage.clear();
        Q_EMIT dialog->extractRequested(request);
        WAIT_COMPARE(stage, std::string("extracting"));
        m_dialogs.nextAnswer = 1;
        m_window->close();
        WAIT_FOR(!m_window->isVisible());
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopKeepFaults)
#include "tst_desktop_keep_faults.moc"
