// SPDX-License-Identifier: GPL-3.0-or-later
// Parquet as documents, and fault row 10: files that are cut, damaged or lie. All but one need Arrow.
#include "model/io/texts/parquet_records.h"

#include "model/io/texts/preview_reader.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/model/io/texts/read_documents.h"
#include "tests/support/process.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <sys/resource.h>

#include <algorithm>
#include <iterator>
#include <random>

using namespace headscope;
using test::digest;
using test::readAll;
using test::write;

namespace
{

std::filesystem::path fixture(const std::string& name)
{
    return test::golden("parquet/" + name + ".parquet");
}

std::string bytesOf(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

DocumentOptions labels(std::vector<std::string> names)
{
    DocumentOptions options;
    options.labelColumns = std::move(names);
    return options;
}

const std::string kDocs = "a=the cat sat on the mat[cat] b=dogs bark at night[dog] c=a kitten purrs[cat] "
                          "d=the puppy runs[dog] e=fish swim deep[fish] f=sharks are fish[fish] ";

} // namespace

class TestParquetReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void saysHowToGoOnWithoutArrow();
    void reads_data();
    void reads();
    void everyType_data();
    void everyType();
    void nestedTexts();
    void namesRows();
    void sampleIsThatOfOtherFormats_data();
    void sampleIsThatOfOtherFormats();
    void sampleReadsOnlyItsRowGroups();
    void manyBatches_data();
    void manyBatches();
    void foldersAndManyInputs();
    void foldersThatAreColumns();
    void damaged_data();
    void damaged();
    void rowGroupsBeforeTheDamageAreRead();
    void bombIsBounded();
    void mutants();
    void preview();

private:
    test::TemporaryFolder m_folder;
};

void TestParquetReader::init()
{
    const bool needsArrow = QTest::currentTestFunction() != std::string_view("saysHowToGoOnWithoutArrow");
    if (const auto version = arrowVersion(); !version && needsArrow)
        QSKIP(("no Arrow: " + version.error().sentence() + "; packaging/parquet.sh fetches it").c_str());
}

void TestParquetReader::saysHowToGoOnWithoutArrow()
{
    if (arrowVersion())
        QSKIP("this build reads Parquet");
    HEADSCOPE_VERIFY_ERROR(readAll({fixture("docs-none")}), ErrorCode::Unsupported,
                           "docs-none.parquet: built without Parquet; convert to JSONL or CSV");
}

void TestParquetReader::reads_data()
{
    QTest::addColumn<QString>("file");
    for (const char* file : {"docs-none", "docs-snappy", "docs-zstd", "docs-gzip", "docs-brotli", "docs-lz4", "docs-v2",
                             "plain-zstd", "plain-v2"})
        QTest::newRow(file) << QString::fromLatin1(file);
}

void TestParquetReader::reads()
{
    QFETCH(QString, file);
    const auto path = fixture(file.toStdString());
    const auto read = readAll({path});
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(digest(*read), kDocs);
    QCOMPARE(read->labels, std::vector<std::string>{"topic"});
    QVERIFY(read->notices.empty());

    DocumentOptions options;
    options.limit = 3;
    options.idColumn = "";
    const auto some = readAll({path}, options);
    HEADSCOPE_VERIFY_OK(some);
    QCOMPARE(digest(*some), std::string("0=the cat sat on the mat[cat] 1=dogs bark at night[dog] 2=a kitten "
                                        "purrs[cat] "));
}

