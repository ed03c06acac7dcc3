// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/tsne_state_file.h"

#include "model/base/file.h"
#include "model/io/hdf5/file_seal.h"
#include "model/io/hdf5/hdf5_writer.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <array>
#include <fstream>
#include <functional>
#include <span>
#include <utility>

using namespace headscope;

namespace
{

MatrixF numbers(std::int64_t rows, float first)
{
    MatrixF matrix(rows, 2);
    for (std::size_t i = 0; i < matrix.values().size(); ++i)
        matrix.values()[i] = first + 0.1F * static_cast<float>(i);
    return matrix;
}

TsneStateFile sample()
{
    TsneStateFile state;
    state.identity.points = 40;
    state.identity.dims = 7;
    state.identity.inputHash = "0123456789abcdef0123456789abcdef";
    state.identity.options.perplexities = {5, 12.5};
    state.identity.options.metric = Metric::Cosine;
    state.identity.options.seed = 9;
    state.identity.options.learningRate = 33;
    state.identity.options.exactBelow = 10;
    state.checkpoint = {numbers(40, -3), numbers(40, 0), numbers(40, 1), 123, {200, false, 1.5, 0.25, 3}};
    return state;
}

} // namespace

class TestTsneStateFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void roundTrip();
    void otherRuns_data();
    void otherRuns();
    void optimiserMayChange();
    void affinitiesOfOlderStates();
    void everyDamagedByteIsFound();
    void filesOfOtherKinds();

private:
    test::TemporaryFolder m_folder;
};

void TestTsneStateFile::roundTrip()
{
    const auto path = m_folder.file("state.h5");
    const TsneStateFile state = sample();
    HEADSCOPE_VERIFY_OK(writeTsneState(path, state));
    HEADSCOPE_VERIFY_OK(writeTsneState(path, state)); // replaces itself
    const auto read = readTsneState(path);
    HEADSCOPE_VERIFY_OK(read);
    QVERIFY(read->checkpoint.positions == state.checkpoint.positions);
    QVERIFY(read->checkpoint.velocities == state.checkpoint.velocities);
    QVERIFY(read->checkpoint.gains == state.checkpoint.gains);
    QCOMPARE(read->checkpoint.iteration, 123);
    QCOMPARE(read->checkpoint.phase.exaggerationEnd, 200);
    QVERIFY(!read->checkpoint.phase.finished);
    QCOMPARE(read->checkpoint.phase.kl, 1.5);
    QCOMPARE(read->checkpoint.phase.fastest, 0.25);
    QCOMPARE(read->checkpoint.phase.slower, 3);
    QCOMPARE(read->identity.options.perplexities, state.identity.options.perplexities);
    QCOMPARE(read->identity.options.learningRate, 33.0);
    HEADSCOPE_VERIFY_OK(checkSameRun(*read, state.identity));
}

void TestTsneStateFile::otherRuns_data()
{
    QTest::addColumn<int>("change");
    QTest::addColumn<QString>("part");
    QTest::newRow("points") << 0
                            << QStringLiteral("expected the state of 41 points of 7 numbers, found the state of 40");
    QTest::newRow("vectors") << 1 << QStringLiteral("vectors: expected the state of these vectors (hash ffff)");
    QTest::newRow("perplexity") << 2
                                << QStringLiteral("perplexity: expected 5,12.5, with which this state was made, "
                                                  "found 30");
    QTest::newRow("metric") << 3 << QStringLiteral("metric: expected cosine");
    QTest::newRow("start") << 4 << QStringLiteral("init: expected pca, with which this state was made, found random");
    QTest::newRow("given initialization") << 5 << QStringLiteral("init: expected the initial positions of this state");
    QTest::newRow("seed") << 6 << QStringLiteral("seed: expected 9");
    QTest::newRow("exactness") << 7 << QStringLiteral("expected 10, with which this state was made, found 4000");
    QTest::newRow("affinities") << 9
                                << QStringLiteral("affinities: expected sparse, with which this state was made, found "
                                                  "dense");
    QTest::newRow("iterations") << 8
                                << QStringLiteral(
                                       "expected at least the 123 iterations that this state has completed, found 100");
}

