// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/alike_labels.h"

#include "tests/support/test_program.h"

#include <QtTest>

using namespace headscope;

class TestEngineAlikeLabels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void said_data();
    void said();
};

void TestEngineAlikeLabels::said_data()
{
    QTest::addColumn<QStringList>("labels");
    QTest::addColumn<QString>("part"); // "" = nothing is said
    QTest::newRow("none") << QStringList{} << QString();
    QTest::newRow("different") << QStringList{"a", "b", "a b", "ab", "A"} << QString();
    QTest::newRow("blanks inside") << QStringList{"a b", "a  b", "c"} << "(2 times \"a b\")";
    QTest::newRow("blanks at the ends") << QStringList{" a", "a", "a "} << "(3 times \"a\")";
    QTest::newRow("no-break space") << QStringList{QStringLiteral("a\u00a0b"), "a b"} << "(2 times \"a b\")";
    QTest::newRow("accents") << QStringList{QStringLiteral("caf\u00e9"), QStringLiteral("cafe\u0301")}
                             << QStringLiteral("(2 times \"caf\u00e9\")");
    QTest::newRow("full width") << QStringList{QStringLiteral("\uff21"), "A"} << "(2 times \"A\")";
    QTest::newRow("many") << QStringList{"a", "a ", "b", "b ", "c", "c ", "d", "d "}
                          << "(2 times \"a\", 2 times \"b\", 2 times \"c\", ...)";
}

void TestEngineAlikeLabels::said()
{
    QFETCH(const QStringList, labels);
    QFETCH(const QString, part);
    LabelColumn column;
    column.name = "topic";
    for (const QString& label : labels)
        column.categories.push_back(label.toStdString());
    const QString notice = QString::fromStdString(engine::alikeLabels(column));
    QVERIFY2(part.isEmpty() ? notice.isEmpty() : notice.contains(part) && notice.contains("\"topic\""),
             notice.toUtf8().constData());
}

HEADSCOPE_TEST_GUILESS(TestEngineAlikeLabels)
#include "tst_engine_alike_labels.moc"