void TestParquetReader::everyType_data()
{
    QTest::addColumn<QString>("column");
    QTest::addColumn<QByteArray>("expected");
    const auto add = [](const char* column, const char* expected) {
        QTest::newRow(column) << QString::fromLatin1(column) << QByteArray(expected);
    };
    add("nr", "0=one[7] 1=two[-8] ");
    add("huge", "0=one[18446744073709551615] 1=two[0] ");
    add("score", "0=one[0.5] 1=two[] ");
    add("small", "0=one[0.25] 1=two[2] ");
    add("yes", "0=one[true] 1=two[false] ");
    add("day", "0=one[2024-02-29] 1=two[] ");
    add("at", "0=one[2024-02-29 12:30:15.000000] 1=two[] ");
    add("price", "0=one[1.50] 1=two[] ");
    add("kind", "0=one[x] 1=two[y] ");
    add("bytes", "0=one[a\xEF\xBF\xBD]! 1=two[plain] ");
    add("four", "0=one[abcd] 1=two[efgh] ");
    add("nothing", "0=one[] 1=two[] ");
    add("tags", "0=one[p] 1=two[] ");
    add("tags.1", "0=one[q] 1=two[] ");
    add("labels.section", "0=one[cats] 1=two[] ");
    add("labels.deep.er", "0=one[u] 1=two[] ");
    add("labels.deep.er.1", "0=one[v] 1=two[] ");
    add("a.b", "0=one[dotted] 1=two[dotted] ");
    add("map", "types.parquet: row 1: expected a label in the column \"map\", found an array or object");
    add("labels", "types.parquet: row 1: expected a label in the column \"labels\", found an array or object; "
                  "to use one of its fields, name the column labels.FIELD");
    add("numbers", "types.parquet: row 1: expected a label in the column \"numbers\"");
    add("labels.none", "expected a label column \"labels.none\", found the columns text, nr");
}

void TestParquetReader::everyType()
{
    QFETCH(QString, column);
    QFETCH(QByteArray, expected);
    const auto read = readAll({fixture("types")}, labels({column.toStdString()}));
    if (read)
        QCOMPARE(QByteArray::fromStdString(digest(*read)), expected);
    else
        QVERIFY2(read.error().sentence().find(expected.toStdString()) != std::string::npos,
                 read.error().sentence().c_str());
}

void TestParquetReader::nestedTexts()
{
    DocumentOptions options = labels({"tags"});
    options.textColumn = "kind";
    options.joinLists = true;
    const auto joined = readAll({fixture("types")}, options);
    HEADSCOPE_VERIFY_OK(joined);
    QCOMPARE(digest(*joined), std::string("0=x[p, q] 1=y[] "));

    const auto first = readAll({fixture("types")}, labels({"tags"}));
    HEADSCOPE_VERIFY_OK(first);
    QCOMPARE(first->notices.size(), std::size_t{1});
    QVERIFY(first->notices[0].starts_with("1 of 2 documents have several labels in \"tags\": the first is used"));
}

void TestParquetReader::namesRows()
{
    const auto bad = ErrorCode::BadFormat;
    HEADSCOPE_VERIFY_ERROR(readAll({fixture("null-text")}), bad,
                           "null-text.parquet: row 2: expected text in the column \"text\", found null");
    HEADSCOPE_VERIFY_ERROR(readAll({fixture("no-rows")}), bad, "expected at least one document, found none");
    HEADSCOPE_VERIFY_ERROR(readAll({fixture("same-ids")}), bad,
                           "row 3: expected unique ids, found \"p\", which is also the id of row 1");
    HEADSCOPE_VERIFY_ERROR(readAll({fixture("same-columns")}), bad,
                           "same-columns.parquet: expected different column names, found \"text\" twice");
    HEADSCOPE_VERIFY_ERROR(readAll({fixture("same-members")}), bad, "found \"meta.topic\" twice");
    const auto longIds = readAll({fixture("long-ids")});
    HEADSCOPE_VERIFY_OK(longIds);
    QCOMPARE(digest(*longIds), std::string("12345678901234567890123=x[] 12345678901234567890999=y[] "));
    const auto some = readAll({fixture("row-numbers")});
    HEADSCOPE_VERIFY_OK(some);
    QCOMPARE(digest(*some), std::string("0=x[] 1=y[] "));
    QCOMPARE(some->notices, std::vector<std::string>{"some documents have no id: their row numbers are used"});

    DocumentOptions options;
    options.textColumn = "body";
    HEADSCOPE_VERIFY_ERROR(readAll({fixture("docs-zstd")}, options), bad,
                           "docs-zstd.parquet: expected the column \"body\" with the text, found the columns id, text, "
                           "topic; --text-column names another column");
    options.textColumn = "nr";
    HEADSCOPE_VERIFY_ERROR(readAll({fixture("types")}, options), bad,
                           "row 1: expected text in the column \"nr\", found a number or truth value");
}

void TestParquetReader::sampleIsThatOfOtherFormats_data()
{
    QTest::addColumn<int>("sample");
    QTest::addColumn<int>("limit");
    QTest::newRow("one") << 1 << 0;
    QTest::newRow("some") << 3 << 0;
    QTest::newRow("of the first") << 2 << 5;
    QTest::newRow("all") << 6 << 0;
}

