// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/json.h"

#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>

#include <fstream>

using namespace headscope;
using namespace std::string_literals;

class TestJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsEveryKind();
    void keepsNulAndOrder();
    void readsLargeIntegers();
    void valuesOfWrongKind();
    void refuses_data();
    void refuses();
    void capsDepth();
    void findsDuplicateKeys_data();
    void findsDuplicateKeys();
    void repairsText();
    void documentsMove();
    void parserReadsLines();
    void readsTokenizerFile();
    void everyPrefixIsRefused();
};

void TestJson::readsEveryKind()
{
    const auto document = JsonDocument::parse(
        R"({"n":null,"t":true,"i":-7,"u":18446744073709551615,"d":2.5,"s":"a","a":[1,2,3],"o":{},"e":[]})", "x.json");
    HEADSCOPE_VERIFY_OK(document);
    const auto root = document->root();
    QCOMPARE(root.kind(), JsonKind::Object);
    QCOMPARE(root.size(), std::size_t{9});
    QVERIFY(root.find("n")->isNull());
    QCOMPARE(root.find("t")->asBool().value(), true);
    QCOMPARE(root.find("i")->asInt().value(), std::int64_t{-7});
    QCOMPARE(root.find("i")->asDouble().value(), -7.0);
    QCOMPARE(root.find("u")->asUnsigned().value(), ~std::uint64_t{0});
    QCOMPARE(root.find("d")->asDouble().value(), 2.5);
    QVERIFY(root.find("s")->asString().value() == "a");
    QVERIFY(!root.find("missing"));
    QVERIFY(!root.find("a")->find("x"));
    std::int64_t sum = 0;
    for (const auto element : root.find("a")->elements())
        sum += element.asInt().value();
    QCOMPARE(sum, std::int64_t{6});
    QCOMPARE(root.find("a")->size(), std::size_t{3});
    QCOMPARE(root.find("e")->size(), std::size_t{0});
    QCOMPARE(root.find("s")->size(), std::size_t{0});
    for ([[maybe_unused]] const auto element : root.find("s")->elements())
        QFAIL("a string has no elements");
    for ([[maybe_unused]] const auto& member : root.find("a")->members())
        QFAIL("an array has no members");
}

void TestJson::keepsNulAndOrder()
{
    const auto document = JsonDocument::parse("{\"z\\u0000y\":\"a\\u0000b\\ufeff\",\"a\":[[1],[2,3]],\"m\":0}", "x");
    HEADSCOPE_VERIFY_OK(document);
    std::vector<std::string> keys;
    for (const auto& [key, value] : document->root().members())
        keys.emplace_back(key);
    QVERIFY((keys == std::vector<std::string>{"z\0y"s, "a", "m"}));
    QVERIFY(document->root().find("z\0y"s)->asString().value() == "a\0b\xEF\xBB\xBF"s);
    std::vector<std::size_t> sizes;
    for (const auto element : document->root().find("a")->elements())
        sizes.push_back(element.size());
    QVERIFY((sizes == std::vector<std::size_t>{1, 2}));
}

void TestJson::readsLargeIntegers()
{
    // What Python writes for model_max_length, and a digit run inside a string, which must stay.
    const auto document = JsonDocument::parse(
        R"({"model_max_length": 1000000000000000019884624838656, "n": -99999999999999999999,
            "s": "\"1000000000000000019884624838656", "f": 1.00000000000000000000001})",
        "tokenizer_config.json");
    HEADSCOPE_VERIFY_OK(document);
    const auto root = document->root();
    QCOMPARE(root.find("model_max_length")->asDouble().value(), 1e30);
    QCOMPARE(root.find("n")->asDouble().value(), -1e20);
    QVERIFY(root.find("s")->asString().value() == "\"1000000000000000019884624838656");
    QCOMPARE(root.find("f")->asDouble().value(), 1.0);
    QVERIFY(!root.find("model_max_length")->asInt());
}

