// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/records/record_hdf5.h"

#include "tests/model/io/cache_fixture.h"
#include "tests/model/io/records/sample_record.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <array>
#include <functional>
#include <span>

using namespace headscope;
using test::SampleValue;

class TestRecordHdf5 : public QObject
{
    Q_OBJECT

private:
    using Change = std::function<Status(Hdf5Writer&)>;

    /// Writes a value into /made, changes the file, and reads it.
    Result<SampleValue> readBack(const SampleValue& value, const Change& change = {}, const char* group = "/made")
    {
        const auto path = m_folder.file("record.h5");
        HEADSCOPE_TRY(auto file, Hdf5Writer::create(path));
        HEADSCOPE_CHECK(writeRecord(file, group, recordOf(value)));
        if (change)
            HEADSCOPE_CHECK(change(file));
        HEADSCOPE_CHECK(file.publish());
        HEADSCOPE_TRY(const auto reader, Hdf5Reader::open(path, m_job));
        SampleValue read = test::otherValue();
        HEADSCOPE_CHECK(readRecord(reader, group, recordOf(read)));
        return read;
    }
    static Status numbersAt(Hdf5Writer& file, const char* dataset, std::vector<double> numbers)
    {
        const std::array shape = {std::int64_t{1}, std::ssize(numbers)};
        HEADSCOPE_CHECK(file.remove(dataset));
        return file.write(dataset, shape, NumberType::F64, std::as_bytes(std::span(numbers)));
    }

private Q_SLOTS:
    void whatIsWrittenIsRead()
    {
        for (const char* group : {"/made", "/deep/down", "/"})
        {
            const auto read = readBack(SampleValue(), {}, group);
            HEADSCOPE_VERIFY_OK(read);
            QVERIFY(*read == SampleValue());
        }
        const auto empty = readBack(test::otherValue());
        HEADSCOPE_VERIFY_OK(empty);
        QVERIFY(*empty == test::otherValue());
    }

    /// What is empty, unset or as in most files takes no place in the file.
    void emptyPartsAreNotStored()
    {
        const auto read = readBack(test::otherValue());
        HEADSCOPE_VERIFY_OK(read);
        const auto reader = Hdf5Reader::open(m_folder.file("record.h5"), m_job);
        HEADSCOPE_VERIFY_OK(reader);
        for (const char* part : {"reals", "table", "names", "perhaps", "absent", "list", "rows"})
            QVERIFY2(!reader->has(std::string("/made/") + part), part);
        for (const char* name : {"unset", "known", "mean", "draws"})
            QVERIFY2(!std::ranges::count(reader->attributeNames("/made"), name), name);
    }

    /// Fields of a later version are missing in the rows of an earlier one; parts and optional attributes may be, too.
    void earlierVersionsAreRead()
    {
        const auto read = readBack(SampleValue(), [](Hdf5Writer& file) -> Status {
            HEADSCOPE_CHECK(numbersAt(file, "/made/rows", {4, 0.5, 1}));
            HEADSCOPE_CHECK(file.remove("/made/reals"));
            return file.remove("/made/perhaps");
        });
        HEADSCOPE_VERIFY_OK(read);
        QCOMPARE(read->rows.size(), std::size_t{1});
        QVERIFY((read->rows[0] == test::SampleRow{4, 0.5, true, 5}));
        QVERIFY(read->reals.empty() && !read->perhaps);
    }

    /// Facts among the fields of another record are there as a whole or not at all.
    void factsWithoutOneOfThemAreNone()
    {
        for (const double mean : {1.5, -0.5})
        {
            const auto read =
                readBack(SampleValue(), [mean](Hdf5Writer& file) { return file.setAttribute("/made", "mean", mean); });
            HEADSCOPE_VERIFY_OK(read);
            QVERIFY(!read->facts);
        }
    }

    void damageIsNamed_data()
    {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, Change change, const char* part) {
            QTest::newRow(name) << std::move(change) << QString::fromUtf8(part);
        };
        row(
            "range", [](Hdf5Writer& file) { return file.setAttribute("/made", "count", std::int64_t{11}); },
            "/made@count: expected an integer from 1 to 10, found \"11\"");
        row(
            "kind", [](Hdf5Writer& file) { return file.setAttribute("/made", "count", std::string("many")); },
            "/made: expected the attribute count, found none");
        row(
            "word", [](Hdf5Writer& file) { return file.setAttribute("/made", "kind", std::string("odd")); },
            "/made@kind: expected one of plain, rare, found \"odd\"");
        row(
            "text", [](Hdf5Writer& file) { return file.setAttribute("/made", "stage", std::string("9")); },
            "/made@stage: expected a stage, found \"9\"");
        row(
            "optional", [](Hdf5Writer& file) { return file.setAttribute("/made", "known", 2.0); },
            "/made@known: expected a number from 0 to 1, found \"2\"");
        row(
            "group", [](Hdf5Writer& file) { return file.remove("/made/part"); }, "/made/part: this group is missing");
        row(
            "inner", [](Hdf5Writer& file) { return file.setAttribute("/made/list/001", "name", std::int64_t{1}); },
            "/made/list/001: expected the attribute name, found none");
        row(
            "shape",
            [](Hdf5Writer& file) {
                return numbersAt(file, "/made/rows", {1, 2});
            },
            "/made/rows: expected 4 columns, found 2");
        row(
            "cell",
            [](Hdf5Writer& file) {
                return numbersAt(file, "/made/rows", {1, 0.5, 2, 1});
            },
            "/made/rows: expected an integer from 0 to 1 under is_top, found 2");
        row(
            "whole",
            [](Hdf5Writer& file) {
                return numbersAt(file, "/made/rows", {1.5, 0.5, 1, 1});
            },
            "/made/rows: expected an integer from 0 to 1000000000 under head, found 1.5");
        row(
            "numbers for texts", [](Hdf5Writer& file) { return numbersAt(file, "/made/names", {1}); },
            "/made/names: expected a list of texts");
        row(
            "row", [](Hdf5Writer& file) { return file.remove("/made/row"); }, "/made/row");
    }

    void damageIsNamed()
    {
        QFETCH(Change, change);
        QFETCH(QString, part);
        HEADSCOPE_VERIFY_ERROR(readBack(SampleValue(), change), ErrorCode::BadFormat, part.toUtf8().constData());
    }

    void formatsAreAskedFor()
    {
        const auto path = m_folder.file("format.h5");
        const FileFormat format{"headscope-sample", 2, "a sample"};
        {
            auto file = Hdf5Writer::create(path);
            HEADSCOPE_VERIFY_OK(file);
            HEADSCOPE_VERIFY_OK(writeFormat(*file, format));
            HEADSCOPE_VERIFY_OK(publishSealed(*file));
        }
        const auto file = Hdf5Reader::open(path, m_job);
        HEADSCOPE_VERIFY_OK(file);
        HEADSCOPE_VERIFY_OK(checkFormat(*file, format));
        HEADSCOPE_VERIFY_ERROR(checkFormat(*file, {"headscope-other", 2, "another"}), ErrorCode::BadFormat,
                               "expected another (headscope-other), found headscope-sample");
        HEADSCOPE_VERIFY_ERROR(checkFormat(*file, {"headscope-sample", 1, "a sample"}), ErrorCode::Unsupported,
                               "expected version 1 or older, found 2: a newer Headscope wrote it");
    }

private:
    test::TemporaryFolder m_folder;
    JobContext m_job;
};

HEADSCOPE_TEST_GUILESS(TestRecordHdf5)
#include "tst_record_hdf5.moc"
