// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/texts/document_reader.h"

#include "model/io/texts/csv_separator.h"
#include "model/io/texts/parquet_records.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/model/io/texts/read_documents.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <zlib.h>
#include <zstd.h>

#include <fcntl.h>
#include <unistd.h>

using namespace headscope;

using test::digest;
using test::readAll;
using test::write;

class TestDocumentReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void detectsLabels();
    void saysWhatLabelsMayMean_data();
    void saysWhatLabelsMayMean();
    void takesColumnsAsAsked();
    void separatorsAsAsked();
    void numberColumns();
    void refusesNumbers_data();
    void refusesNumbers();
    void limitsAndSamples();
    void renamesLabels();
    void unpacks();
    void bombs_data();
    void bombs();
    void manyNulBytes();
    void refusesDamagedPacks();
    void readsFoldersAndManyInputs();
    void readsStandardInput();
    void stopsWhenAsked();

private:
    test::TemporaryFolder m_folder;
};

void TestDocumentReader::reads_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("expected");
    const auto add = [](const char* name, const char* file, const QByteArray& content, const QByteArray& expected) {
        QTest::newRow(name) << QString::fromLatin1(file) << content << expected;
    };
    add("jsonl", "a.jsonl", "{\"text\": \"x\"}\n{\"text\": \"y\"}\n", "0=x[] 1=y[] ");
    add("last line without its end", "a.jsonl", "{\"text\": \"x\"}\n{\"text\": \"y\"}", "0=x[] 1=y[] ");
    add("ids beyond 64 bits", "a.jsonl",
        "{\"id\": 12345678901234567890123, \"text\": \"x\", \"w\": [0.5, {\"v\": -1}]}\n"
        "{\"w\": [0.5, {\"v\": 12345678901234567890124}], \"id\": 12345678901234567890999, \"text\": \"y\"}\n"
        "{\"w\": 12345678901234567890125, \"id\": 1234567890123456789, \"text\": \"z\"}\n"
        "{\"id\": -98765432109876543210, \"text\": \"-1e3 12345678901234567890126\"}\n",
        "12345678901234567890123=x[] 12345678901234567890999=y[] 1234567890123456789=z[] "
        "-98765432109876543210=-1e3 12345678901234567890126[] ");
    add("CRLF, BOM, empty lines", "a.jsonl", "\xEF\xBB\xBF{\"text\": \"x\"}\r\n\r\n  \n{\"text\": \"y\"}\r\n",
        "0=x[] 1=y[] ");
    add("ids", "a.jsonl", "{\"id\": \"p\", \"text\": \"x\"}\n{\"id\": 7, \"text\": \"y\"}\n", "p=x[] 7=y[] ");
    add("some ids", "a.jsonl", "{\"id\": \"p\", \"text\": \"x\"}\n{\"text\": \"y\"}\n", "0=x[] 1=y[] ");
    add("empty texts stay", "a.jsonl", "{\"text\": \"\"}\n{\"text\": \" \"}\n", "0=[] 1= [] ");
    add("NUL and BOM as escapes", "a.jsonl", "{\"text\": \"a\\u0000b\\ufeffc\"}\n",
        QByteArray("0=a\0b\xEF\xBB\xBF"
                   "c[] ",
                   12));
    add("NUL as a byte", "a.jsonl", QByteArray("{\"text\": \"a\0b\"}\n", 16),
        "0=a\xEF\xBF\xBD"
        "b[]! ");
    add("invalid UTF-8", "a.jsonl", "{\"text\": \"a\xFF\"}\n{\"text\": \"\xC3\xA4\"}\n",
        "0=a\xEF\xBF\xBD[]! 1=\xC3\xA4[] ");
    add("lone surrogate", "a.jsonl", "{\"text\": \"a\\ud800b\"}\n",
        "0=a\xEF\xBF\xBD"
        "b[]! ");
    add("json array", "a.json", " [ {\"text\": \"x]},{\\\"\"} ,\n{\"text\": \"y\", \"more\": [1, {\"a\": 2}]}\n] \n",
        "0=x]},{\"[] 1=y[] ");
    add("csv", "a.csv", "id,text,topic\n1,x,a\n2,\"y, \"\"z\"\"\nw\",a\n3,,b\n", "1=x[a] 2=y, \"z\"\nw[a] 3=[b] ");
    add("csv CRLF, BOM", "a.csv", "\xEF\xBB\xBFtext\r\nx\r\ny\r\n", "0=x[] 1=y[] ");
    add("csv of CR", "a.csv", "text,topic\rhello,a\rworld,b\r", "0=hello[] 1=world[] ");
    add("csv of CR, quoted", "a.csv", "text;topic\r\"x\ry\";a\rz;a", "0=x\ry[a] 1=z[a] ");
    add("csv of all ends", "a.csv", "text,topic\rx,a\r\ny,a\nz,a\r", "0=x[a] 1=y[a] 2=z[a] ");
    add("csv numbers as text", "a.csv", "text,n\n12,1\nx,1\n", "0=12[] 1=x[] ");
    add("csv one column, empty line", "a.csv", "text\n\nx", "0=[] 1=x[] ");
    add("csv quote inside", "a.csv", "text\na\"b\n", "0=a\"b[] ");
    add("csv of semicolons", "a.csv", "id;\"text, or so\";text\n1;a;x, y\n2;\"b;c\";z\n", "1=x, y[] 2=z[] ");
    add("csv of tabs", "a.csv", "id\ttext\n1\tx; y\n", "1=x; y[] ");
    add("csv of one column", "a.csv", "text\nx;y\nz\n", "0=x;y[] 1=z[] ");
    add("csv of semicolons, a comma in its header", "a.csv", "id;text, in full;text\n1;a;x, y\n2;b;z\n3;c;u, v, w\n",
        "1=x, y[] 2=z[] 3=u, v, w[] ");
    add("csv of semicolons, a comma in each row", "a.csv", "id;text\n1;x, y\n2;z, w\n", "1=x, y[] 2=z, w[] ");
    add("csv of semicolons, as many commas", "a.csv", "text;Price, net\nx;3,14\ny;2,50\n", "0=x[] 1=y[] ");
    add("csv of commas, semicolons in its texts", "a.csv", "id,\"text\"\n1,\"x; y; z\"\n2,\"a; b; c\"\n",
        "1=x; y; z[] 2=a; b; c[] ");
    add("csv of bars", "a.csv", "id|text\n1|x, y; z\n2|w\n", "1=x, y; z[] 2=w[] ");
    add("csv of semicolons, lines inside of quotes", "a.csv", "text;n\n\"x, \"\"y\"\"\nz; w\";1\n\"u;v\";2\n",
        "0=x, \"y\"\nz; w[] 1=u;v[] ");
    add("tsv", "a.tsv", "text\tlang\nx, y\ten\nz\ten\n", "0=x, y[en] 1=z[en] ");
    add("txt", "a.txt", "one\ntwo\n", "a.txt=one\ntwo\n[] ");
    add("empty txt", "a.txt", "", "a.txt=[] ");
}