void TestJson::valuesOfWrongKind()
{
    const auto document = JsonDocument::parse(R"([1, "x", 2.0, true, null, -1, 18446744073709551615])", "x");
    HEADSCOPE_VERIFY_OK(document);
    std::vector<JsonView> values;
    for (const auto value : document->root().elements())
        values.push_back(value);
    HEADSCOPE_VERIFY_ERROR(values[0].asString(), ErrorCode::BadFormat, "expected a string, found an integer");
    HEADSCOPE_VERIFY_ERROR(values[1].asInt(), ErrorCode::BadFormat, "expected an integer, found a string");
    HEADSCOPE_VERIFY_ERROR(values[2].asInt(), ErrorCode::BadFormat, "expected an integer, found a number");
    HEADSCOPE_VERIFY_ERROR(values[3].asDouble(), ErrorCode::BadFormat, "expected a number, found a truth value");
    HEADSCOPE_VERIFY_ERROR(values[4].asBool(), ErrorCode::BadFormat, "expected true or false, found null");
    HEADSCOPE_VERIFY_ERROR(values[5].asUnsigned(), ErrorCode::BadFormat, "found a negative one");
    HEADSCOPE_VERIFY_ERROR(values[6].asInt(), ErrorCode::BadFormat, "below 2^63");
}

void TestJson::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, const QByteArray& text, const char* part) {
        QTest::newRow(name) << text << QByteArray(part);
    };
    row("empty", "", "found nothing");
    row("spaces", "  \n ", "found nothing");
    row("open object", "{\"a\":1", "the end of the text at byte 6");
    row("open string", "{\"a\":\"b", "the end of the text at byte 7");
    row("trailing comma", "[1,2,]", "']' at byte 5");
    row("two values", "{} {}", "'{' at byte 3");
    row("bare word", "{\"a\": nul}", "at byte 9");
    row("bad escape", "[\"\\q\"]", "a bad escape");
    row("lone surrogate", "[\"\\ud800\"]", "a bad escape");
    row("not UTF-8", "[\"a\xff\"]", "not UTF-8 (byte 0xff) at byte 3");
    row("control character", "[\"a\nb\"]", "a control character");
    row("number", "[1.]", "a malformed number");
    row("leading zero", "[0123456789012345678901]", "a malformed number");
    row("NaN", "[NaN]", "'N' at byte 1");
    row("after a byte-order mark", "\xEF\xBB\xBF[1,,2]", "',' at byte 6");
}

void TestJson::refuses()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, part);
    const auto document = JsonDocument::parse(text.toStdString(), "dir/a.json");
    HEADSCOPE_VERIFY_ERROR(document, ErrorCode::BadFormat, part.toStdString());
    QCOMPARE(document.error().file, "dir/a.json"s);
    JsonParser parser;
    HEADSCOPE_VERIFY_ERROR(parser.parseLine(text.toStdString()), ErrorCode::BadFormat, part.toStdString());
    HEADSCOPE_VERIFY_OK(parser.parseLine("[1]"));
}

void TestJson::capsDepth()
{
    JsonOptions options;
    options.maxDepth = 8;
    // The library counts the innermost scalar as a level of its own.
    const auto nested = [](int levels) {
        return std::string(static_cast<std::size_t>(levels), '[') + std::string(static_cast<std::size_t>(levels), ']');
    };
    HEADSCOPE_VERIFY_OK(JsonDocument::parse(nested(7), "x", options));
    HEADSCOPE_VERIFY_ERROR(JsonDocument::parse(nested(9), "x", options), ErrorCode::BadFormat, "8 levels");
    HEADSCOPE_VERIFY_ERROR(JsonDocument::parse(nested(1'000'000), "x"), ErrorCode::BadFormat, "64 levels");
    HEADSCOPE_VERIFY_ERROR(JsonDocument::parse(std::string(1'000'000, '['), "x"), ErrorCode::BadFormat, "expected");
}

void TestJson::findsDuplicateKeys_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("key");
    QTest::newRow("top") << QByteArray(R"({"a":1,"b":2,"a":3})") << QByteArray("a");
    QTest::newRow("inner") << QByteArray(R"({"a":{"x":1,"x":1}})") << QByteArray("x");
    QTest::newRow("in array") << QByteArray(R"([{"a":1},{"y":1,"y":1}])") << QByteArray("y");
    QTest::newRow("written differently") << QByteArray(R"({"a":1,"\u0061":1})") << QByteArray("a");
    QTest::newRow("same in different objects") << QByteArray(R"({"a":{"a":{"a":1}},"b":{"a":2}})") << QByteArray();
    QByteArray many = "{";
    for (int i = 0; i < 40; ++i)
        many += "\"k" + QByteArray::number(i) + "\":0,";
    QTest::newRow("many") << many + "\"k3\":1}" << QByteArray("k3");
    QTest::newRow("many, last two") << many + "\"z\":1,\"z\":1}" << QByteArray("z");
    QTest::newRow("many, none") << many + "\"z\":1}" << QByteArray();
}

