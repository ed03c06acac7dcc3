// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/progress_line.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <sstream>

using namespace headscope;
using namespace headscope::shell;

class TestProgressLine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void jsonLines();
    void textLines();
    void streams();
};

void TestProgressLine::jsonLines()
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

void TestProgressLine::textLines()
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

void TestProgressLine::streams()
{
    const Progress first{"extracting", 1, 120, "documents", 14.25, 2.0, 65};
    Progress second = first;
    second.done = 2;
    std::ostringstream json;
    ProgressLine lines("json", json, true);
    lines.sink()(first);
    lines.sink()(second);
    QCOMPARE(json.str(), progressJson(first) + "\n" + progressJson(second) + "\n");
    lines.clear(); // nothing was drawn
    QCOMPARE(json.str(), progressJson(first) + "\n" + progressJson(second) + "\n");

    std::ostringstream drawn;
    ProgressLine line("auto", drawn, true);
    const ProgressSink sink = line.sink();
    sink(first);
    sink(second); // within a tenth of a second
    QVERIFY(drawn.str().find("1/120") != std::string::npos);
    QVERIFY(drawn.str().find("2/120") == std::string::npos);
    line.clear();
    QVERIFY(drawn.str().ends_with("\r\x1b[K"));
    const std::string after = drawn.str();
    line.clear();
    QCOMPARE(drawn.str(), after);

    std::ostringstream none;
    QVERIFY(!ProgressLine("auto", none, false).sink());
    QVERIFY(!ProgressLine("off", none, true).sink());
}

HEADSCOPE_TEST_GUILESS(TestProgressLine)
#include "tst_progress_line.moc"
