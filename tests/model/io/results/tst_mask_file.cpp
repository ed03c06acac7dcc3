// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/mask_file.h"

#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <fstream>

using namespace headscope;

class TestMaskFile : public QObject
{
    Q_OBJECT

    test::TemporaryFolder m_folder;

    [[nodiscard]] std::filesystem::path written(const char* text) const
    {
        const auto path = m_folder.file("mask.json");
        std::ofstream(path) << text;
        return path;
    }

private Q_SLOTS:
    void comesBack()
    {
        HeadMask mask;
        mask.heads = 6;
        mask.kept = {0, 2, 5};
        mask.layer = 31;
        mask.stage = "1";
        mask.units = "heads";
        mask.measure = "match5";
        mask.order = "backward";
        mask.inputHash = "abc";
        mask.value = 0.625;
        mask.baseline = 0.5;
        const auto path = m_folder.file("out.json");
        HEADSCOPE_VERIFY_OK(writeHeadMask(path, mask));
        const auto read = readHeadMask(path);
        HEADSCOPE_VERIFY_OK(read);
        QCOMPARE(read->heads, 6);
        QCOMPARE(read->kept, mask.kept);
        QCOMPARE(read->layer, mask.layer);
        QCOMPARE(read->measure, mask.measure);
        QCOMPARE(read->order, mask.order);
        QCOMPARE(read->units, mask.units);
        QCOMPARE(read->stage, mask.stage);
        QCOMPARE(read->inputHash, mask.inputHash);
        QCOMPARE(read->value, 0.625);
        QCOMPARE(read->baseline, 0.5);
        QVERIFY(!read->validated.has_value());
        // What such a choice changes on other documents goes along.
        mask.validated = MaskGain{2.75, 0.125, -0.03125, {-0.0625, 0.015625}, 100};
        HEADSCOPE_VERIFY_OK(writeHeadMask(path, mask));
        const auto judged = readHeadMask(path);
        HEADSCOPE_VERIFY_OK(judged);
        QVERIFY(judged->validated == mask.validated);
    }

    void theLeast()
    {
        const auto mask =
            readHeadMask(written(R"({"format": "headscope-mask", "version": 1, "heads": 4, "kept": [4, 1]})"));
        HEADSCOPE_VERIFY_OK(mask);
        QCOMPARE(mask->kept, (std::vector<std::int64_t>{0, 3}));
        QVERIFY(!mask->layer);
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("part");
        const auto add = [](const char* name, const char* text, ErrorCode code, const char* part) {
            QTest::newRow(name) << QString::fromLatin1(text) << static_cast<int>(code) << QString::fromLatin1(part);
        };
        add("no JSON", "kept", ErrorCode::BadFormat, "");
        add("another file", R"({"kept": [1]})", ErrorCode::BadFormat, "not a mask of heads");
        add("newer", R"({"format": "headscope-mask", "version": 2, "heads": 4, "kept": [1]})", ErrorCode::Unsupported,
            "expected version 1, found 2");
        add("no heads", R"({"format": "headscope-mask", "version": 1, "kept": [1]})", ErrorCode::BadFormat,
            "the list of kept heads is missing");
        add("out of range", R"({"format": "headscope-mask", "version": 1, "heads": 4, "kept": [5]})",
            ErrorCode::BadFormat, "expected heads from 1 to 4");
        add("none", R"({"format": "headscope-mask", "version": 1, "heads": 4, "kept": []})", ErrorCode::BadFormat,
            "found none");
        add("twice", R"({"format": "headscope-mask", "version": 1, "heads": 4, "kept": [2, 2]})", ErrorCode::BadFormat,
            "a kept head is listed twice");
    }

    void refuses()
    {
        QFETCH(QString, text);
        QFETCH(int, code);
        QFETCH(QString, part);
        HEADSCOPE_VERIFY_ERROR(readHeadMask(written(text.toStdString().c_str())), static_cast<ErrorCode>(code),
                               part.toStdString());
    }
};

HEADSCOPE_TEST_GUILESS(TestMaskFile)
#include "tst_mask_file.moc"
