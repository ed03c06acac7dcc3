// SPDX-License-Identifier: GPL-3.0-or-later
// Fault row 31, and what stands in the fields of a document: nested JSON, lists of labels, samples.
#include "tests/model/io/cache_fixture.h"
#include "tests/model/io/texts/read_documents.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <map>

using namespace headscope;
using test::digest;
using test::readAll;
using test::write;

namespace
{

bool says(const test::Read& read, std::string_view part)
{
    for (const std::string& notice : read.notices)
        if (notice.find(part) != std::string::npos)
            return true;
    return false;
}

} // namespace

class TestDocumentFields : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nestedFields_data();
    void nestedFields();
    void aKeyWithTheDotComesFirst();
    void nestedFieldsThatAreNotThere();
    void listsOfLabels();
    void listsAreNoTexts_data();
    void listsAreNoTexts();
    void repeatedIdsGetASuffix();
    void sampleIsTheSameEverywhere();

private:
    test::TemporaryFolder m_folder;
};

void TestDocumentFields::nestedFields_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QByteArray>("content");
    const QByteArray first = R"({"doc": {"body": "x", "key": 7}, "labels": {"section": "s", "by": {"who": "w"}}})";
    const QByteArray second = R"({"labels": {"by": null}, "doc": {"key": "q", "body": "y"}})";
    QTest::newRow("jsonl") << QByteArray("n.jsonl") << QByteArray(first + "\n" + second + "\n");
    QTest::newRow("json") << QByteArray("n.json") << QByteArray("[" + first + ",\n" + second + "]");
}

void TestDocumentFields::nestedFields()
{
    QFETCH(const QByteArray, file);
    QFETCH(const QByteArray, content);
    const auto path = m_folder.file(file.toStdString());
    write(path, content.toStdString());
    DocumentOptions options;
    options.textColumn = "doc.body";
    options.idColumn = "doc.key";
    options.labelColumns = {"labels.section", "labels.by.who"};
    const auto read = readAll({path}, options);
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(digest(*read), std::string("7=x[s,w] q=y[,] "));
    QCOMPARE(read->labels, (std::vector<std::string>{"labels.section", "labels.by.who"}));
    QVERIFY(read->notices.empty());
}

void TestDocumentFields::aKeyWithTheDotComesFirst()
{
    const auto path = m_folder.file("dot.jsonl");
    write(path, R"({"text": "x", "a.b": "key", "a": {"b": "path"}})"
                "\n"
                R"({"text": "y", "a": {"b": "path"}})"
                "\n"
                R"({"text": "z", "a": {"b": {"c": "short"}}, "a.b": {"c": "long"}})"
                "\n"
                R"({"text": "w", "a.b": {}, "a": {"b.c": "inside"}})"
                "\n");
    DocumentOptions options;
    options.limit = 2;
    options.labelColumns = {"a.b"};
    const auto read = readAll({path}, options);
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(digest(*read), std::string("0=x[key] 1=y[path] "));
    options.limit = 0;
    options.labelColumns = {"a.b.c"};
    const auto deeper = readAll({path}, options);
    HEADSCOPE_VERIFY_OK(deeper);
    QCOMPARE(digest(*deeper), std::string("0=x[] 1=y[] 2=z[long] 3=w[inside] "));
    // A table has no fields inside others: its columns are what they are called.
    write(m_folder.file("dot.csv"), "text,a.b\nx,p\ny,p\n");
    options.labelColumns = {"a.b"};
    const auto table = readAll({m_folder.file("dot.csv")}, options);
    HEADSCOPE_VERIFY_OK(table);
    QCOMPARE(digest(*table), std::string("0=x[p] 1=y[p] "));
}