void TestDocumentReader::reads()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    QFETCH(QByteArray, expected);
    const auto path = m_folder.file(file.toStdString());
    write(path, content.toStdString());
    const auto read = readAll({path});
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(QByteArray::fromStdString(digest(*read)), expected);
}

void TestDocumentReader::refuses_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("part");
    const auto add = [](const char* name, const char* file, const QByteArray& content, ErrorCode code,
                        const char* part) {
        QTest::newRow(name) << QString::fromLatin1(file) << content << static_cast<int>(code)
                            << QString::fromLatin1(part);
    };
    const auto bad = ErrorCode::BadFormat;
    add("broken line", "b.jsonl", "{\"text\": \"x\"}\n{\"text\": \n{\"text\": \"z\"}\n", bad, "b.jsonl: line 2");
    add("trailing comma", "b.jsonl", "{\"text\": \"x\",}\n", bad, "line 1");
    add("array in a line", "b.jsonl", "{\"text\": \"x\"}\n\n[1]\n", bad,
        "line 3: expected an object with the fields of a document, found an array");
    add("no text field", "b.jsonl", "{\"id\": 1, \"body\": \"x\"}\n", bad,
        "line 1: expected the field \"text\" with the text, found the fields id, body; --text-column names another "
        "column");
    add("csv without a column of texts", "b.csv", "Nr,Description,Group\n1,x,a\n", bad,
        "line 1: expected the column \"text\" with the text, found the columns Nr, Description, Group; --text-column "
        "names another column");
    add("text is a number", "b.jsonl", "{\"text\": 5}\n", bad,
        "line 1: expected text in the field \"text\", found a number");
    add("text is null", "b.jsonl", "{\"text\": null}\n", bad, "found null");
    add("double ids", "b.jsonl", "{\"id\": \"p\", \"text\": \"x\"}\n\n{\"id\": \"p\", \"text\": \"y\"}\n", bad,
        "line 3: expected unique ids, found \"p\", which is also the id of line 1");
    add("empty file", "b.jsonl", "", bad, "expected at least one document, found none");
    add("UTF-16", "b.jsonl", QByteArray("\xFF\xFE{\0", 4), bad, "found UTF-16");
    add("object instead of array", "b.json", "{\"text\": \"x\"}", bad, "expected an array of documents");
    add("array cut short", "b.json", "[{\"text\": \"x\"},\n{\"text\": ", bad, "line 2");
    add("array without comma", "b.json", "[{\"text\": \"x\"}\n", bad, "expected a comma or the end of the array");
    add("array with empty place", "b.json", "[{\"text\": \"x\"},]", bad, "expected a document, found none");
    add("more after array", "b.json", "[{\"text\": \"x\"}] 5", bad, "expected nothing after the array");
    add("csv ragged", "b.csv", "id,text\n1,x\n2\n", bad, "line 3: expected 2 fields as in the header, found 1");
    add("csv of semicolons, ragged", "b.csv", "id;Name, whole;text\n1;a;x\n2;y\n", bad,
        "line 3: expected 3 fields as in the header, found 2");
    add("csv open quote", "b.csv", "id,text\n1,\"x\n2,y\n", bad, "line 2: expected the closing quote");
    add("csv after quote", "b.csv", "id,text\n1,\"x\"y\n", bad, "line 2: expected a separator");
    add("key twice", "b.jsonl", "{\"text\": \"x\"}\n{\"text\": \"x\", \"text\": \"y\"}\n", bad,
        "line 2: expected every key once, found \"text\" twice");
    add("label twice", "b.json", "[{\"text\": \"x\", \"topic\": \"a\", \"topic\": \"b\"}]", bad,
        "line 1: expected every key once, found \"topic\" twice");
    add("key twice inside", "b.jsonl", "{\"text\": \"x\", \"meta\": {\"a\": 1, \"a\": 2}}\n", bad, "found \"a\" twice");
    add("csv double column", "b.csv", "text,text\nx,y\n", bad, "found \"text\" twice");
    add("csv empty", "b.csv", "", bad, "expected a header line");
    add("label without a name", "b.jsonl",
        "{\"text\": \"x\"}\n{\"text\": \"a\", \"\": \"p\"}\n{\"text\": \"b\", \"\": \"p\"}\n", bad,
        "line 2: expected a name for each field of labels, found an empty name");
    add("label with NUL in its name", "b.jsonl",
        "{\"text\": \"a\", \"a\\u0000b\": \"p\"}\n{\"text\": \"b\", \"a\\u0000b\": \"p\"}\n", bad,
        "line 1: expected a name without NUL (U+0000) for the field of labels, found \"a");
    add("labels that a cache takes for one", "b.jsonl",
        "{\"text\": \"a\", \"c/d\": \"p\", \"c%2Fd\": \"q\"}\n{\"text\": \"b\", \"c/d\": \"p\", \"c%2Fd\": \"q\"}\n",
        bad,
        "line 1: expected fields of labels with different names when / is written %2F, found \"c/d\" and \"c%2Fd\"");
    add("id with NUL", "b.jsonl", "{\"text\": \"x\", \"id\": \"a\"}\n{\"text\": \"x\", \"id\": \"a\\u0000\"}\n", bad,
        "line 2: expected an id in the field \"id\", found one with a NUL (U+0000)");
    if (arrowVersion())
        add("parquet", "b.parquet", "PAR1", bad, "expected Parquet, found a file of 4 bytes: it is truncated");
    else
        add("parquet", "b.parquet", "PAR1", ErrorCode::Unsupported, "built without Parquet; convert to JSONL or CSV");
    add("another ending", "b.docx", "x", ErrorCode::Unsupported, "found .docx");
}

