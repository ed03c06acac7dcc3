// SPDX-License-Identifier: GPL-3.0-or-later
// Fault rows 8, 9 and 29: files of documents with texts that are damaged, empty or very long, lines that are broken
// anywhere, and more documents than the memory holds.
#include "tests/model/io/cache_fixture.h"
#include "tests/model/io/texts/read_documents.h"
#include "tests/support/sanitized.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <zlib.h>

#include <unistd.h>

#include <algorithm>

using namespace headscope;
using test::readAll;
using test::write;

namespace
{

/// A text in another form of file, as JSON has it.
struct Damaged
{
    const char* name;
    std::string bytes; ///< between the quotes of a JSON text, or in a .txt
    std::string text;  ///< what is read
    bool repaired = false;
};

const std::string kMark = "\xEF\xBF\xBD"; // U+FFFD

std::vector<Damaged> damagedTexts()
{
    using namespace std::string_literals;
    return {{"plain", "plain", "plain"},
            {"a byte that begins nothing", "a\xFF"s, "a" + kMark, true},
            {"cut short", "a\xE2\x82"s, "a" + kMark, true},
            {"overlong", "\xC0\xAF"s, kMark + kMark, true},
            {"a surrogate in UTF-8", "\xED\xA0\x80"s, kMark + kMark + kMark, true},
            {"beyond U+10FFFF", "\xF4\x90\x80\x80"s, kMark + kMark + kMark + kMark, true},
            {"NUL", "a\0b"s, "a" + kMark + "b", true},
            {"BOM inside", "a\xEF\xBB\xBF"s, "a\xEF\xBB\xBF"s},
            {"empty", "", ""},
            {"blanks", " \t ", " \t "},
            {"four bytes", "\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"}};
}

std::int64_t residentBytes()
{
    std::ifstream statm("/proc/self/statm");
    std::int64_t all = 0;
    std::int64_t resident = 0;
    statm >> all >> resident;
    return resident * ::sysconf(_SC_PAGESIZE);
}

} // namespace

class TestDocumentFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void damagedTextsAreRepairedAndCounted_data();
    void damagedTextsAreRepairedAndCounted();
    void brokenLineIsNamed_data();
    void brokenLineIsNamed();
    void longTextsAreWhole();
    void manyDocumentsAreStreamed();

private:
    test::TemporaryFolder m_folder;
};

void TestDocumentFaults::damagedTextsAreRepairedAndCounted_data()
{
    QTest::addColumn<QByteArray>("file");
    for (const char* file : {"d.jsonl", "d.json", "d.csv", "d.tsv", "d.txt"})
        QTest::newRow(file) << QByteArray(file);
}

/// The same texts in every kind of file: the same documents, none left out, with the number of those repaired.
void TestDocumentFaults::damagedTextsAreRepairedAndCounted()
{
    QFETCH(const QByteArray, file);
    const auto path = m_folder.file(file.toStdString());
    const bool json = file.contains("json");
    const bool array = file.endsWith(".json");
    std::string content = "\xEF\xBB\xBF"; // a BOM at the start is no part of the first document
    content += array ? "[" : json || file.endsWith(".txt") ? "" : "text\n";
    std::vector<Damaged> samples = damagedTexts();
    if (json) // a tab is written as an escape there, and so may a lone surrogate be
    {
        samples[9].bytes = R"( \t )";
        samples.push_back({"escaped surrogate", R"(a\udc00)", "a" + kMark, true});
    }
    else if (file.endsWith(".tsv"))
        samples[9] = {"blanks", "  ", "  "};
    for (std::size_t i = 0; i < samples.size(); ++i)
        content += json ? (array && i > 0 ? "," : "") + ("{\"text\": \"" + samples[i].bytes + "\"}\n")
                        : samples[i].bytes + "\n";
    content += array ? "]" : "";
    write(path, content);
    DocumentOptions options;
    options.lines = true;
    const auto read = readAll({path}, options);
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(read->documents.size(), samples.size());
    std::size_t repaired = 0;
    for (std::size_t i = 0; i < samples.size(); ++i)
    {
        QVERIFY2(read->documents[i].text == samples[i].text, samples[i].name);
        QVERIFY2(read->documents[i].repaired == samples[i].repaired, samples[i].name);
        repaired += samples[i].repaired ? 1 : 0;
    }
    QCOMPARE(read->notices.size(), std::size_t{1});
    QCOMPARE(read->notices.front(), std::to_string(repaired) + " of " + std::to_string(samples.size()) +
                                        " documents contain bytes that are not UTF-8, which became U+FFFD");
}

