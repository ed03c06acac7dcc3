// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/model_card_text.h"
#include "app/engine/progress_line.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QJsonDocument>
#include <QJsonObject>

using namespace headscope;
using namespace headscope::engine;

class TestEngineProgressLine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void jsonLines();
    void textLines();
    void byteCounts();
};

void TestEngineProgressLine::jsonLines()
{
    Progress progress{"extracting", 30, 120, "documents", 14.25, 2.0, 6.3};
    auto line = QJsonDocument::fromJson(QByteArray::fromStdString(progressJson(progress))).object();
    QCOMPARE(line.value(QStringLiteral("stage")).toString(), QStringLiteral("extracting"));
    QCOMPARE(line.value(QStringLiteral("done")).toInt(), 30);
    QCOMPARE(line.value(QStringLiteral("total")).toInt(), 120);
    QCOMPARE(line.value(QStringLiteral("eta")).toDouble(), 6.3);
    progress.total = 0;
    progress.eta = -1;
    line = QJsonDocument::fromJson(QByteArray::fromStdString(progressJson(progress))).object();
    QVERIFY(line.value(QStringLiteral("total")).isNull() && line.value(QStringLiteral("eta")).isNull());
    QVERIFY(progressJson(progress).find('\n') == std::string::npos);
}

void TestEngineProgressLine::textLines()
{
    const Progress progress{"extracting", 60, 120, "documents", 14.25, 2.0, 65};
    QCOMPARE(progressText(progress, 100),
             std::string("extracting  [###############---------------] 60/120 documents  14.2/s  1:05 left"));
    for (const int width : {1, 5, 20, 40, 60})
        QVERIFY(static_cast<int>(progressText(progress, width).size()) < std::max(width, 1));
    const Progress open{"reading", 7, 0, "", 0, 0.1, -1};
    QCOMPARE(progressText(open, 80), std::string("reading 7"));
    const Progress done{"writing", 5, 5, "", 1234.5, 0.1, 0};
    QVERIFY(progressText(done, 80).find("left") == std::string::npos);
}

void TestEngineProgressLine::byteCounts()
{
    QCOMPARE(bytesText(0), std::string("0 bytes"));
    QCOMPARE(bytesText(999), std::string("999 bytes"));
    QCOMPARE(bytesText(1000), std::string("1.00 kB"));
    QCOMPARE(bytesText(98'362'432), std::string("98.4 MB"));
    QCOMPARE(bytesText(999'600), std::string("1.00 MB"));
    QCOMPARE(bytesText(14'221'320'192), std::string("14.2 GB"));
}

HEADSCOPE_TEST_GUILESS(TestEngineProgressLine)
#include "tst_engine_progress_line.moc"
