// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/words/distinct_names.h"

#include "tests/support/test_program.h"

#include <QTest>

class TestDistinctNames : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesAreToldApart_data()
    {
        QTest::addColumn<QStringList>("paths");
        QTest::addColumn<QStringList>("names");
        const auto list = [](std::initializer_list<const char*> words) {
            QStringList made;
            for (const char* word : words)
                made << QString::fromUtf8(word);
            return made;
        };
        QTest::newRow("none") << QStringList() << QStringList();
        QTest::newRow("all differ") << list({"/a/one.h5", "/a/two.h5"}) << list({"one.h5", "two.h5"});
        QTest::newRow("the folder tells")
            << list({"/home/u/first/demo.h5", "/home/u/other.h5", "/home/u/second/demo.h5"})
            << list({"demo.h5 (first)", "other.h5", "demo.h5 (second)"});
        QTest::newRow("the folder above tells") << list({"/u/first/out/demo.h5", "/u/second/out/demo.h5"})
                                                << list({"demo.h5 (first/out)", "demo.h5 (second/out)"});
        QTest::newRow("three, each by what it takes")
            << list({"/u/first/out/demo.h5", "/u/second/out/demo.h5", "/u/third/demo.h5"})
            << list({"demo.h5 (first/out)", "demo.h5 (second/out)", "demo.h5 (third)"});
        QTest::newRow("one in the other") << list({"/out/demo.h5", "/u/out/demo.h5", "/demo.h5"})
                                          << list({"demo.h5 (/out)", "demo.h5 (u/out)", "demo.h5 (/)"});
        QTest::newRow("twice the same") << list({"/a/demo.h5", "/a/demo.h5"}) << list({"demo.h5", "demo.h5"});
        QTest::newRow("any letters") << list({"/ä/d (1).h5", "/ö/d (1).h5"}) << list({"d (1).h5 (ä)", "d (1).h5 (ö)"});
    }
    void namesAreToldApart()
    {
        QFETCH(QStringList, paths);
        QFETCH(QStringList, names);
        QCOMPARE(headscope::ui::distinctNames(paths), names);
    }
};

HEADSCOPE_TEST_GUILESS(TestDistinctNames)
#include "tst_distinct_names.moc"
