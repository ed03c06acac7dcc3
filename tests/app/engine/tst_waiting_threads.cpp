// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/waiting_threads.h"

#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"

#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include <array>

using namespace headscope;

class TestWaitingThreads : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void engineStartsItselfSo();
    void whatIsSetStays_data();
    void whatIsSetStays();
};

namespace
{

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

/// The same process, under its own name, with workers that sleep.
void TestWaitingThreads::engineStartsItselfSo()
{
    const QString name = QStringLiteral("headscope-engine");
    const QTemporaryDir home;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("OMP_WAIT_POLICY"));
    environment.remove(QStringLiteral("GOMP_SPINCOUNT"));
    environment.insert(QStringLiteral("HOME"), home.path());
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QString::fromStdString(test::program(name.toStdString()).string()),
                  {QStringLiteral("tokenize"), QString::fromStdString(test::golden("models/llama_mha").string())});
    QVERIFY(process.waitForStarted(-1));
    const QString place = QStringLiteral("/proc/%1/").arg(process.processId());
    // It waits for its standard input.
    const auto sleeps = [&] {
        const QList<QByteArray> set = contents(place + QStringLiteral("environ")).split('\0');
        return set.contains("OMP_WAIT_POLICY=passive") && set.contains("GOMP_SPINCOUNT=5000");
    };
    WAIT_FOR(process.state() != QProcess::Running || sleeps());
    QCOMPARE(process.state(), QProcess::Running);
    QCOMPARE(contents(place + QStringLiteral("comm")).trimmed(), name.toLatin1().left(15));
    process.kill();
    QVERIFY(process.waitForFinished(-1));
}

void TestWaitingThreads::whatIsSetStays_data()
{
    QTest::addColumn<QByteArray>("variable");
    QTest::addRow("policy") << QByteArray("OMP_WAIT_POLICY");
    QTest::addRow("spins") << QByteArray("GOMP_SPINCOUNT");
}

void TestWaitingThreads::whatIsSetStays()
{
    QFETCH(const QByteArray, variable);
    for (const char* each : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"})
        qunsetenv(each);
    qputenv(variable.constData(), "7");
    std::array<char*, 1> none = {nullptr};
    engine::sleepWhileWaiting(none.data()); // returns: this program is not started once more
    QCOMPARE(qgetenv(variable.constData()), QByteArray("7"));
    qputenv("OMP_WAIT_POLICY", "passive");
}

HEADSCOPE_TEST_GUILESS(TestWaitingThreads)
#include "tst_waiting_threads.moc"
