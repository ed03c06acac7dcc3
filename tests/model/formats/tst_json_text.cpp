// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/json.h"
#include "model/formats/json_text.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;

class TestJsonText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void quotes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("quoted");
        QTest::newRow("plain") << QByteArray("head") << QByteArray("\"head\"");
        QTest::newRow("nothing") << QByteArray("") << QByteArray("\"\"");
        QTest::newRow("quote and backslash") << QByteArray("a\"b\\c") << QByteArray("\"a\\\"b\\\\c\"");
        QTest::newRow("control") << QByteArray("a\n\x01") << QByteArray("\"a\\n\\u0001\"");
        QTest::newRow("not UTF-8") << QByteArray("\xff") << QByteArray("\"\xef\xbf\xbd\"");
    }

    void quotes()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, quoted);
        const std::string result = jsonQuoted({text.data(), static_cast<std::size_t>(text.size())});
        QCOMPARE(QByteArray::fromStdString(result), quoted);
    }
};

HEADSCOPE_TEST_GUILESS(TestJsonText)
#include "tst_json_text.moc"