void TestParquetReader::sampleIsThatOfOtherFormats()
{
    QFETCH(int, sample);
    QFETCH(int, limit);
    const auto lines = m_folder.file("same.jsonl");
    const auto whole = readAll({fixture("docs-none")});
    HEADSCOPE_VERIFY_OK(whole);
    std::string text;
    for (const InputDocument& document : whole->documents)
        text += "{\"id\": \"" + document.id + "\", \"text\": \"" + document.text + "\", \"topic\": \"" +
                document.labels[0] + "\"}\n";
    write(lines, text);
    for (std::uint64_t seed = 1; seed < 20; ++seed)
    {
        DocumentOptions options = labels({"topic"});
        options.sample = sample;
        options.limit = limit;
        options.seed = seed;
        const auto ours = readAll({fixture("docs-none")}, options);
        HEADSCOPE_VERIFY_OK(ours);
        const auto theirs = readAll({lines}, options);
        HEADSCOPE_VERIFY_OK(theirs);
        QCOMPARE(digest(*ours), digest(*theirs));
        // Two files, of which one does not say how many rows it has: all are read, and the sample is the same.
        options.repeatedIds = RepeatedIds::Suffix;
        const auto twice = readAll({fixture("docs-none"), fixture("docs-zstd")}, options);
        HEADSCOPE_VERIFY_OK(twice);
        const auto mixed = readAll({fixture("docs-none"), lines}, options);
        HEADSCOPE_VERIFY_OK(mixed);
        for (std::size_t i = 0; i < mixed->documents.size(); ++i)
            QCOMPARE(twice->documents[i].text, mixed->documents[i].text);
    }
}

/// The second row group is damaged: whether a sample reads it is seen.
void TestParquetReader::sampleReadsOnlyItsRowGroups()
{
    int read = 0;
    int refused = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed)
    {
        DocumentOptions options;
        options.sample = 1;
        options.seed = seed;
        const auto sound = readAll({fixture("docs-none")}, options);
        HEADSCOPE_VERIFY_OK(sound);
        const std::string id = sound->documents.at(0).id;
        const auto sampled = readAll({fixture("bad-crc")}, options);
        QCOMPARE(sampled.has_value(), id != "c" && id != "d");
        (sampled ? read : refused) += 1;
    }
    QVERIFY(read > 5 && refused > 2);
}

void TestParquetReader::manyBatches_data()
{
    QTest::addColumn<int>("group");
    QTest::newRow("several row groups in a batch's size") << 700;
    QTest::newRow("several batches in a row group") << 5000;
}

