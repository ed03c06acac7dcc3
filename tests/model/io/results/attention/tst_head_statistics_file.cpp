// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/attention/head_statistics_file.h"

#include "model/io/hdf5/hdf5_writer.h"
#include "model/io/results/attention/attention_file.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <array>
#include <cmath>

using namespace headscope;

class TestHeadStatisticsFile : public QObject
{
    Q_OBJECT

    test::TemporaryFolder m_folder;
    int m_files = 0;

    [[nodiscard]] std::filesystem::path next() { return m_folder.file("s" + std::to_string(++m_files) + ".h5"); }

    /// A file whose datasets the test chooses.
    template <class Fill>
    [[nodiscard]] std::filesystem::path written(Fill fill)
    {
        const auto path = next();
        auto file = Hdf5Writer::create(path);
        if (!file || !fill(*file) || !file->publish())
            return {};
        return path;
    }

    static Status table(Hdf5Writer& file, const std::string& name, std::int64_t layers, std::int64_t heads)
    {
        const std::vector<double> values(static_cast<std::size_t>(layers * heads), 0.5);
        return file.write("/statistics/" + name, std::array{layers, heads}, NumberType::F64,
                          std::as_bytes(std::span(values)));
    }
    static Status layers(Hdf5Writer& file, const std::vector<std::int32_t>& numbers)
    {
        return file.write("/attention/layers", std::array{std::ssize(numbers)}, NumberType::I32,
                          std::as_bytes(std::span(numbers)));
    }

private Q_SLOTS:
    void readsWhatTheEngineWrites()
    {
        AttentionShapes shapes;
        shapes.layers = {3, 7};
        shapes.heads = 2;
        shapes.kvHeads = 1;
        shapes.weights = false;
        AttentionOrigin origin;
        origin.documents = 48;
        origin.model.name = "sample";
        origin.model.sha256 = {{"model.gguf", "abc"}};
        const auto path = next();
        auto file = AttentionFile::create(path, shapes, origin);
        HEADSCOPE_VERIFY_OK(file);
        HEADSCOPE_VERIFY_OK(file->publish({{"entropy", MatrixD(2, 2, {1, 2, 3, std::nan("")})},
                                           {"first_token", MatrixD(2, 2, {0.1, 0.2, 0.3, 0.4})}}));
        JobContext job;
        const auto read = readHeadStatistics(path, job);
        HEADSCOPE_VERIFY_OK(read);
        QCOMPARE(read->layers, (std::vector<std::int64_t>{3, 7}));
        QCOMPARE(read->heads, std::int64_t{2});
        QCOMPARE(read->documents, std::int64_t{48});
        QCOMPARE(read->model.name, std::string("sample"));
        QCOMPARE(read->model.sha256, origin.model.sha256);
        QCOMPARE(read->tables.size(), std::size_t{2});
        QCOMPARE(read->tables[0].name, std::string("entropy"));
        QCOMPARE(read->tables[0].values(1, 0), 3.0);
        QVERIFY(std::isnan(read->tables[0].values(1, 1)));
        QCOMPARE(read->tables[1].values(0, 1), 0.2);
        QVERIFY(isHeadStatistics(path, job));
    }

    void layersAreCountedWhereNobodySays()
    {
        const auto path = written([](Hdf5Writer& file) { return table(file, "mine", 3, 4); });
        JobContext job;
        const auto read = readHeadStatistics(path, job);
        HEADSCOPE_VERIFY_OK(read);
        QCOMPARE(read->layers, (std::vector<std::int64_t>{0, 1, 2}));
        QCOMPARE(read->documents, std::int64_t{0});
        QVERIFY(read->model.sha256.empty());
    }

    void otherFilesAreRefused()
    {
        JobContext job;
        const auto none = written([](Hdf5Writer& file) { return layers(file, {0}); });
        HEADSCOPE_VERIFY_ERROR(readHeadStatistics(none, job), ErrorCode::BadFormat, "expected statistics of heads");
        QVERIFY(!isHeadStatistics(none, job));
        const auto unlike = written([](Hdf5Writer& file) {
            return table(file, "a", 2, 3) ? table(file, "b", 2, 4) : Status(Error{ErrorCode::Internal, "", {}, {}});
        });
        HEADSCOPE_VERIFY_ERROR(readHeadStatistics(unlike, job), ErrorCode::BadFormat, "[2, 3]");
        const auto flat = written([](Hdf5Writer& file) {
            const std::vector<double> values(4);
            return file.write("/statistics/a", std::array{std::int64_t{4}}, NumberType::F64,
                              std::as_bytes(std::span(values)));
        });
        HEADSCOPE_VERIFY_ERROR(readHeadStatistics(flat, job), ErrorCode::BadFormat, "[layers, heads]");
        const auto texts = written([](Hdf5Writer& file) {
            return file.writeStrings("/statistics/a", std::array<std::string, 2>{"x", "y"});
        });
        HEADSCOPE_VERIFY_ERROR(readHeadStatistics(texts, job), ErrorCode::BadFormat, "[layers, heads]");
        const auto wide = written([](Hdf5Writer& file) { return table(file, "a", 1, 5000); });
        HEADSCOPE_VERIFY_ERROR(readHeadStatistics(wide, job), ErrorCode::Unsupported, "4096");
        const auto longName = written([](Hdf5Writer& file) { return table(file, std::string(200, 'x'), 1, 2); });
        HEADSCOPE_VERIFY_ERROR(readHeadStatistics(longName, job), ErrorCode::BadFormat, "names");
        HEADSCOPE_VERIFY_ERROR(readHeadStatistics(m_folder.file("not there.h5"), job), ErrorCode::FileNotFound,
                               "not there");
    }

    void layersThatDoNotAscendAreRefused()
    {
        JobContext job;
        for (const std::vector<std::int32_t>& numbers :
             {std::vector<std::int32_t>{2, 1}, {1, 1}, {-1, 0}, {0, 1, 2}, {0, 1'000'000}})
        {
            const auto path = written([&](Hdf5Writer& file) {
                const Status first = table(file, "a", 2, 3);
                return first ? layers(file, numbers) : first;
            });
            HEADSCOPE_VERIFY_ERROR(readHeadStatistics(path, job), ErrorCode::BadFormat, "layers");
        }
    }
};

HEADSCOPE_TEST_GUILESS(TestHeadStatisticsFile)
#include "tst_head_statistics_file.moc"