void TestJson::findsDuplicateKeys()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, key);
    JsonOptions options;
    options.rejectDuplicateKeys = true;
    const auto document = JsonDocument::parse(text.toStdString(), "x", options);
    if (key.isEmpty())
        HEADSCOPE_VERIFY_OK(document);
    else
        HEADSCOPE_VERIFY_ERROR(document, ErrorCode::BadFormat, "found \"" + key.toStdString() + "\" twice");
    HEADSCOPE_VERIFY_OK(JsonDocument::parse(text.toStdString(), "x"));
}

void TestJson::repairsText()
{
    JsonOptions options;
    options.repairText = true;
    JsonParser parser(options);
    const auto line = parser.parseLine("{\"a\xff\":\"x\\ud800y\\ud83d\\ude00\", \"n\": 10000000000000000000000}");
    HEADSCOPE_VERIFY_OK(line);
    QCOMPARE(parser.repairs(), std::size_t{2});
    QVERIFY(line->find("a\xEF\xBF\xBD")->asString().value() == "x\xEF\xBF\xBDy\xF0\x9F\x98\x80");
    QCOMPARE(line->find("n")->asDouble().value(), 1e22);
    HEADSCOPE_VERIFY_OK(parser.parseLine("{}"));
    QCOMPARE(parser.repairs(), std::size_t{0});
    QVERIFY(!parser.parseLine("{\"a\\q\":1}"));
}

void TestJson::documentsMove()
{
    auto document = JsonDocument::parse(R"({"a":[1,2]})", "x");
    HEADSCOPE_VERIFY_OK(document);
    const auto before = document->root();
    JsonDocument other = std::move(*document);
    QCOMPARE(before.find("a")->size(), std::size_t{2});
    QCOMPARE(other.root().find("a")->size(), std::size_t{2});
}

void TestJson::parserReadsLines()
{
    JsonParser parser;
    for (int i = 0; i < 2000; ++i)
    {
        const auto text =
            "{\"id\":" + std::to_string(i) + ",\"text\":\"" + std::string(static_cast<std::size_t>(i), 'x') + "\"}";
        const auto line = parser.parseLine(text);
        HEADSCOPE_VERIFY_OK(line);
        QCOMPARE(line->find("id")->asInt().value(), std::int64_t{i});
        QCOMPARE(line->find("text")->asString().value().size(), static_cast<std::size_t>(i));
    }
}

void TestJson::readsTokenizerFile()
{
    const auto document = JsonDocument::parseFile(test::golden("tokenizers/llama3/tokenizer.json"));
    HEADSCOPE_VERIFY_OK(document);
    const auto model = document->root().find("model");
    QVERIFY(model && model->find("vocab")->size() > 100 && model->find("merges")->size() > 10);
    const auto missing = JsonDocument::parseFile(test::golden("tokenizers/none.json"));
    HEADSCOPE_VERIFY_ERROR(missing, ErrorCode::FileNotFound, "none.json");
    HEADSCOPE_VERIFY_ERROR(JsonDocument::parseFile(test::golden("tokenizers/llama3/tokenizer.json"), {}, 100),
                           ErrorCode::BadFormat, "tokenizer.json");
}

void TestJson::everyPrefixIsRefused()
{
    const std::string text = R"({"a":[1,2.5e3,true,null,"x\u00e9\n"],"b":{"c":-1}})";
    JsonParser parser;
    for (std::size_t length = 0; length < text.size(); ++length)
        QVERIFY(!parser.parseLine(std::string_view(text).substr(0, length)));
    HEADSCOPE_VERIFY_OK(parser.parseLine(text));
}

HEADSCOPE_TEST_GUILESS(TestJson)
#include "tst_json.moc"
