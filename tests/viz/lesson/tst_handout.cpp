// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lesson/handout.h"

#include "tests/support/file_bytes.h"
#include "tests/support/process.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/viz/lesson/sample_pictures.h"

#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace headscope;
using namespace headscope::viz;

namespace
{

Handout sampleHandout()
{
    Handout handout;
    handout.title = QStringLiteral("A lesson on heads");
    handout.summary = QStringLiteral("What it is about, in a sentence or two.");
    handout.of = QStringLiteral("Drawn for sample-model");
    handout.words = {QStringLiteral("Try"), QStringLiteral("Question"), QStringLiteral("Answers"),
                     QStringLiteral("Page %1")};
    int step = 0;
    for (const auto& [name, picture] : test::lessonPictures(9, 3))
    {
        ++step;
        const QString number = QString::number(step);
        handout.steps.push_back({QStringLiteral("Step about ") % QString::fromStdString(name),
                                 QStringLiteral("A text that explains what is seen. ").repeated(8), picture,
                                 QStringLiteral("Something to try ") % number, QStringLiteral("A question ") % number,
                                 QStringLiteral("Hidden answer ") % number});
    }
    for (const char* name : {"first", "second"})
        handout.steps.push_back({QStringLiteral("A plain step, the ") % QLatin1StringView(name),
                                 QStringLiteral("A text without a drawing."),
                                 {},
                                 QStringLiteral("Look at the window"),
                                 QStringLiteral("Which one is it?"),
                                 QStringLiteral("Hidden answer of the ") % QLatin1StringView(name),
                                 {QStringLiteral("This one"), QStringLiteral("That one")}});
    return handout;
}

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestHandout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_file = m_folder.filePath(QStringLiteral("handout.pdf"));
        HEADSCOPE_VERIFY_OK(exportHandout(sampleHandout(), m_file.toStdString(), false));
        if (const QString keep = qEnvironmentVariable("HEADSCOPE_PICTURES"); !keep.isEmpty())
            QFile::copy(m_file, keep + QStringLiteral("/handout.pdf"));
    }

    void sameBytesAgain()
    {
        const QString again = m_folder.filePath(QStringLiteral("again.pdf"));
        HEADSCOPE_VERIFY_OK(exportHandout(sampleHandout(), again.toStdString(), false));
        QCOMPARE(bytesOf(again), bytesOf(m_file));
        QVERIFY(!exportHandout(sampleHandout(), again.toStdString(), false));
        HEADSCOPE_VERIFY_OK(exportHandout(sampleHandout(), again.toStdString(), true));
        HEADSCOPE_VERIFY_ERROR(exportHandout({}, m_folder.filePath(QStringLiteral("none.pdf")).toStdString(), false),
                               ErrorCode::InvalidArgument, "at least one step");
    }

    /// A page for each drawing, one for the steps without, the answers behind them, and text that can be searched.
    void aPageADrawingAndTheAnswersLast()
    {
        const QString program = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
        if (program.isEmpty())
            QSKIP("pdftotext is not installed (Debian: poppler-utils)");
        const auto outcome =
            headscope::test::run(program.toStdString(), {QStringLiteral("-layout"), m_file, QStringLiteral("-")});
        QCOMPARE(outcome.exitCode, 0);
        QList<QByteArray> pages = outcome.out.split('\f');
        pages.removeAll(QByteArray());
        const Handout handout = sampleHandout();
        QVERIFY(pages.size() > static_cast<qsizetype>(handout.steps.size()) - 1);
        const std::size_t drawn = handout.steps.size() - 2;
        for (std::size_t i = 0; i < handout.steps.size(); ++i)
        {
            const QString page = QString::fromUtf8(pages[static_cast<qsizetype>(std::min(i, drawn))]);
            const HandoutStep& step = handout.steps[i];
            for (const QString& text : QStringList{step.title, step.attempt, step.question} + step.options)
                QVERIFY2(page.contains(text), qPrintable(text));
            QVERIFY2(!page.contains(step.answer), "the answer is next to its question");
            QVERIFY(i > drawn || page.contains(QStringLiteral("Page %1").arg(i + 1)));
        }
        QByteArray last;
        for (qsizetype i = static_cast<qsizetype>(drawn) + 1; i < pages.size(); ++i)
            last += pages[i];
        for (const HandoutStep& step : handout.steps)
            QVERIFY(last.contains(step.answer.toUtf8()));
        // Pages are counted to the last one, the answers among them.
        for (qsizetype i = 0; i < pages.size(); ++i)
            QVERIFY2(pages[i].contains(QStringLiteral("Page %1\n").arg(i + 1).toUtf8()), pages[i].constData());
    }

    void fontsAreEmbeddedAndNoneIsType3()
    {
        const QString program = QStandardPaths::findExecutable(QStringLiteral("pdffonts"));
        if (program.isEmpty())
            QSKIP("pdffonts is not installed (Debian: poppler-utils)");
        const auto outcome = headscope::test::run(program.toStdString(), {m_file});
        QCOMPARE(outcome.exitCode, 0);
        const QByteArrayList lines = outcome.out.trimmed().split('\n').mid(2);
        QVERIFY(!lines.isEmpty());
        for (const QByteArray& line : lines)
        {
            QVERIFY2(!line.contains("Type 3"), line.constData());
            const QByteArrayList words = line.simplified().split(' '); // ... emb sub uni object generation
            QVERIFY2(words.size() >= 7 && words[words.size() - 5] == "yes", line.constData());
        }
    }

private:
    QTemporaryDir m_folder;
    QString m_file;
};

HEADSCOPE_TEST(TestHandout)
#include "tst_handout.moc"