void TestDocumentReader::refuses()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    QFETCH(int, code);
    QFETCH(QString, part);
    const auto path = m_folder.file(file.toStdString());
    write(path, content.toStdString());
    const auto read = readAll({path});
    HEADSCOPE_VERIFY_ERROR(read, static_cast<ErrorCode>(code), part.toStdString());
    QVERIFY(read.error().sentence().starts_with(path.string()));
    const auto missing = readAll({m_folder.file("none.jsonl")});
    HEADSCOPE_VERIFY_ERROR(missing, ErrorCode::FileNotFound, "none.jsonl");
}

void TestDocumentReader::detectsLabels()
{
    std::string text;
    for (int i = 0; i < 300; ++i)
        text += "{\"id\": \"d" + std::to_string(i) + "\", \"text\": \"same\", \"topic\": \"t" +
                std::to_string(i % 100) + "\", \"many\": \"m" + std::to_string(i % 101) + "\", \"title\": \"T" +
                std::to_string(i) + "\", \"year\": 2020, \"lang\": " + (i % 2 == 0 ? "\"en\"" : "null") +
                ", \"list\": [1]}\n";
    write(m_folder.file("labels.jsonl"), text);
    const auto read = readAll({m_folder.file("labels.jsonl")});
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(read->labels, (std::vector<std::string>{"topic", "lang"}));
    QCOMPARE(read->documents[1].labels, (std::vector<std::string>{"t1", ""}));

    write(m_folder.file("titles.jsonl"), "{\"text\": \"x\", \"title\": \"a\"}\n{\"text\": \"y\", \"title\": \"b\"}\n");
    const auto titles = readAll({m_folder.file("titles.jsonl")});
    HEADSCOPE_VERIFY_OK(titles);
    QVERIFY(titles->labels.empty());

    const auto golden = readAll({test::golden("smollm2/texts.jsonl")});
    HEADSCOPE_VERIFY_OK(golden);
    QCOMPARE(golden->documents.size(), std::size_t{24});
    QCOMPARE(golden->labels, (std::vector<std::string>{"topic"}));
}