void TestDocumentFields::nestedFieldsThatAreNotThere()
{
    const auto path = m_folder.file("none.jsonl");
    write(path, R"({"text": "x", "labels": {"section": "s"}})"
                "\n"
                R"({"text": "y", "labels": {"section": {"deep": 1}}})"
                "\n");
    DocumentOptions options;
    options.labelColumns = {"labels"};
    HEADSCOPE_VERIFY_ERROR(readAll({path}, options), ErrorCode::BadFormat,
                           "none.jsonl: line 1: expected a label in the field \"labels\", found an array or object; "
                           "to use one of its fields, name the column labels.FIELD");
    options.labelColumns = {"labels.section"};
    HEADSCOPE_VERIFY_ERROR(readAll({path}, options), ErrorCode::BadFormat,
                           "none.jsonl: line 2: expected a label in the field \"labels.section\", found an array or "
                           "object");
    options.labelColumns = {"labels.colour"};
    HEADSCOPE_VERIFY_ERROR(readAll({path}, options), ErrorCode::InvalidArgument,
                           "expected a label column \"labels.colour\"");
    options.labelColumns = {};
    options.textColumn = "labels.section";
    HEADSCOPE_VERIFY_ERROR(readAll({path}, options), ErrorCode::BadFormat,
                           "none.jsonl: line 2: expected text in the field \"labels.section\", found an array or "
                           "object");
    options.textColumn = "body.text";
    HEADSCOPE_VERIFY_ERROR(readAll({path}, options), ErrorCode::BadFormat,
                           "none.jsonl: line 1: expected the field \"body.text\" with the text, found the fields text, "
                           "labels");
}

void TestDocumentFields::listsOfLabels()
{
    const auto path = m_folder.file("lists.jsonl");
    write(path, R"({"text": "x", "categories": ["cs.LG", "stat.ML", "cs.CL"]})"
                "\n"
                R"({"text": "y", "categories": ["cs.CL"]})"
                "\n"
                R"({"text": "z", "categories": []})"
                "\n"
                R"({"text": "w", "categories": ["cs.CL", "math.ST"]})"
                "\n");
    const auto untold = readAll({path});
    HEADSCOPE_VERIFY_OK(untold);
    QVERIFY(untold->labels.empty()); // a list is a label where it is asked for
    DocumentOptions options;
    options.labelColumns = {"categories"};
    const auto first = readAll({path}, options);
    HEADSCOPE_VERIFY_OK(first);
    QCOMPARE(digest(*first), std::string("0=x[cs.LG] 1=y[cs.CL] 2=z[] 3=w[cs.CL] "));
    QCOMPARE(first->notices.size(), std::size_t{1});
    QVERIFY(says(*first, "2 of 4 documents have several labels in \"categories\": the first is used; --label-lists "
                         "joined"));
    options.joinLists = true;
    const auto joined = readAll({path}, options);
    HEADSCOPE_VERIFY_OK(joined);
    QCOMPARE(digest(*joined), std::string("0=x[cs.LG, stat.ML, cs.CL] 1=y[cs.CL] 2=z[] 3=w[cs.CL, math.ST] "));
    QVERIFY(joined->notices.empty());
    options.joinLists = false;
    options.labelColumns = {"categories.1", "categories.2"}; // each place a label of its own
    const auto places = readAll({path}, options);
    HEADSCOPE_VERIFY_OK(places);
    QCOMPARE(digest(*places), std::string("0=x[stat.ML,cs.CL] 1=y[,] 2=z[,] 3=w[math.ST,] "));
    QVERIFY(places->notices.empty());
}

void TestDocumentFields::listsAreNoTexts_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("text") << QByteArray(R"({"text": ["x"], "id": "a", "topic": "t"})")
                          << QByteArray("line 2: expected text in the field \"text\", found a list of texts");
    QTest::newRow("id") << QByteArray(R"({"text": "x", "id": ["a"], "topic": "t"})")
                        << QByteArray("line 2: expected an id in the field \"id\", found a list of texts");
    QTest::newRow("numbers") << QByteArray(R"({"text": "x", "id": "a", "topic": ["t", 5]})")
                             << QByteArray("line 2: expected a label in the field \"topic\", found an array or object");
    QTest::newRow("lists of lists") << QByteArray(R"({"text": "x", "id": "a", "topic": [["t"]]})")
                                    << QByteArray("line 2: expected a label in the field \"topic\"");
}

void TestDocumentFields::listsAreNoTexts()
{
    QFETCH(const QByteArray, line);
    QFETCH(const QByteArray, part);
    const auto path = m_folder.file("kinds.jsonl");
    write(path, "{\"text\": \"x\", \"id\": \"first\", \"topic\": \"t\"}\n" + line.toStdString() + "\n");
    DocumentOptions options;
    options.idColumn = "id";
    options.labelColumns = {"topic"};
    HEADSCOPE_VERIFY_ERROR(readAll({path}, options), ErrorCode::BadFormat, "kinds.jsonl: " + part.toStdString());
}

