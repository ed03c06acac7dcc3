// SPDX-License-Identifier: GPL-3.0-or-later
// Work files: written whole with a copy of the one before, read with care whatever they hold.
#include "app/desktop/work/work_document.h"
#include "model/base/output/output_file.h"
#include "tests/support/call_faults.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "ui/state/bind_controls.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

using namespace headscope;
using desktop::WorkDocument;

namespace
{

WorkDocument sample(int saved)
{
    WorkDocument document;
    document.cachePath = QStringLiteral("/data/räume/a.h5");
    document.identity = QStringLiteral("0123");
    document.origin = QStringLiteral("4567");
    document.savedMs = saved;
    document.state[QStringLiteral("choice")] =
        QJsonObject{{QStringLiteral("layer"), 3}, {QStringLiteral("scale"), 0.1}};
    QJsonArray many;
    for (int i = 0; i < 200 * saved; ++i)
        many.append(i);
    document.state[QStringLiteral("many")] = many;
    return document;
}

/// The number a file was saved with; -1: it is not whole.
std::int64_t savedAt(const std::filesystem::path& file)
{
    const auto read = desktop::readWork(file);
    return read && read->state == sample(static_cast<int>(read->savedMs)).state ? read->savedMs : -1;
}

} // namespace

class TestWorkDocument : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::filesystem::path file(const char* name) { return m_folder.filePath(QLatin1StringView(name)).toStdString(); }