void TestDocumentReader::saysWhatLabelsMayMean_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("notice"); // a part of the only one; "" = none
    const auto row = [](const char* name, const char* file, const char* content, const char* notice) {
        QTest::newRow(name) << QString::fromLatin1(file) << QByteArray(content) << QByteArray(notice);
    };
    row("names", "a.csv", "text,label\nx,a\ny,b\nz,b\n", "");
    row("no values", "a.csv", "text,label\nx,NaN\ny,b\nz,b\nw,NA\n",
        R"("NA" and "NaN" in "label" are labels like any other; if they mean that there is no label, use a --label-map of {"NA": null, "NaN": null})");
    row("null as a text", "a.jsonl", "{\"text\": \"x\", \"k\": \"null\"}\n{\"text\": \"y\", \"k\": \"null\"}\n",
        R"({"null": null})");
    row("numbers", "a.jsonl",
        "{\"text\": \"x\", \"k\": 0}\n{\"text\": \"y\", \"k\": -1}\n{\"text\": \"z\", \"k\": 0}\n",
        "\"k\" holds integers, which are not used as labels by default; --label-columns k takes them");
    row("numbers of a table", "a.csv", "text,k\nx,0\ny,1\nz,0\n", "\"k\" holds integers");
    row("fractions", "a.csv", "text,k\nx,0.5\ny,1\nz,0.5\n", "");
    row("numbers that all differ", "a.csv", "text,k\nx,3\ny,1\nz,0\n", "");
    row("beside labels", "a.csv", "text,k,topic\nx,0,a\ny,1,a\nz,0,b\n", "");
    row("ids", "a.csv", "text,id\nx,0\ny,1\nz,2\n", "");
}

void TestDocumentReader::saysWhatLabelsMayMean()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    QFETCH(QByteArray, notice);
    const auto path = m_folder.file(file.toStdString());
    write(path, content.toStdString());
    const auto read = readAll({path});
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(read->notices.size(), notice.isEmpty() ? 0U : 1U);
    if (!notice.isEmpty())
        QVERIFY2(read->notices[0].find(notice.toStdString()) != std::string::npos, read->notices[0].c_str());
    DocumentOptions asked;
    asked.labelColumns = std::vector<std::string>();
    const auto none = readAll({path}, asked); // who says which columns are labels, is told nothing of others
    HEADSCOPE_VERIFY_OK(none);
    QVERIFY(none->notices.empty());
}