void TestDocumentFaults::brokenLineIsNamed_data()
{
    QTest::addColumn<QByteArray>("broken");
    QTest::newRow("cut") << QByteArray(R"({"id": "k", "text": "x)");
    QTest::newRow("trailing comma") << QByteArray(R"({"id": "k", "text": "x",})");
    QTest::newRow("two objects") << QByteArray(R"({"id": "k", "text": "x"} {"id": "l", "text": "x"})");
    QTest::newRow("single quotes") << QByteArray(R"({'id': 'k', 'text': 'x'})");
    QTest::newRow("number") << QByteArray("5");
    QTest::newRow("text of a wrong type") << QByteArray(R"({"id": "k", "text": {"x": 1}})");
    QTest::newRow("no text") << QByteArray(R"({"id": "k"})");
    QTest::newRow("id of a wrong type") << QByteArray(R"({"id": [1], "text": "x"})");
    QTest::newRow("repeated id") << QByteArray(R"({"id": "before", "text": "x"})");
    QTest::newRow("NaN") << QByteArray(R"({"id": "k", "text": "x", "score": NaN})");
    QTest::newRow("BOM inside") << QByteArray("\xEF\xBB\xBF\xEF\xBB\xBF{\"id\": \"k\", \"text\": \"x\"}");
}

/// Wherever the line stands, with either end of lines, and with or without one at the end of the file.
void TestDocumentFaults::brokenLineIsNamed()
{
    QFETCH(const QByteArray, broken);
    constexpr int kLines = 9;
    const auto path = m_folder.file("k.jsonl");
    DocumentOptions options;
    options.idColumn = "id";
    for (const char* end : {"\n", "\r\n"})
    {
        for (int line = 2; line <= kLines; ++line)
        {
            std::string content = std::string(R"({"id": "before", "text": "x"})") + end;
            for (int i = 2; i <= kLines; ++i)
                content +=
                    (i == line ? broken.toStdString() : "{\"id\": \"d" + std::to_string(i) + "\", \"text\": \"x\"}") +
                    (i < kLines ? end : "");
            write(path, content);
            HEADSCOPE_VERIFY_ERROR(readAll({path}, options), ErrorCode::BadFormat,
                                   "k.jsonl: line " + std::to_string(line));
        }
    }
}

/// A document of 50 MB is a document; one above 64 MiB is refused (`bombs` of tst_document_reader).
void TestDocumentFaults::longTextsAreWhole()
{
    const std::string text(50'000'000, 'a');
    DocumentOptions options;
    options.lines = true;
    for (const char* file : {"l.jsonl", "l.csv", "l.txt"})
    {
        const auto path = m_folder.file(file);
        const bool json = std::string_view(file).ends_with("jsonl");
        write(path, json ? "{\"text\": \"" + text + "\"}\n{\"text\": \"short\"}\n"
                         : (std::string_view(file).ends_with("csv") ? "text\n" : "") + text + "\nshort\n");
        const auto read = readAll({path}, options);
        HEADSCOPE_VERIFY_OK(read);
        QCOMPARE(read->documents.size(), std::size_t{2});
        QVERIFY(read->documents[0].text == text && !read->documents[0].repaired);
        QCOMPARE(read->documents[1].text, std::string("short"));
    }
}

/// 200 MB of documents in a packed file: neither pass keeps them, nor does a sample of them.
void TestDocumentFaults::manyDocumentsAreStreamed()
{
    if (test::kSanitized)
        QSKIP("a sanitizer keeps memory that was freed");
    constexpr int kDocuments = 100'000;
    const auto path = m_folder.file("many.jsonl.gz");
    const std::string text(2'000, 'a');
    gzFile packed = gzopen(path.c_str(), "wb1");
    QVERIFY(packed != nullptr);
    for (int i = 0; i < kDocuments; ++i)
        gzprintf(packed, "{\"text\": \"%d %s\"}\n", i, text.c_str());
    gzclose(packed);
    const std::int64_t before = residentBytes();
    std::int64_t most = 0;
    for (const std::int64_t sample : {0, 1'000})
    {
        DocumentOptions options;
        options.sample = sample;
        JobContext job;
        const auto reader = DocumentReader::open({path}, options, job);
        HEADSCOPE_VERIFY_OK(reader);
        std::int64_t read = 0;
        while (true)
        {
            const auto documents = (*reader)->next(64, job);
            HEADSCOPE_VERIFY_OK(documents);
            if (documents->empty())
                break;
            read += std::ssize(*documents);
            most = std::max(most, residentBytes() - before);
        }
        QCOMPARE(read, sample > 0 ? sample : std::int64_t{kDocuments});
    }
    QVERIFY2(most < std::int64_t{32} << 20, (std::to_string(most) + " bytes").c_str());
}

HEADSCOPE_TEST_GUILESS(TestDocumentFaults)
#include "tst_document_faults.moc"
