// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/texts/preview_reader.h"

#include "tests/model/io/cache_fixture.h"
#include "tests/support/process_io.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <zlib.h>

#include <fstream>
#include <stop_token>

using namespace headscope;

namespace
{

void write(const std::filesystem::path& path, std::string_view text)
{
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

std::string names(const DocumentPreview& preview)
{
    std::string all;
    for (const ColumnFacts& column : preview.columns)
        all += column.name + " ";
    return all;
}

} // namespace

class TestPreviewReader : public QObject
{
    Q_OBJECT

    test::TemporaryFolder m_folder;
    JobContext m_job;

private Q_SLOTS:
    void kinds_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("csv") << "a.csv" << QByteArray("Nr,Description\n1,x\n2,y\n");
        QTest::newRow("tsv") << "a.tsv" << QByteArray("Nr\tDescription\n1\tx\n2\ty\n");
        QTest::newRow("jsonl") << "a.jsonl"
                               << QByteArray(
                                      "{\"Nr\": 1, \"Description\": \"x\"}\n{\"Nr\": 2, \"Description\": \"y\"}\n");
        QTest::newRow("json") << "a.json"
                              << QByteArray(
                                     "[{\"Nr\": 1, \"Description\": \"x\"},\n{\"Nr\": 2, \"Description\": \"y\"}]");
    }
    void kinds()
    {
        QFETCH(QString, file);
        QFETCH(QByteArray, content);
        const auto path = m_folder.file(file.toStdString());
        write(path, content.toStdString());
        const auto preview = readPreview(path, {}, m_job);
        HEADSCOPE_VERIFY_OK(preview);
        QCOMPARE(names(*preview), std::string("Nr Description "));
        QCOMPARE(preview->rows.size(), std::size_t{2});
        QVERIFY((preview->rows[1].cells == std::vector<std::string>{"2", "y"}));
        QVERIFY(preview->whole && !preview->fault && !preview->plainText);
        QVERIFY(!preview->columns[0].textOnly && preview->columns[1].textOnly);
        QVERIFY(!preview->columns[0].notId && !preview->columns[1].notText);
    }

    void textsAndFolders()
    {
        write(m_folder.file("t.txt"), "one\ntwo\n");
        auto preview = readPreview(m_folder.file("t.txt"), {}, m_job);
        HEADSCOPE_VERIFY_OK(preview);
        QVERIFY(preview->plainText && preview->rowsRead == 1);
        QCOMPARE(names(*preview), std::string("text id "));
        PreviewOptions options;
        options.lines = true;
        preview = readPreview(m_folder.file("t.txt"), options, m_job);
        HEADSCOPE_VERIFY_OK(preview);
        QCOMPARE(preview->rowsRead, std::int64_t{2});
        QCOMPARE(preview->rows[1].line, std::int64_t{2});

        write(m_folder.file("f/a/x.txt"), "one");
        write(m_folder.file("f/a/y.txt"), "two");
        write(m_folder.file("f/b/z.txt"), "three");
        preview = readPreview(m_folder.file("f"), {}, m_job);
        HEADSCOPE_VERIFY_OK(preview);
        QCOMPARE(names(*preview), std::string("text id folder "));
        QVERIFY(
            (guessedRoles(*preview) == std::vector<ColumnRole>{ColumnRole::Text, ColumnRole::Id, ColumnRole::Label}));
        const ColumnChoice choice = columnChoice(*preview, guessedRoles(*preview));
        QVERIFY(choice.text == "text" && !choice.id && !choice.labels);
    }

    void faultsNameTheirRows()
    {
        const auto path = m_folder.file("bad.csv");
        write(path, "a,b\n1,x\n2\n");
        const auto ragged = readPreview(path, {}, m_job);
        HEADSCOPE_VERIFY_OK(ragged);
        QCOMPARE(ragged->rowsRead, std::int64_t{1});
        QVERIFY(ragged->fault && ragged->fault->place == "line 3");
        PreviewOptions first;
        first.limit = 1;
        const auto limited = readPreview(path, first, m_job);
        HEADSCOPE_VERIFY_OK(limited);
        QVERIFY(!limited->fault && limited->whole); // the broken row is not read

        const auto json = m_folder.file("facts.jsonl");
        write(json, "{\"key\": \"p\", \"body\": \"x\"}\n{\"key\": \"p\", \"body\": 5, \"late\": \"z\"}\n"
                    "{\"key\": \"q\", \"body\": \"y\", \"late\": [1]}\n");
        const auto facts = readPreview(json, {}, m_job);
        HEADSCOPE_VERIFY_OK(facts);
        QCOMPARE(names(*facts), std::string("key body late "));
        QVERIFY(facts->columns[0].notId && facts->columns[0].notId->place == "line 2");
        QVERIFY(facts->columns[0].notId->message.find("line 1") != std::string::npos);
        QVERIFY(facts->columns[1].notText && facts->columns[1].notText->place == "line 2");
        QVERIFY(facts->columns[2].notText && facts->columns[2].notText->place == "line 1");
        QVERIFY(facts->columns[2].notLabel && facts->columns[2].notLabel->place == "line 3");
        QCOMPARE(facts->rows[0].cells.size(), std::size_t{3});

        HEADSCOPE_VERIFY_ERROR(readPreview(m_folder.file("none.csv"), {}, m_job), ErrorCode::FileNotFound, "none.csv");
        write(m_folder.file("header.csv"), "a,b\n");
        HEADSCOPE_VERIFY_ERROR(readPreview(m_folder.file("header.csv"), {}, m_job), ErrorCode::BadFormat,
                               "expected at least one document, found none");
        write(m_folder.file("first.jsonl"), "[1]\n");
        HEADSCOPE_VERIFY_ERROR(readPreview(m_folder.file("first.jsonl"), {}, m_job), ErrorCode::BadFormat, "line 1");
    }