void TestDocumentReader::takesColumnsAsAsked()
{
    write(m_folder.file("c.jsonl"),
          "{\"body\": \"x\", \"key\": \"p\", \"year\": 2020}\n{\"body\": \"y\", \"key\": \"q\"}\n");
    DocumentOptions options;
    options.textColumn = "body";
    options.idColumn = "key";
    options.labelColumns = {"year"};
    const auto read = readAll({m_folder.file("c.jsonl")}, options);
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(digest(*read), std::string("p=x[2020] q=y[] "));
    options.labelColumns = {"colour"};
    HEADSCOPE_VERIFY_ERROR(readAll({m_folder.file("c.jsonl")}, options), ErrorCode::InvalidArgument,
                           "expected a label column \"colour\", found the columns body, key, year");
    options.labelColumns = {};
    options.idColumn = "year";
    HEADSCOPE_VERIFY_ERROR(readAll({m_folder.file("c.jsonl")}, options), ErrorCode::BadFormat,
                           "line 2: expected the field \"year\" with the id, found the fields body, key; --id-column "
                           "names another column");
    // Ids that repeat are no reason to give the documents up.
    write(m_folder.file("i.csv"), "id,text,topic\n1,x,a\n1,y,a\n");
    HEADSCOPE_VERIFY_ERROR(readAll({m_folder.file("i.csv")}), ErrorCode::BadFormat,
                           "--id-column '' uses the row numbers");
    DocumentOptions numbered;
    numbered.idColumn = "";
    const auto rows = readAll({m_folder.file("i.csv")}, numbered);
    HEADSCOPE_VERIFY_OK(rows);
    QCOMPARE(digest(*rows), std::string("0=x[a] 1=y[a] "));
    numbered.labelColumns = std::vector<std::string>();
    const auto bare = readAll({m_folder.file("i.csv")}, numbered);
    HEADSCOPE_VERIFY_OK(bare);
    QVERIFY(bare->labels.empty());
}

void TestDocumentReader::separatorsAsAsked()
{
    const auto path = m_folder.file("s.csv");
    write(path, "a;b,text\nx;y,z\n");
    DocumentOptions options;
    options.labelColumns = {"a;b"};
    const auto guessed = readAll({path}, options);
    HEADSCOPE_VERIFY_OK(guessed);
    QCOMPARE(digest(*guessed), std::string("0=z[x;y] "));
    options.separator = ';';
    options.textColumn = "b,text";
    options.labelColumns = {"a"};
    const auto asked = readAll({path}, options);
    HEADSCOPE_VERIFY_OK(asked);
    QCOMPARE(digest(*asked), std::string("0=y,z[x] "));
    write(m_folder.file("s.tsv"), "a;b,text\nx;y,z\n");
    HEADSCOPE_VERIFY_OK(readAll({m_folder.file("s.tsv")}, options));
    QVERIFY(separatorFromName("pipe") == '|' && separatorFromName("tab") == '\t' && !separatorFromName("auto"));
}

void TestDocumentReader::numberColumns()
{
    const auto path = m_folder.file("n.csv");
    write(path, "text;Price, net;topic\nx;3,14;a\ny;;b\nz;-1e3;a\nw;NaN;b\n");
    DocumentOptions options;
    options.numberColumns = {"Price, net"};
    const auto read = readAll({path}, options);
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(read->labels, (std::vector<std::string>{"topic", "Price, net"}));
    QCOMPARE(digest(*read), std::string("0=x[a,3.14] 1=y[b,] 2=z[a,-1e3] 3=w[b,] "));
    // A column of decimal commas is none of labels by itself, and as a label it stays what was written.
    write(m_folder.file("m.csv"), "text;price\nx;3,1\ny;3,1\nz;2\n");
    const auto bare = readAll({m_folder.file("m.csv")});
    HEADSCOPE_VERIFY_OK(bare);
    QVERIFY(bare->labels.empty());
    options.numberColumns = {};
    options.labelColumns = {"price"};
    const auto labels = readAll({m_folder.file("m.csv")}, options);
    HEADSCOPE_VERIFY_OK(labels);
    QCOMPARE(digest(*labels), std::string("0=x[3,1] 1=y[3,1] 2=z[2] "));
    // Texts of JSON that are numbers are labels by themselves, unless they are said to be numbers.
    write(m_folder.file("n.jsonl"), "{\"text\": \"x\", \"m\": {\"n\": \"7\"}, \"k\": \"1\"}\n"
                                    "{\"text\": \"y\", \"m\": {\"n\": 8.5}, \"k\": \"1\"}\n");
    options.numberColumns = {"m.n", "k"};
    options.labelColumns = {};
    const auto nested = readAll({m_folder.file("n.jsonl")}, options);
    HEADSCOPE_VERIFY_OK(nested);
    QCOMPARE(nested->labels, (std::vector<std::string>{"m.n", "k"}));
    QCOMPARE(digest(*nested), std::string("0=x[7,1] 1=y[8.5,1] "));
    options.numberColumns = {};
    options.numbersIfThere = {"k", "absent"};
    const auto there = readAll({m_folder.file("n.jsonl")}, options);
    HEADSCOPE_VERIFY_OK(there);
    QCOMPARE(there->labels, (std::vector<std::string>{"k"}));
}

