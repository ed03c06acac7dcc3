// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/records/record_json.h"

#include "model/formats/json.h"
#include "tests/model/io/records/sample_record.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

using namespace headscope;
using test::SampleValue;

class TestRecordJson : public QObject
{
    Q_OBJECT

private:
    static Result<SampleValue> readFrom(const std::string& text)
    {
        JsonParser parser;
        HEADSCOPE_TRY(const auto line, parser.parseLine(text));
        SampleValue read = test::otherValue();
        HEADSCOPE_CHECK(readRecord(line, recordOf(read)));
        return read;
    }
    static std::string changed(const std::string& from, const std::string& to)
    {
        std::string text = recordJson(recordOf(SampleValue()));
        const auto at = text.find(from);
        return at == std::string::npos ? "nothing to change" : text.replace(at, from.size(), to);
    }

private Q_SLOTS:
    void whatIsWrittenIsRead()
    {
        for (const SampleValue& value : {SampleValue(), test::otherValue()})
        {
            const auto read = readFrom(recordJson(recordOf(value)));
            HEADSCOPE_VERIFY_OK(read);
            QVERIFY(*read == value);
        }
    }

    void itIsPlainJson()
    {
        const test::SamplePart part{"a \"b\"", {1, -2}};
        QCOMPARE(recordJson(recordOf(part)), std::string("{\"name\": \"a \\\"b\\\"\", \"numbers\": [1, -2]}"));
        const test::SampleRow row{2, 0.5, true, std::numeric_limits<double>::quiet_NaN()};
        QCOMPARE(recordJson(recordOf(row)),
                 std::string("{\"head\": 2, \"share\": 0.5, \"is_top\": true, \"later\": null}"));
    }

    void damageIsNamed_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const char* from, const char* to, const char* part) {
            QTest::newRow(name) << from << to << part;
        };
        row("missing", "\"text\": \"text\", ", "", "the key text is missing");
        row("kind", "\"count\": 7", "\"count\": \"7\"", "expected an integer, found a string for the key count");
        row("range", "\"count\": 7", "\"count\": 70", "expected an integer from 1 to 10, found \"70\" for the key");
        row("word", "\"rare\"", "\"odd\"", "expected one of plain, rare, found \"odd\"");
        row("text", "\"stage\": \"2\"", "\"stage\": \"9\"", "expected a stage, found \"9\" for the key stage");
        row("too large", "\"numbers\": [4, 5]", "\"numbers\": [4, 5000000000]", "expected a smaller number");
        row("no array", "\"reals\": [1.5, -2]", "\"reals\": 1.5", "expected an array");
        row("ragged", "[1, 2, 3], ", "[1, 2], ", "expected rows of one length");
        row("no object", "\"digests\": {", "\"digests\": [], \"more\": {", "expected an object for the key digests");
        row("missing group", "\"part\"", "\"other\"", "the key part is missing");
        row("no row", "\"row\": [", "\"row\": 1, \"more\": [", "expected an array for the key row");
        row("short row", "[1, 0.75, 1, 2]", "[1, 0.75]", "expected more than 2 numbers in a row for the key row");
        row("long row", "[1, 0.75, 1, 2]", "[1, 0.75, 1, 2, 3]", "expected 4 numbers in a row, found 5");
        row("number of a row", "[1, 0.75, 1, 2]", "[1, 1.75, 1, 2]", "expected share from 0 to 1, found 1.75");
        row("no list", "\"list\": [", "\"list\": 1, \"more\": [", "expected an array for the key list");
    }

    void damageIsNamed()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, part);
        HEADSCOPE_VERIFY_ERROR(readFrom(changed(from.toStdString(), to.toStdString())), ErrorCode::BadFormat,
                               part.toUtf8().constData());
    }

    void otherKeysArePassedOver()
    {
        const auto read = readFrom(changed("\"count\"", "\"new\": {\"x\": [1]}, \"count\""));
        HEADSCOPE_VERIFY_OK(read);
        QVERIFY(*read == SampleValue());
    }
};

HEADSCOPE_TEST_GUILESS(TestRecordJson)
#include "tst_record_json.moc"
