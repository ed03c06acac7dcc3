// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/topic_names.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>

#include <fstream>

using namespace headscope;
using namespace headscope::engine;

class TestEngineTopicNames : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void alikeLabelsAreNamed();
    void readsLinesAndJson_data();
    void readsLinesAndJson();
    void refuses_data();
    void refuses();
    void putsNamesFirst();
    void findsTheColumn();
    void standInATemplate();
    void oneTokenIsWarnedAbout();

private:
    [[nodiscard]] std::filesystem::path write(const QByteArray& text) const
    {
        const auto path = std::filesystem::path(m_folder.path().toStdString()) / "topics";
        std::ofstream(path, std::ios::binary) << text.toStdString();
        return path;
    }
    QTemporaryDir m_folder;
};

namespace
{

DocumentSet documentsWith(std::vector<LabelColumn> labels)
{
    DocumentSet documents;
    documents.ids = {"0", "1", "2", "3"};
    documents.labels = std::move(labels);
    return documents;
}

} // namespace

void TestEngineTopicNames::standInATemplate()
{
    const std::vector<std::string> names = {"admin", "web {} games"};
    QCOMPARE(topicTexts(names, {}), names);
    QCOMPARE(topicTexts(names, "Text about {}."),
             (std::vector<std::string>{"Text about admin.", "Text about web {} games."}));
}

void TestEngineTopicNames::oneTokenIsWarnedAbout()
{
    QCOMPARE(oneTokenWarning("topic", {"a", "b"}, {2, 3}), std::string());
    const std::string warning = oneTokenWarning("topic", {"a", "b", "c", "d", "e"}, {1, 1, 4, 1, 1});
    QVERIFY(warning.starts_with("4 of 5 topic names of \"topic\" are a single token (\"a\", \"b\", \"d\", ...)"));
    QVERIFY(warning.find("--topic-template") != std::string::npos);
}

void TestEngineTopicNames::readsLinesAndJson_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("lines") << QByteArray("  Arts and music\r\n\nSports\t\n");
    QTest::newRow("array") << QByteArray("\n [\"Arts and music\", \"Sports\"]\n");
    QTest::newRow("object") << QByteArray("{\"topic\": [\"Arts and music\", \"Sports\"]}");
}

void TestEngineTopicNames::readsLinesAndJson()
{
    QFETCH(QByteArray, text);
    const auto lists = readTopicLists(write(text));
    HEADSCOPE_VERIFY_OK(lists);
    QCOMPARE(lists->size(), std::size_t{1});
    QVERIFY((lists->front().names == std::vector<std::string>{"Arts and music", "Sports"}));
    QCOMPARE(lists->front().column, std::string(text.startsWith('{') ? "topic" : ""));
}

void TestEngineTopicNames::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, const char* text, const char* part) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(part);
    };
    row("empty", "\n \n", "topics: expected at least one topic, found none");
    row("empty array", "[]", "at least one topic");
    row("empty object", "{}", "at least one topic");
    row("twice", "a\nb\na\n", "expected every topic once, found \"a\" twice");
    row("number", "[\"a\", 3]", "name 1: expected a string, found an integer");
    row("no array", R"({"t": "a"})", "t: expected an array of names, found a string");
    row("column twice", R"({"t": ["a"], "t": ["b"]})", "\"t\" twice");
    row("no JSON", "[\"a\"", "expected valid JSON");
    row("empty name", "[\"\"]", "found an empty one");
}

void TestEngineTopicNames::refuses()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, part);
    HEADSCOPE_VERIFY_ERROR(readTopicLists(write(text)), ErrorCode::BadFormat, part.toStdString());
}

void TestEngineTopicNames::putsNamesFirst()
{
    auto documents = documentsWith({{"topic", {1, -1, 0, 1}, {"cats", "dogs"}}});
    HEADSCOPE_VERIFY_OK(applyTopicLists({{"", {"birds", "dogs"}}}, "", {}, documents));
    QVERIFY((documents.labels[0].categories == std::vector<std::string>{"birds", "dogs", "cats"}));
    QVERIFY((documents.labels[0].codes == std::vector<std::int32_t>{1, -1, 2, 1}));
}

void TestEngineTopicNames::findsTheColumn()
{
    const LabelColumn topic{"topic", {0, 0, 0, 0}, {"a"}};
    const LabelColumn language{"language", {0, 0, 0, 0}, {"en"}};
    auto two = documentsWith({topic, language});
    HEADSCOPE_VERIFY_ERROR(applyTopicLists({{"", {"x"}}}, "", {}, two), ErrorCode::InvalidArgument,
                           "expected --label with one of the label columns: topic, language");
    HEADSCOPE_VERIFY_ERROR(applyTopicLists({{"colour", {"x"}}}, "", {}, two), ErrorCode::InvalidArgument,
                           "found \"colour\"");
    HEADSCOPE_VERIFY_OK(applyTopicLists({{"", {"x"}}}, "language", {}, two));
    QVERIFY((two.labels[1].categories == std::vector<std::string>{"x", "en"}));
    auto none = documentsWith({});
    HEADSCOPE_VERIFY_OK(applyTopicLists({{"", {"x", "y"}}}, "", {}, none));
    QCOMPARE(none.labels[0].name, std::string("topic"));
    QVERIFY((none.labels[0].codes == std::vector<std::int32_t>(4, -1)));
}

void TestEngineTopicNames::alikeLabelsAreNamed()
{
    struct Case
    {
        std::vector<std::string> labels;
        std::string part; ///< "" = nothing is said
    };
    const std::vector<Case> cases = {
        {{}, ""},
        {{"a", "b", "a b", "ab", "A"}, ""},
        {{"a b", "a  b", "c"}, "(2 times \"a b\")"},
        {{" a", "a", "a "}, "(3 times \"a\")"},
        {{"a\u00a0b", "a b"}, "(2 times \"a b\")"},               // a no-break space
        {{"caf\u00e9", "cafe\u0301"}, "(2 times \"caf\u00e9\")"}, // an accent of its own
        {{"\uff21", "A"}, "(2 times \"A\")"},                     // full width
        {{"a", "a ", "b", "b ", "c", "c ", "d", "d "}, "2 times \"c\", ...)"},
    };
    for (const Case& each : cases)
    {
        LabelColumn column;
        column.name = "topic";
        column.categories = each.labels;
        const std::string notice = alikeLabels(column);
        QVERIFY2(each.part.empty()
                     ? notice.empty()
                     : notice.find(each.part) != std::string::npos && notice.find("\"topic\"") != std::string::npos,
                 notice.c_str());
    }
}

HEADSCOPE_TEST_GUILESS(TestEngineTopicNames)
#include "tst_engine_topic_names.moc"