void TestDocumentReader::refusesNumbers_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("part");
    const auto add = [](const char* name, const char* file, const QByteArray& content, ErrorCode code,
                        const char* part) {
        QTest::newRow(name) << QString::fromLatin1(file) << content << static_cast<int>(code)
                            << QString::fromLatin1(part);
    };
    const auto bad = ErrorCode::BadFormat;
    add("words", "w.csv", "text;n\nx;1\ny;many\n", bad,
        "line 3: expected a number in the column \"n\", found \"many\"");
    add("a thousands comma", "w.csv", "text;n\nx;1,234,567\n", bad, "found \"1,234,567\"");
    add("both in one", "w.csv", "text;n\nx;1.234,5\n", bad, "found \"1.234,5\"");
    add("a comma where commas separate", "w.csv", "text,n\nx,\"3,14\"\n", bad, "found \"3,14\"");
    add("a comma where tabs separate", "w.tsv", "text\tn\nx\t3,14\n", bad, "found \"3,14\"");
    add("both signs", "w.csv", "text;n\nx;3,14\ny;2.5\n", bad,
        "line 3: expected decimal commas or decimal points in the column \"n\", found both: 3,14 and 2.5");
    add("infinity", "w.csv", "text;n\nx;inf\n", bad, "found \"inf\"");
    add("truth", "w.jsonl", "{\"text\": \"x\", \"n\": true}\n", bad, "in the field \"n\", found \"true\"");
    add("an array", "w.jsonl", "{\"text\": \"x\", \"n\": [1]}\n", bad, "found an array or object");
    add("not there", "w.csv", "text;m\nx;1\n", ErrorCode::InvalidArgument,
        "expected a column of numbers \"n\", found the columns text, m");
}

void TestDocumentReader::refusesNumbers()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    QFETCH(int, code);
    QFETCH(QString, part);
    const auto path = m_folder.file(file.toStdString());
    write(path, content.toStdString());
    DocumentOptions options;
    options.numberColumns = {"n"};
    HEADSCOPE_VERIFY_ERROR(readAll({path}, options), static_cast<ErrorCode>(code), part.toStdString());
    options.numberColumns = {"text"};
    options.labelColumns = {"text"};
    write(path, file.endsWith(QStringLiteral("l")) ? "{\"text\": \"1\"}\n" : "text\n1\n");
    HEADSCOPE_VERIFY_ERROR(readAll({path}, options), ErrorCode::InvalidArgument,
                           "expected columns either of labels or of numbers, found \"text\" as both");
}

void TestDocumentReader::limitsAndSamples()
{
    std::string text;
    for (int i = 0; i < 50; ++i)
        text += "{\"text\": \"x" + std::to_string(i) + "\"}\n";
    const auto path = m_folder.file("many.jsonl");
    write(path, text + "broken\n");
    DocumentOptions options;
    options.limit = 40; // the broken line is never reached
    const auto limited = readAll({path}, options);
    HEADSCOPE_VERIFY_OK(limited);
    QCOMPARE(limited->documents.size(), std::size_t{40});
    options.sample = 7;
    const auto sampled = readAll({path}, options);
    const auto again = readAll({path}, options, 100);
    HEADSCOPE_VERIFY_OK(sampled);
    HEADSCOPE_VERIFY_OK(again);
    QCOMPARE(sampled->documents.size(), std::size_t{7});
    QCOMPARE(digest(*sampled), digest(*again));
    for (const InputDocument& document : sampled->documents)
        QCOMPARE(document.text, "x" + document.id); // a sampled document keeps its row number
    options.seed = 2;
    const auto other = readAll({path}, options);
    HEADSCOPE_VERIFY_OK(other);
    QVERIFY(digest(*other) != digest(*sampled));
}