/// Batches are decoded ahead of those whose rows are taken: every row comes once, whatever is skipped.
void TestParquetReader::manyBatches()
{
    QFETCH(int, group);
    constexpr std::int64_t kRows = 9'000;
    const auto path = m_folder.file("many.parquet");
    const auto made =
        test::run(test::program("make_parquet"), {QString::fromStdString(path.string()), QString::number(kRows),
                                                  QStringLiteral("zstd"), QString::number(group)});
    QCOMPARE(made.exitCode, 0);
    for (const std::int64_t stride : {0, 1, 650, 1'024, 3'000}) // rows that are skipped after 2,500 in a row
    {
        RecordOptions options;
        options.columns = {"text", "id"};
        const auto reader = openParquet(path, options);
        HEADSCOPE_VERIFY_OK(reader);
        Record record;
        std::int64_t row = 0;
        for (std::int64_t taken = 0; row < kRows; ++row, ++taken)
        {
            if (stride > 0 && taken > 0 && taken % 2'500 == 0)
            {
                const auto skipped = (*reader)->skip(stride);
                HEADSCOPE_VERIFY_OK(skipped);
                row += *skipped;
                if (row == kRows)
                    break;
            }
            const auto any = (*reader)->next(record);
            HEADSCOPE_VERIFY_OK(any);
            QVERIFY(*any);
            QCOMPARE(record.line, row + 1);
            QCOMPARE(record.fields.at(1).text, "doc-" + std::to_string(row));
            QVERIFY(record.fields.at(0).text.starts_with("document " + std::to_string(row) + " "));
        }
        const auto end = (*reader)->next(record);
        HEADSCOPE_VERIFY_OK(end);
        QVERIFY(!*end);
    }
    // Reading that ends early does not wait for more than the batch in work.
    const auto unread = openParquet(path, {});
    HEADSCOPE_VERIFY_OK(unread);
    Record record;
    for (int i = 0; i < 2'100; ++i)
        HEADSCOPE_VERIFY_OK((*unread)->next(record));
}

void TestParquetReader::foldersAndManyInputs()
{
    const auto folder = m_folder.file("tables");
    std::filesystem::create_directories(folder / "b");
    std::filesystem::copy_file(fixture("docs-zstd"), folder / "b/2.parquet");
    std::filesystem::copy_file(fixture("null-text"), folder / "other.bin");
    std::filesystem::copy_file(fixture("docs-none"), folder / "1.parquet");
    DocumentOptions options;
    options.repeatedIds = RepeatedIds::Suffix;
    const auto read = readAll({folder}, options);
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(read->documents.size(), std::size_t{12});
    QCOMPARE(read->documents[5].id, std::string("f"));
    QCOMPARE(read->documents[6].id, std::string("a-2"));
    options.sample = 4;
    const auto sampled = readAll({folder}, options);
    HEADSCOPE_VERIFY_OK(sampled);
    const auto named = readAll({folder / "1.parquet", folder / "b/2.parquet"}, options);
    HEADSCOPE_VERIFY_OK(named);
    QCOMPARE(digest(*sampled), digest(*named));
    write(folder / "c/text.txt", "a text"); // and those are what is read then
    const auto texts = readAll({folder});
    HEADSCOPE_VERIFY_OK(texts);
    QCOMPARE(texts->documents.size(), std::size_t{1});
}

void TestParquetReader::foldersThatAreColumns()
{
    const auto folder = m_folder.file("hive");
    const auto put = [&folder](const std::string& below) {
        std::filesystem::create_directories(folder / below);
        std::filesystem::copy_file(fixture("docs-zstd"), folder / below / "0.parquet");
    };
    put("lang=en/topic=other"); // the files have a topic of their own: that of the folder wins
    put("lang=fr%20CA");
    put("lang=__HIVE_DEFAULT_PARTITION__");
    DocumentOptions options;
    options.repeatedIds = RepeatedIds::Suffix; // "id" is no label
    const auto read = readAll({folder}, options);
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(read->documents.size(), 18U);
    QCOMPARE(read->labels, (std::vector<std::string>{"topic", "lang"}));
    QCOMPARE(read->documents[0].labels, (std::vector<std::string>{"cat", ""}));
    QCOMPARE(read->documents[6].labels, (std::vector<std::string>{"other", "en"}));
    QCOMPARE(read->documents[12].labels, (std::vector<std::string>{"cat", "fr CA"}));
    options.labelColumns = {"lang"}; // no other column is read
    const auto named = readAll({folder}, options);
    HEADSCOPE_VERIFY_OK(named);
    QCOMPARE(named->documents[6].labels, std::vector<std::string>{"en"});
}

void TestParquetReader::damaged_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("part");
    const auto add = [](const char* file, ErrorCode code, const char* part) {
        QTest::newRow(file) << QString::fromLatin1(file) << static_cast<int>(code) << QString::fromLatin1(part);
    };
    const auto bad = ErrorCode::BadFormat;
    add("cut", bad, "found a file that does not end with PAR1: it is truncated or damaged");
    add("cut-small", bad, "expected Parquet, found a file of 9 bytes: it is truncated");
    add("no-magic", bad, "expected Parquet, found a file that does not start with PAR1");
    add("no-end", bad, "found a file that does not end with PAR1");
    add("encrypted", ErrorCode::Unsupported, "expected unencrypted Parquet, found an encrypted file");
    add("long-footer", bad, "expected a footer inside the file of 2094 bytes, found a footer of 2147483648 bytes");
    add("broken-footer", bad, "the Parquet data is damaged (");
    add("bad-crc", bad,
        "row group 2 of 3 (rows 3 to 4): expected a page that matches its checksum, found a damaged one");
    add("more-rows", bad, "expected 7 rows as the footer says, found 6 in its row groups");
    add("lying-rows", bad, "row group 3 of 3");
    add("negative-dictionary", bad, "row group 1 of 3");
    add("lzo", ErrorCode::Unsupported, "convert it to JSONL or CSV, or write it again with zstd");
}

void TestParquetReader::damaged()
{
    QFETCH(QString, file);
    QFETCH(int, code);
    QFETCH(QString, part);
    const auto path = fixture(file.toStdString());
    const auto read = readAll({path});
    HEADSCOPE_VERIFY_ERROR(read, static_cast<ErrorCode>(code), part.toStdString());
    QVERIFY(read.error().sentence().starts_with(path.string()));
    DocumentOptions options;
    options.sample = 6;
    HEADSCOPE_VERIFY_ERROR(readAll({path}, options), static_cast<ErrorCode>(code), "");
}

void TestParquetReader::rowGroupsBeforeTheDamageAreRead()
{
    JobContext job;
    const auto seen = readPreview(fixture("bad-crc"), {}, job);
    HEADSCOPE_VERIFY_OK(seen);
    QCOMPARE(seen->rowsRead, std::int64_t{2});
    QVERIFY(seen->fault.has_value());
    QVERIFY(!seen->whole);
    QVERIFY(seen->fault->sentence().find("row group 2 of 3") != std::string::npos);
    DocumentOptions options;
    options.limit = 2;
    const auto sound = readAll({fixture("bad-crc")}, options);
    HEADSCOPE_VERIFY_OK(sound);
    QCOMPARE(sound->documents.size(), std::size_t{2});
}

void TestParquetReader::bombIsBounded()
{
    const auto peak = [] {
        rusage used{};
        ::getrusage(RUSAGE_SELF, &used);
        return std::int64_t{used.ru_maxrss} / 1024;
    };
    HEADSCOPE_VERIFY_OK(readAll({fixture("docs-zstd")}));
    const std::int64_t before = peak();
    const auto read = readAll({fixture("bomb")});
    QVERIFY(!read);
    QCOMPARE(read.error().code, ErrorCode::BadFormat);
    QVERIFY2(peak() - before < 600, qPrintable(QString::number(peak() - before) + QStringLiteral(" MB")));
}

/// Whatever the bytes are, an error or documents; crashes and sanitizers' words end the test program.
void TestParquetReader::mutants()
{
    std::mt19937 random(20'240'229); // NOLINT: the same mutants each time
    const auto below = [&random](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
    int read = 0;
    int refused = 0;
    const auto path = m_folder.file("mutant.parquet");
    for (const char* name : {"docs-zstd", "plain-none", "plain-zstd", "plain-v2", "types"})
    {
        const std::string sound = bytesOf(fixture(name));
        for (int i = 0; i < 100; ++i)
        {
            std::string bytes = sound;
            for (std::size_t changes = 1 + below(3); changes > 0; --changes)
                bytes[below(bytes.size())] = static_cast<char>(below(256));
            write(path, bytes);
            const auto documents = readAll({path});
            (documents ? read : refused) += 1;
            if (!documents)
                QVERIFY2(documents.error().code != ErrorCode::Internal, documents.error().sentence().c_str());
        }
    }
    QVERIFY2(read > 10 && refused > 100, qPrintable(QStringLiteral("%1 %2").arg(read).arg(refused)));
}

void TestParquetReader::preview()
{
    JobContext job;
    const auto seen = readPreview(fixture("types"), {}, job);
    HEADSCOPE_VERIFY_OK(seen);
    QCOMPARE(seen->rowsRead, std::int64_t{2});
    QVERIFY(seen->whole);
    QCOMPARE(seen->columns.front().name, std::string("text"));
    QCOMPARE(seen->rows[1].cells[1], std::string("-8"));
    const auto column = [&seen](const std::string& name) {
        const auto found = std::find_if(seen->columns.begin(), seen->columns.end(),
                                        [&name](const ColumnFacts& facts) { return facts.name == name; });
        return static_cast<std::size_t>(found - seen->columns.begin());
    };
    QVERIFY(column("labels.section") < seen->columns.size() && column("labels.deep.er") < seen->columns.size());
    QVERIFY(seen->columns[column("labels.section")].inner);
    QVERIFY(!seen->columns[column("a.b")].inner);
    QCOMPARE(seen->rows[0].cells[column("labels.section")], std::string("cats"));
}

HEADSCOPE_TEST_GUILESS(TestParquetReader)
#include "tst_parquet_reader.moc"