void TestTsneStateFile::otherRuns()
{
    QFETCH(int, change);
    QFETCH(QString, part);
    const TsneStateFile state = sample();
    TsneIdentity wanted = state.identity;
    const std::function<void()> changes[] = {
        [&] { wanted.points = 41; },
        [&] { wanted.inputHash = "ffff"; },
        [&] { wanted.options.perplexities = {30}; },
        [&] { wanted.options.metric = Metric::Euclidean; },
        [&] { wanted.options.start = TsneStart::Random; },
        [&] { wanted.startHash = "ab"; },
        [&] { wanted.options.seed = 1; },
        [&] { wanted.options.exactBelow = 4000; },
        [&] { wanted.options.iterations = 100; },
        [&] { wanted.options.affinities = TsneAffinities::Dense; },
    };
    changes[change]();
    const Status same = checkSameRun(state, wanted);
    QVERIFY(!same);
    QVERIFY2(same.error().sentence().find(part.toStdString()) != std::string::npos, same.error().sentence().c_str());
}

void TestTsneStateFile::optimiserMayChange()
{
    const TsneStateFile state = sample();
    TsneIdentity wanted = state.identity;
    wanted.options.iterations = 2000;
    wanted.options.exaggeration = 4;
    wanted.options.exaggerationIterations = 500;
    wanted.options.lateExaggeration = 2;
    wanted.options.learningRate = 0;
    wanted.options.momentum = 0.5;
    HEADSCOPE_VERIFY_OK(checkSameRun(state, wanted));
}

/// States that do not name their affinities were dense where repulsion was exact.
void TestTsneStateFile::affinitiesOfOlderStates()
{
    for (const std::int64_t exactBelow : {40, 39})
    {
        const auto path = m_folder.file("older.h5");
        auto file = Hdf5Writer::create(path);
        HEADSCOPE_VERIFY_OK(file);
        HEADSCOPE_VERIFY_OK(file->setAttribute("/", "format", "headscope-tsne-state"));
        HEADSCOPE_VERIFY_OK(file->setAttribute("/", "version", std::int64_t{1}));
        HEADSCOPE_VERIFY_OK(file->makeGroup("/state"));
        for (const auto& [name, value] :
             {std::pair("points", std::int64_t{40}), std::pair("dims", std::int64_t{7}),
              std::pair("exact_below", exactBelow), std::pair("exact_neighbors_below", std::int64_t{100'000}),
              std::pair("iteration", std::int64_t{5})})
            HEADSCOPE_VERIFY_OK(file->setAttribute("/state", name, value));
        const MatrixF values = numbers(40, 0);
        const std::array shape = {values.rows(), values.cols()};
        for (const char* part : {"/state/positions", "/state/velocities", "/state/gains"})
            HEADSCOPE_VERIFY_OK(file->write(part, shape, NumberType::F32, std::as_bytes(std::span(values.values()))));
        JobContext job;
        HEADSCOPE_VERIFY_OK(
            file->publish([&job](const std::filesystem::path& part) { return sealFile(part, {}, job); }));
        const auto read = readTsneState(path);
        HEADSCOPE_VERIFY_OK(read);
        QVERIFY(read->identity.options.affinities ==
                (exactBelow == 40 ? TsneAffinities::Dense : TsneAffinities::Sparse));
    }
}

void TestTsneStateFile::everyDamagedByteIsFound()
{
    const auto path = m_folder.file("damaged.h5");
    HEADSCOPE_VERIFY_OK(writeTsneState(path, sample()));
    std::ifstream in(path, std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), {});
    for (std::size_t at = 0; at < whole.size(); at += 37)
    {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
        std::ofstream(path, std::ios::binary) << bytes;
        const auto read = readTsneState(path);
        QVERIFY2(!read, qPrintable(QString::number(at)));
        QVERIFY(read.error().code == ErrorCode::BadFormat);
    }
    std::ofstream(path, std::ios::binary) << whole.substr(0, whole.size() / 2);
    QVERIFY(!readTsneState(path));
}

void TestTsneStateFile::filesOfOtherKinds()
{
    HEADSCOPE_VERIFY_ERROR(readTsneState(m_folder.file("none.h5")), ErrorCode::FileNotFound, "none.h5");
    const auto text = m_folder.file("text.txt");
    std::ofstream(text) << "positions";
    HEADSCOPE_VERIFY_ERROR(readTsneState(text), ErrorCode::BadFormat, "expected an HDF5 file");
    const auto cache = m_folder.file("cache.h5");
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(cache, test::sampleContents(), NumberType::F32, job));
    HEADSCOPE_VERIFY_ERROR(readTsneState(cache), ErrorCode::BadFormat, "expected the state of a t-SNE");
}

HEADSCOPE_TEST_GUILESS(TestTsneStateFile)
#include "tst_tsne_state_file.moc"