void TestDocumentReader::renamesLabels()
{
    write(m_folder.file("r.csv"), "text,topic\nx,a\ny,a\nz,b\nw,c\n");
    write(m_folder.file("map.json"), "{\"a\": \"A\", \"b\": \"A\", \"c\": null}");
    DocumentOptions options;
    options.labelMap = m_folder.file("map.json");
    const auto read = readAll({m_folder.file("r.csv")}, options);
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(digest(*read), std::string("0=x[A] 1=y[A] 2=z[A] 3=w[] "));
    write(m_folder.file("map.json"), "{\"a\": 5}");
    HEADSCOPE_VERIFY_ERROR(readAll({m_folder.file("r.csv")}, options), ErrorCode::BadFormat, "map.json: a");
}

namespace
{

std::string gzip(const std::string& text)
{
    std::string packed(text.size() + 1000, '\0');
    z_stream stream = {};
    deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

std::string zstd(const std::string& text)
{
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
    return packed;
}

std::string manyLines()
{
    std::string text;
    for (int i = 0; i < 40'000; ++i)
        text += "{\"text\": \"document number " + std::to_string(i * 7919) + "\"}\n";
    return text;
}

} // namespace

void TestDocumentReader::unpacks()
{
    const std::string half = manyLines();
    write(m_folder.file("m.jsonl.gz"), gzip(half) + gzip(half)); // two members, as cat a.gz b.gz makes
    write(m_folder.file("m.jsonl.zst"), zstd(half) + zstd(half));
    for (const char* name : {"m.jsonl.gz", "m.jsonl.zst"})
    {
        const auto read = readAll({m_folder.file(name)}, {}, 10'000);
        HEADSCOPE_VERIFY_OK(read);
        QCOMPARE(read->documents.size(), std::size_t{80'000});
        QCOMPARE(read->documents[79'999].text, "document number " + std::to_string(39'999 * 7919));
    }
}

void TestDocumentReader::bombs_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("start");
    QTest::addColumn<char>("filling");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char* title, const char* name, const char* start, char filling, const char* message) {
        QTest::newRow(title) << QByteArray(name) << QByteArray(start) << filling << QByteArray(message);
    };
    row("a line", "b.jsonl.gz", "{\"text\": \"", 'a', "line 1: expected lines of at most 64 MiB");
    row("an element", "b.json.gz", "[{\"text\": \"", 'a', "line 1: expected documents of at most 64 MiB of JSON");
    row("arrays in arrays", "d.json.gz", "[", '[', "line 1: expected documents of at most 64 MiB of JSON");
    row("a field", "b.csv.gz", "text\n", 'a', "line 2: expected rows of at most 64 MiB");
    row("a quoted field", "q.csv.gz", "text\n\"", 'a', "line 2: expected rows of at most 64 MiB");
    row("columns", "c.csv.gz", "text", ',', "line 1: expected at most 16384 columns, found more");
    row("columns of tabs", "t.tsv.gz", "text", '\t', "line 1: expected at most 16384 columns, found more");
    row("a text", "b.txt.gz", "", 'a', "expected a text of at most 64 MiB");
    row("zstd", "b.jsonl.zst", "{\"text\": \"", 'a', "line 1: expected lines of at most 64 MiB");
}

/// Small packed files that unpack to much: refused before they fill the memory.
void TestDocumentReader::bombs()
{
    QFETCH(const QByteArray, name);
    QFETCH(const QByteArray, start);
    QFETCH(const char, filling);
    QFETCH(const QByteArray, message);
    constexpr std::size_t kUnpacked = std::size_t{72} << 20;
    const std::string text = start.toStdString() + std::string(kUnpacked, filling);
    const auto path = m_folder.file(name.toStdString());
    write(path, name.endsWith(".zst") ? zstd(text) : gzip(text));
    HEADSCOPE_VERIFY_ERROR(readAll({path}), ErrorCode::BadFormat, message.toStdString());
}

/// Replacing them one by one in place would take hours.
void TestDocumentReader::manyNulBytes()
{
    const auto path = m_folder.file("nul.txt");
    write(path, std::string(std::size_t{4} << 20, '\0'));
    const auto documents = readAll({path});
    HEADSCOPE_VERIFY_OK(documents);
    QCOMPARE(documents->documents.size(), 1U);
    QCOMPARE(documents->documents.front().text.size(), std::size_t{12} << 20);
    QVERIFY(documents->documents.front().repaired);
}

void TestDocumentReader::refusesDamagedPacks()
{
    const std::string text = manyLines();
    for (const bool gz : {true, false})
    {
        const std::string packed = gz ? gzip(text) : zstd(text);
        const auto path = m_folder.file(gz ? "cut.jsonl.gz" : "cut.jsonl.zst");
        for (const std::size_t size : {std::size_t{5}, packed.size() / 2, packed.size() - 1})
        {
            write(path, packed.substr(0, size));
            HEADSCOPE_VERIFY_ERROR(readAll({path}), ErrorCode::BadFormat, "truncated");
        }
        write(path, text);
        HEADSCOPE_VERIFY_ERROR(readAll({path}), ErrorCode::BadFormat, gz ? "expected gzip" : "expected zstd");
    }
}

void TestDocumentReader::readsFoldersAndManyInputs()
{
    write(m_folder.file("tree/sport/b.txt"), "B");
    write(m_folder.file("tree/sport/deep/a.txt"), "A");
    write(m_folder.file("tree/art/c.txt.gz"), gzip("C"));
    write(m_folder.file("tree/top.txt"), "T");
    write(m_folder.file("tree/readme.md"), "not a document");
    const auto read = readAll({m_folder.file("tree")});
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(digest(*read),
             std::string("art/c.txt.gz=C[art] sport/b.txt=B[sport] sport/deep/a.txt=A[sport] top.txt=T[] "));
    QCOMPARE(read->labels, (std::vector<std::string>{"folder"}));
    std::filesystem::create_directories(m_folder.file("none"));
    HEADSCOPE_VERIFY_ERROR(readAll({m_folder.file("none")}), ErrorCode::BadFormat, "expected .txt files");

    write(m_folder.file("l.txt"), "one\r\n\ntwo");
    DocumentOptions lines;
    lines.lines = true;
    const auto many = readAll({m_folder.file("l.txt"), m_folder.file("l.txt")}, lines);
    HEADSCOPE_VERIFY_OK(many);
    QCOMPARE(digest(*many), std::string("0=one[] 1=[] 2=two[] 3=one[] 4=[] 5=two[] "));
    HEADSCOPE_VERIFY_ERROR(readAll({m_folder.file("l.txt"), m_folder.file("l.txt")}), ErrorCode::BadFormat,
                           "expected unique ids, found \"l.txt\"");
}

void TestDocumentReader::readsStandardInput()
{
    write(m_folder.file("in.jsonl"), "{\"text\": \"x\"}\n{\"text\": \"y\"}\n");
    const int saved = ::dup(STDIN_FILENO);
    const int file = ::open(m_folder.file("in.jsonl").c_str(), O_RDONLY);
    ::dup2(file, STDIN_FILENO);
    const auto read = readAll({"-"});
    ::lseek(STDIN_FILENO, 0, SEEK_SET);
    DocumentOptions options;
    options.textColumn = "body";
    const auto bad = readAll({"-"}, options);
    ::dup2(saved, STDIN_FILENO);
    ::close(saved);
    ::close(file);
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(digest(*read), std::string("0=x[] 1=y[] "));
    HEADSCOPE_VERIFY_ERROR(bad, ErrorCode::BadFormat, "standard input: line 1");
}

void TestDocumentReader::stopsWhenAsked()
{
    std::stop_source stop;
    stop.request_stop();
    JobContext job(stop.get_token());
    write(m_folder.file("s.jsonl"), "{\"text\": \"x\"}\n");
    const auto opened = DocumentReader::open({m_folder.file("s.jsonl")}, {}, job);
    HEADSCOPE_VERIFY_ERROR(opened, ErrorCode::Cancelled, "");
}

HEADSCOPE_TEST_GUILESS(TestDocumentReader)
#include "tst_document_reader.moc"