private Q_SLOTS:
    void whatIsWrittenIsRead()
    {
        const auto path = file("a.headscope");
        WorkDocument document = sample(7);
        document.cachePath = m_folder.filePath(QStringLiteral("sub/a.h5"));
        document.others[QStringLiteral("of tomorrow")] = QJsonArray{1, QStringLiteral("x")};
        HEADSCOPE_VERIFY_OK(desktop::writeWork(path, document));
        const auto read = desktop::readWork(path);
        HEADSCOPE_VERIFY_OK(read);
        document.cacheRelative = QStringLiteral("sub/a.h5");
        QVERIFY(*read == document); // unknown keys too
    }

    void theFileBeforeStaysAsACopy()
    {
        const auto path = file("b.headscope");
        HEADSCOPE_VERIFY_OK(desktop::writeWork(path, sample(1)));
        QVERIFY(!std::filesystem::exists(path.string() + "~"));
        HEADSCOPE_VERIFY_OK(desktop::writeWork(path, sample(2)));
        QCOMPARE(savedAt(path), 2);
        QCOMPARE(savedAt(path.string() + "~"), 1);
    }

    void aMovedFolderIsFound()
    {
        QDir().mkpath(m_folder.filePath(QStringLiteral("x")));
        const auto path = file("x/w.headscope");
        WorkDocument document = sample(1);
        document.cachePath = m_folder.filePath(QStringLiteral("x/c.h5"));
        QVERIFY(QFile(document.cachePath).open(QIODevice::WriteOnly));
        HEADSCOPE_VERIFY_OK(desktop::writeWork(path, document));
        std::filesystem::rename(file("x"), file("y"));
        const auto moved = file("y/w.headscope");
        const auto read = desktop::readWork(moved);
        HEADSCOPE_VERIFY_OK(read);
        QCOMPARE(desktop::findCacheOf(*read, moved), m_folder.filePath(QStringLiteral("y/c.h5")));
        std::filesystem::remove(file("y/c.h5"));
        QCOMPARE(desktop::findCacheOf(*read, moved), QString());
    }

    void aNewerVersionIsRefusedInASentence()
    {
        const auto read = desktop::parseWork(
            R"({"format": "headscope-work-file", "version": 2, "cache": {}, "state": {}})", "w.headscope");
        QVERIFY(!read);
        QVERIFY(read.error().code == ErrorCode::Unsupported);
        QCOMPARE(read.error().sentence(),
                 std::string("w.headscope: version: expected a project file of version 1 or older, found version 2: a "
                             "newer Headscope is needed to open it"));
    }

    void hostileTextsAreErrors_data()
    {
        QTest::addColumn<QByteArray>("text");
        const QByteArray head = R"({"format": "headscope-work-file", "version": 1, )";
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no object") << QByteArray("[1]");
        QTest::newRow("another file") << QByteArray(R"({"format": "headscope-mask", "version": 1})");
        QTest::newRow("no format") << QByteArray(R"({"version": 1})");
        QTest::newRow("version 0") << QByteArray(R"({"format": "headscope-work-file", "version": 0})");
        QTest::newRow("version text") << QByteArray(R"({"format": "headscope-work-file", "version": "1"})");
        QTest::newRow("cache a list") << head + R"("cache": [], "state": {}})";
        QTest::newRow("no state") << head + R"("cache": {}})";
        QTest::newRow("path a number") << head + R"("cache": {"path": 3}, "state": {}})";
        QTest::newRow("a key twice") << head + R"("cache": {}, "cache": {}, "state": {}})";
        QTest::newRow("too deep") << head + R"("cache": {}, "state": {"a": )" + QByteArray(40, '[') +
                                         QByteArray(40, ']') + "}}";
        QTest::newRow("far too deep") << QByteArray(1'000'000, '[');
        QTest::newRow("no UTF-8") << head + "\"cache\": {\"path\": \"\xff\"}, \"state\": {}}";
        QTest::newRow("lone surrogate") << head + R"("cache": {"path": "\ud800"}, "state": {}})";
    }
    void hostileTextsAreErrors()
    {
        QFETCH(const QByteArray, text);
        const auto read = desktop::parseWork({text.constData(), static_cast<std::size_t>(text.size())}, "w");
        QVERIFY(!read);
        QVERIFY(!read.error().message.empty());
        QVERIFY(read.error().code == ErrorCode::BadFormat);
    }

    /// Every byte of a good file changed and every end cut off: an error or a document, never a crash.
    void noDamageCrashes()
    {
        const QByteArray good = desktop::textOfWork(sample(1)).left(600);
        const QByteArray whole = desktop::textOfWork(sample(1));
        int refused = 0;
        for (qsizetype at = 0; at < good.size(); ++at)
        {
            QByteArray bad = whole;
            bad[at] = static_cast<char>(bad.at(at) ^ 0x15);
            refused += desktop::parseWork({bad.constData(), static_cast<std::size_t>(bad.size())}, "w") ? 0 : 1;
            QVERIFY(!desktop::parseWork({whole.constData(), static_cast<std::size_t>(at)}, "w"));
        }
        QVERIFY(refused > 100);
    }

    void keptWorkIsNeverWrittenOver()
    {
        const auto path = file("c.h5.headscope");
        HEADSCOPE_VERIFY_OK(writeFileAtomically(path, std::string_view("\x89HDF\r\n\x1a\n and more", 17)));
        QVERIFY(desktop::isKeptWork(path));
        const Status written = desktop::writeWork(path, sample(1));
        QVERIFY(!written);
        QVERIFY(desktop::isKeptWork(path));
    }

    /// kill -9 before each of the calls that write it: the old or the new work, and always one whole copy.
    void killedAtAnyCallLeavesAWholeFile()
    {
        if (!test::canFault(test::CallFault::Kill))
            QSKIP("processes may not be traced here");
        const auto path = file("k.headscope");
        const auto copy = path.string() + "~";
        const auto begin = [&] {
            HEADSCOPE_VERIFY_OK(desktop::writeWork(path, sample(0)));
            HEADSCOPE_VERIFY_OK(desktop::writeWork(path, sample(1)));
        };
        begin();
        int before = 0;
        int behind = 0;
        for (int call = 0;; ++call)
        {
            const auto run = test::runWithFault(
                test::CallFault::Kill, call, [&] { static_cast<void>(desktop::writeWork(path, sample(2))); },
                [] { return 0; });
            if (!run.reached)
                break;
            const std::int64_t saved = savedAt(path);
            QVERIFY2(saved == 1 || saved == 2, qPrintable(QStringLiteral("call %1: %2").arg(call).arg(saved)));
            QVERIFY(savedAt(copy) == 0 || savedAt(copy) == 1);
            QVERIFY(saved == 1 || savedAt(copy) == 1);
            (saved == 1 ? before : behind) += 1;
            begin();
        }
        QVERIFY2(before + behind >= 50 && behind >= 1,
                 qPrintable(QStringLiteral("%1 before, %2 behind").arg(before).arg(behind)));
    }

    void aFailedCallLeavesAWholeFile()
    {
        if (!test::canFault(test::CallFault::Fail))
            QSKIP("processes may not be traced here");
        const auto path = file("f.headscope");
        HEADSCOPE_VERIFY_OK(desktop::writeWork(path, sample(1)));
        for (int call = 0;; ++call)
        {
            const auto run = test::runWithFault(
                test::CallFault::Fail, call, [&] { static_cast<void>(desktop::writeWork(path, sample(2))); },
                [] { return 0; });
            if (!run.reached)
                break;
            const std::int64_t saved = savedAt(path);
            QVERIFY2(saved == 1 || saved == 2, qPrintable(QStringLiteral("call %1: %2").arg(call).arg(saved)));
        }
    }

    /// An entry of a list that has another text by now is found by its former one.
    void formerTextsOfEntriesAreKnown()
    {
        QWidget view;
        ui::ViewState state;
        auto* box = new QComboBox(&view);
        box->addItem(QStringLiteral("Stored"));
        box->addItem(QStringLiteral("Heads and segments × 3 stages"));
        box->setItemData(1, QStringLiteral("Heads × 3 stages"), ui::kFormerTextRole);
        ui::bind(state, QStringLiteral("what"), *box);
        state.set(ui::StatePart::Controls, {{QStringLiteral("what"), QStringLiteral("Heads × 3 stages")}});
        QCOMPARE(box->currentIndex(), 1);
        state.set(ui::StatePart::Controls, {{QStringLiteral("what"), QStringLiteral("Stored")}});
        QCOMPARE(box->currentIndex(), 0);
        state.set(ui::StatePart::Controls, {{QStringLiteral("what"), QStringLiteral("Nothing of the kind")}});
        QCOMPARE(box->currentIndex(), 0);
    }
};

HEADSCOPE_TEST(TestWorkDocument)
#include "tst_work_document.moc"