void TestDocumentFields::repeatedIdsGetASuffix()
{
    const auto path = m_folder.file("ids.csv");
    write(path, "id,text\na,1\nb,2\na,3\na,4\na-2,5\nb,6\n");
    HEADSCOPE_VERIFY_ERROR(readAll({path}), ErrorCode::BadFormat,
                           "ids.csv: line 4: expected unique ids, found \"a\", which is also the id of line 2; "
                           "--id-column '' uses the row numbers, --duplicate-ids suffix makes \"a-2\"");
    DocumentOptions options;
    options.repeatedIds = RepeatedIds::Suffix;
    const auto read = readAll({path}, options);
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(digest(*read), std::string("a=1[] b=2[] a-3=3[] a-4=4[] a-2=5[] b-2=6[] ")); // a-2 is taken, later
    QVERIFY(says(*read, "3 of 6 documents repeat the id of an earlier one"));

    // Over two files, and in a sample: a document keeps its id whatever else is drawn.
    const auto twice = readAll({path, path}, options);
    HEADSCOPE_VERIFY_OK(twice);
    std::map<std::string, std::string> textOfId;
    for (const InputDocument& document : twice->documents)
        QVERIFY2(textOfId.emplace(document.id, document.text).second, document.id.c_str());
    QCOMPARE(textOfId.size(), std::size_t{12});
    options.sample = 5;
    for (options.seed = 1; options.seed < 9; ++options.seed)
    {
        const auto sampled = readAll({path, path}, options);
        HEADSCOPE_VERIFY_OK(sampled);
        QCOMPARE(sampled->documents.size(), std::size_t{5});
        for (const InputDocument& document : sampled->documents)
            QCOMPARE(textOfId.at(document.id), document.text);
    }
    // Where the rows are numbered there is nothing to repeat.
    DocumentOptions numbered;
    numbered.repeatedIds = RepeatedIds::Suffix;
    numbered.idColumn = "";
    const auto rows = readAll({path}, numbered);
    HEADSCOPE_VERIFY_OK(rows);
    QCOMPARE(rows->documents.back().id, std::string("5"));
    QVERIFY(rows->notices.empty());
}

void TestDocumentFields::sampleIsTheSameEverywhere()
{
    std::string text;
    for (int i = 0; i < 1000; ++i)
        text += "{\"text\": \"x" + std::to_string(i) + "\"}\n";
    const auto path = m_folder.file("thousand.jsonl");
    write(path, text);
    DocumentOptions options;
    options.sample = 6;
    options.seed = 7;
    const auto read = readAll({path}, options);
    HEADSCOPE_VERIFY_OK(read);
    // Recorded, and the same by a second program (Philox4x32-10, Fisher-Yates): every release and machine draws these.
    QVERIFY2(digest(*read) == "54=x54[] 178=x178[] 184=x184[] 264=x264[] 447=x447[] 651=x651[] ",
             digest(*read).c_str());
    JobContext job;
    const auto reader = DocumentReader::open({path}, options, job);
    HEADSCOPE_VERIFY_OK(reader);
    QVERIFY((*reader)->sample().has_value());
    QCOMPARE((*reader)->sample()->text(), std::string("6 of 1000 documents, seed 7"));
    options.sample = 1000; // all of them: nothing was drawn
    const auto whole = DocumentReader::open({path}, options, job);
    HEADSCOPE_VERIFY_OK(whole);
    QVERIFY(!(*whole)->sample().has_value());

    // Each document is drawn as often as any other: 200 of 1000 a time, 100 times; sd 4.
    std::vector<int> drawn(1000);
    options.sample = 200;
    for (options.seed = 0; options.seed < 100; ++options.seed)
    {
        const auto sampled = readAll({path}, options, 200);
        HEADSCOPE_VERIFY_OK(sampled);
        int last = -1;
        for (const InputDocument& document : sampled->documents)
        {
            const int row = std::stoi(document.id);
            QVERIFY(row > last); // in their order
            last = row;
            ++drawn[static_cast<std::size_t>(row)];
        }
    }
    const auto [least, most] = std::minmax_element(drawn.begin(), drawn.end());
    QVERIFY2(*least > 0 && *most < 45, (std::to_string(*least) + " to " + std::to_string(*most)).c_str());
}

HEADSCOPE_TEST_GUILESS(TestDocumentFields)
#include "tst_document_fields.moc"
