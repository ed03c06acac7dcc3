// SPDX-License-Identifier: GPL-3.0-or-later
// One call that writes fails, wherever it is: there is the right file, or a sentence and no file.
#include "model/base/file.h"
#include "model/io/cache/cache_writer.h"
#include "model/io/results/tsne_state_file.h"
#include "model/io/results/vector_export.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/call_faults.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <chrono>
#include <functional>
#include <thread>

using namespace headscope;

namespace
{

VectorExport exported()
{
    VectorExport all;
    all.vectors = {test::randomVectors(Stage::HeadOutput, 3, 2, 2, 2, 1)};
    all.rows = {1, 3};
    all.heads = {0, 2};
    auto documents = std::make_shared<DocumentSet>();
    documents->ids = {"a", "b, c", "c", "d"};
    documents->labels = {makeLabelColumn("topic", std::vector<std::string>{"x", "y", "x", ""})};
    all.documents = documents;
    all.model.heads = 4;
    all.model.kvHeads = 2;
    all.facts = {{"verb", "export"}};
    return all;
}

Status writeState(const std::filesystem::path& path)
{
    TsneStateFile state;
    state.identity.points = 3;
    state.identity.dims = 2;
    const MatrixF three(3, 2, {1, 2, 3, 4, 5, 6});
    state.checkpoint.positions = three;
    state.checkpoint.velocities = three;
    state.checkpoint.gains = three;
    return writeTsneState(path, state);
}

struct Kind
{
    const char* name;
    Status (*write)(const std::filesystem::path&);
};

const std::array kKinds = {
    Kind{"cache",
         [](const std::filesystem::path& path) {
             JobContext job;
             return writeCache(path, test::sampleContents(), NumberType::F32, job);
         }},
    Kind{"map",
         [](const std::filesystem::path& path) {
             JobContext job;
             return writeMapFile(path, test::sampleContents().maps.front(), job);
         }},
    Kind{"AnnData", [](const std::filesystem::path& path) { return writeVectorsAnnData(path, exported()); }},
    Kind{"state", writeState}};

} // namespace

class TestHdf5Faults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSameContentGivesTheSameBytes();
    void anyCallThatFailsIsHeardOf_data();
    void anyCallThatFailsIsHeardOf();
};

void TestHdf5Faults::theSameContentGivesTheSameBytes()
{
    const test::TemporaryFolder folder;
    for (const Kind& kind : kKinds)
        HEADSCOPE_VERIFY_OK(kind.write(folder.file(kind.name)));
    std::this_thread::sleep_for(std::chrono::milliseconds(1100)); // HDF5 notes times in seconds
    for (const Kind& kind : kKinds)
    {
        const auto again = folder.file(std::string(kind.name) + " again");
        HEADSCOPE_VERIFY_OK(kind.write(again));
        QVERIFY2(*readTextFile(folder.file(kind.name)) == *readTextFile(again), kind.name);
    }
}

void TestHdf5Faults::anyCallThatFailsIsHeardOf_data()
{
    QTest::addColumn<int>("kind");
    for (std::size_t i = 0; i < kKinds.size(); ++i)
        QTest::newRow(kKinds[i].name) << static_cast<int>(i);
}

/// Fault row 13.
void TestHdf5Faults::anyCallThatFailsIsHeardOf()
{
    if (!test::canFault(test::CallFault::Fail))
        QSKIP("calls cannot be made to fail here");
    QFETCH(int, kind);
    const auto write = kKinds[static_cast<std::size_t>(kind)].write;
    const test::TemporaryFolder good;
    HEADSCOPE_VERIFY_OK(write(good.file("good")));
    const auto expected = readTextFile(good.file("good"));
    HEADSCOPE_VERIFY_OK(expected);
    int refused = 0;
    for (int call = 0;; ++call)
    {
        const test::TemporaryFolder folder;
        const auto path = folder.file("file");
        Status status;
        const auto after = [&] {
            if (!status && status.error().code != ErrorCode::Resource)
                return 2;
            // Only when the folder cannot be synced, the new file is there and yet said to be in danger.
            const auto bytes = readTextFile(path);
            if (bytes ? *bytes != *expected : status.has_value())
                return 3;
            if (folder.files() != (bytes ? 1U : 0U))
                return 4;
            return status ? 0 : 1;
        };
        const auto run = test::runWithFault(
            test::CallFault::Fail, call, [&] { status = write(path); }, after);
        const std::string where = "call " + std::to_string(call) + ", " + run.call;
        QVERIFY2(run.exitCode && *run.exitCode < 2, (where + ": " + std::to_string(run.exitCode.value_or(-1))).c_str());
        if (!run.reached)
            break;
        QVERIFY2(*run.exitCode == 1 || run.call == "close", where.c_str());
        refused += *run.exitCode;
    }
    QVERIFY2(refused > 5, std::to_string(refused).c_str());
}

HEADSCOPE_TEST_GUILESS(TestHdf5Faults)
#include "tst_hdf5_faults.moc"