    /// Fields inside others can be chosen; by default none of them is taken.
    void innerFieldsHaveDottedNames()
    {
        write(m_folder.file("inner.jsonl"),
              R"({"text": "a", "meta": {"section": "x", "deep": {"n": 1, "tags": ["p", "q"]}}, "a.b": "top"})"
              "\n"
              R"({"text": "b", "meta": {"section": "x"}, "a": {"b": "inside"}})"
              "\n"
              R"({"text": "c", "meta": null})"
              "\n");
        const auto preview = readPreview(m_folder.file("inner.jsonl"), {}, m_job);
        HEADSCOPE_VERIFY_OK(preview);
        std::vector<std::string> names;
        for (const ColumnFacts& column : preview->columns)
            names.push_back((column.inner ? "*" : "") + column.name);
        QCOMPARE(names, (std::vector<std::string>{"text", "meta", "a.b", "*meta.section", "*meta.deep.n",
                                                  "*meta.deep.tags", "a"}));
        const auto roles = guessedRoles(*preview);
        QCOMPARE(roles[3], ColumnRole::Unused); // though it has one value in two rows
        auto chosen = roles;
        setRole(*preview, chosen, 3, ColumnRole::Label);
        QCOMPARE(columnChoice(*preview, chosen).labels, std::optional(std::vector<std::string>{"meta.section"}));
        QVERIFY(!columnChoice(*preview, roles).labels.has_value());
        QCOMPARE(preview->rows[0].cells[5], std::string("p, …"));
    }

    void onlyTheFirstRowsAreRead()
    {
        // A packed file of a million rows: only its beginning is unpacked.
        const auto path = m_folder.file("large.csv.gz");
        gzFile packed = gzopen(path.c_str(), "wb1");
        QVERIFY(packed != nullptr);
        gzputs(packed, "text,topic\n");
        for (int i = 0; i < 1'000'000; ++i)
            gzprintf(packed, "the text of row %d,topic %d\n", i, i % 7);
        gzclose(packed);
        const std::uint64_t before = test::bytesRead();
        const auto preview = readPreview(path, {}, m_job);
        const std::uint64_t read = test::bytesRead() - before;
        HEADSCOPE_VERIFY_OK(preview);
        QCOMPARE(preview->rowsRead, std::int64_t{5'000});
        QCOMPARE(preview->rows.size(), std::size_t{100});
        QVERIFY(!preview->whole);
        QVERIFY2(read > 1'000 && read < std::filesystem::file_size(path) / 4, qPrintable(QString::number(read)));

        PreviewOptions small;
        small.mostBytes = 100;
        const auto bytes = readPreview(path, small, m_job);
        HEADSCOPE_VERIFY_OK(bytes);
        QVERIFY(bytes->rowsRead < 10);
        const std::string longText(5'000, 'x');
        write(m_folder.file("long.jsonl"), "{\"text\": \"" + longText + "\"}\n");
        const auto cells = readPreview(m_folder.file("long.jsonl"), {}, m_job);
        HEADSCOPE_VERIFY_OK(cells);
        QVERIFY(cells->rows[0].cells[0].size() < 500);
        QCOMPARE(cells->columns[0].meanLength, 5'000.0);
    }

    void columnsOfNumbersAndTheirSeparator()
    {
        write(m_folder.file("n.csv"), "text;Price, net;Mixed\nx;3,14;3,1\ny;2;2.5\n");
        const auto preview = readPreview(m_folder.file("n.csv"), {}, m_job);
        HEADSCOPE_VERIFY_OK(preview);
        QCOMPARE(preview->columns.size(), std::size_t{3});
        QVERIFY(!preview->columns[1].notNumber && !preview->columns[1].textOnly);
        QVERIFY(preview->columns[0].notNumber && preview->columns[0].notNumber->place == "line 2");
        QVERIFY(preview->columns[2].notNumber && preview->columns[2].notNumber->place == "line 3");
        QCOMPARE(preview->rows[0].cells[1], std::string("3,14")); // as the file has it
        PreviewOptions bars;
        bars.separator = '|';
        const auto other = readPreview(m_folder.file("n.csv"), bars, m_job);
        HEADSCOPE_VERIFY_OK(other);
        QCOMPARE(other->columns[0].name, std::string("text;Price, net;Mixed"));
    }

    void manyColumnsAreBounded()
    {
        std::string header = "c0";
        std::string row = "0";
        for (int i = 1; i < 2'000; ++i)
        {
            header += ",c" + std::to_string(i);
            row += ",0";
        }
        write(m_folder.file("wide.csv"), header + "\n" + row + "\n");
        const auto preview = readPreview(m_folder.file("wide.csv"), {}, m_job);
        HEADSCOPE_VERIFY_OK(preview);
        QCOMPARE(preview->columns.size(), std::size_t{256});
    }

    void stopsWhenAsked()
    {
        write(m_folder.file("s.csv"), "text\nx\n");
        std::stop_source stop;
        stop.request_stop();
        JobContext stopped(stop.get_token());
        HEADSCOPE_VERIFY_ERROR(readPreview(m_folder.file("s.csv"), {}, stopped), ErrorCode::Cancelled, "");
    }
};

HEADSCOPE_TEST_GUILESS(TestPreviewReader)
#include "tst_preview_reader.moc"
