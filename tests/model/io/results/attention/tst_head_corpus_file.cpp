// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/attention/head_corpus_file.h"

#include "model/io/hdf5/file_seal.h"
#include "model/io/hdf5/hdf5_writer.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/model/io/results/made_head_corpus.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <fstream>
#include <functional>
#include <limits>

using namespace headscope;
using test::madeHeadCorpus;

class TestHeadCorpusFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void roundTrip();
    void runThatGoesOn();
    void earlierFilesAreRead();
    void brokenFiles_data();
    void brokenFiles();
    void everyDamagedByteIsFound();
    void filesOfOtherKinds();

private:
    test::TemporaryFolder m_folder;
};

void TestHeadCorpusFile::roundTrip()
{
    const auto path = m_folder.file("head.h5");
    const HeadCorpusFile file = madeHeadCorpus();
    HEADSCOPE_VERIFY_OK(writeHeadCorpus(path, file));
    HEADSCOPE_VERIFY_OK(writeHeadCorpus(path, file)); // replaces itself
    JobContext job;
    const auto read = readHeadCorpus(path, job);
    HEADSCOPE_VERIFY_OK(read);
    const HeadCorpus& a = read->corpus;
    const HeadCorpus& b = file.corpus;
    QVERIFY(read->complete);
    QVERIFY(read->drawn.empty());
    QCOMPARE(a.source.differenceFrom(b.source), std::string());
    QCOMPARE(a.source.corpus, b.source.corpus);
    QCOMPARE(a.source.model.name, b.source.model.name);
    QCOMPARE(a.source.model.path, b.source.model.path);
    QCOMPARE(a.source.model.family, b.source.model.family);
    QCOMPARE(a.source.model.modelDim, b.source.model.modelDim);
    QCOMPARE(a.source.model.vocabulary, b.source.model.vocabulary);
    QCOMPARE(a.source.causal, true);
    QCOMPARE(a.command, b.command);
    QCOMPARE(a.truncated, b.truncated);
    QCOMPARE(a.documents, b.documents);
    QCOMPARE(a.offsets, b.offsets);
    QCOMPARE(a.ids, b.ids);
    QCOMPARE(a.activations, b.activations);
    QCOMPARE(a.strongest, b.strongest);
    QCOMPARE(a.strongestWeights, b.strongestWeights);
    QCOMPARE(a.firstWeights, b.firstWeights);
    QCOMPARE(a.vocabulary, b.vocabulary);
    QCOMPARE(a.spellings, b.spellings);
    QCOMPARE(a.sampled, b.sampled);
    QVERIFY(a.q == b.q && a.k == b.k && a.z == b.z);
    QVERIFY(a.top == b.top);
    QVERIFY(a.deciles == b.deciles);
    QVERIFY(a.origin.hash.empty());
}

void TestHeadCorpusFile::runThatGoesOn()
{
    const auto path = m_folder.file("head.h5.run");
    HeadCorpusFile file = madeHeadCorpus();
    file.complete = false;
    file.drawn = {{1, {0.75F, 0.25F, 0}}, {5, {0.05F, 0.05F, 0.9F, 0}}};
    file.corpus.deciles = {};
    file.corpus.vocabulary.clear();
    file.corpus.spellings.clear();
    HEADSCOPE_VERIFY_OK(writeHeadCorpus(path, file));
    JobContext job;
    const auto read = readHeadCorpus(path, job);
    HEADSCOPE_VERIFY_OK(read);
    QVERIFY(!read->complete);
    QVERIFY(read->drawn == file.drawn);
    QVERIFY(read->corpus.deciles == file.corpus.deciles);
}

/// What the program wrote before its parts were declared as records.
void TestHeadCorpusFile::earlierFilesAreRead()
{
    JobContext job;
    const HeadCorpusFile now = madeHeadCorpus();
    const auto whole = readHeadCorpus(test::golden("records/head-corpus.h5"), job);
    HEADSCOPE_VERIFY_OK(whole);
    QCOMPARE(whole->corpus.source.differenceFrom(now.corpus.source), std::string());
    QCOMPARE(whole->corpus.source.model.path, now.corpus.source.model.path);
    QCOMPARE(whole->corpus.documents, now.corpus.documents);
    QCOMPARE(whole->corpus.spellings, now.corpus.spellings);
    QVERIFY(whole->corpus.q == now.corpus.q && whole->corpus.top == now.corpus.top);
    QVERIFY(whole->corpus.deciles == now.corpus.deciles);
    const auto running = readHeadCorpus(test::golden("records/head-corpus-running.h5"), job);
    HEADSCOPE_VERIFY_OK(running);
    QVERIFY(!running->complete);
    QCOMPARE(running->drawn.size(), std::size_t{2});
}

void TestHeadCorpusFile::brokenFiles_data()
{
    using Change = std::function<void(HeadCorpus&)>;
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* name, Change change, const char* part) {
        QTest::newRow(name) << std::move(change) << QString::fromUtf8(part);
    };
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    row(
        "head", [](auto& c) { c.source.head = HeadIndex(4); }, "found layer 1, head 5");
    row(
        "layer", [](auto& c) { c.source.layer = LayerIndex(2); }, "found layer 2, head 4");
    row(
        "groups", [](auto& c) { c.source.model.kvHeads = 3; }, "expected valid sizes of a model");
    row(
        "offsets", [](auto& c) { c.offsets[1] = 9; }, "/documents/offsets");
    row(
        "fewer documents", [](auto& c) { c.documents.pop_back(); }, "/documents/offsets");
    row(
        "fewer activations", [](auto& c) { c.activations.pop_back(); }, "expected 7 numbers of every kind, found 6");
    row(
        "no activation", [=](auto& c) { c.activations[2] = kNan; }, "/tokens/activation");
    row(
        "negative activation", [](auto& c) { c.activations[2] = -1; }, "/tokens/activation");
    row(
        "weight", [](auto& c) { c.strongestWeights[0] = 1.5F; }, "expected weights from 0 to 1");
    row(
        "source outside", [](auto& c) { c.strongest[2] = 3; }, "/tokens/strongest");
    row(
        "vocabulary", [](auto& c) { c.vocabulary[0] = 3; }, "/vocabulary/id");
    row(
        "vocabulary twice", [](auto& c) { c.vocabulary[1] = 2; }, "expected ascending ids");
    row(
        "sample order", [](auto& c) { std::swap(c.sampled[0], c.sampled[1]); }, "/sample/token");
    row(
        "sample outside", [](auto& c) { c.sampled[6] = 7; }, "/sample/token");
    row(
        "sample shape", [](auto& c) { c.k = MatrixF(6, 2); }, "expected [7, 2] numbers, found [6, 2]");
    row(
        "sample numbers", [=](auto& c) { c.z(0, 0) = kNan; }, "expected finite numbers");
    row(
        "example outside", [](auto& c) { c.top[0].token = 7; },
        "expected top-activating tokens of the corpus, found 7");
    row(
        "example length", [](auto& c) { c.deciles[0][0].weights.pop_back(); }, "expected 3 weights");
    row(
        "example weight", [](auto& c) { c.top[1].weights[0] = -0.5F; }, "/examples/weights");
    row(
        "no tokens",
        [](auto& c) {
            c.offsets = {0, 0, 0, 0};
            c.ids.clear();
            c.activations.clear();
        },
        "expected at least one token");
}

void TestHeadCorpusFile::brokenFiles()
{
    QFETCH(std::function<void(HeadCorpus&)>, change);
    QFETCH(QString, part);
    const auto path = m_folder.file("broken.h5");
    HeadCorpusFile file = madeHeadCorpus();
    change(file.corpus);
    HEADSCOPE_VERIFY_OK(writeHeadCorpus(path, file));
    JobContext job;
    const auto read = readHeadCorpus(path, job);
    QVERIFY(!read);
    QVERIFY(read.error().code == ErrorCode::BadFormat);
    const std::string sentence = read.error().sentence();
    QVERIFY2(sentence.find(part.toStdString()) != std::string::npos, sentence.c_str());
    QVERIFY2(sentence.find("broken.h5") != std::string::npos, sentence.c_str());
}

void TestHeadCorpusFile::everyDamagedByteIsFound()
{
    const auto path = m_folder.file("damaged.h5");
    HEADSCOPE_VERIFY_OK(writeHeadCorpus(path, madeHeadCorpus()));
    std::ifstream in(path, std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), {});
    JobContext job;
    for (std::size_t at = 0; at < whole.size(); at += 101)
    {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
        std::ofstream(path, std::ios::binary) << bytes;
        const auto read = readHeadCorpus(path, job);
        QVERIFY2(!read, qPrintable(QString::number(at)));
        QVERIFY(read.error().code == ErrorCode::BadFormat);
    }
    std::ofstream(path, std::ios::binary) << whole.substr(0, whole.size() / 2);
    QVERIFY(!readHeadCorpus(path, job));
}

void TestHeadCorpusFile::filesOfOtherKinds()
{
    JobContext job;
    const auto missing = readHeadCorpus(m_folder.file("missing.h5"), job);
    QVERIFY(!missing && missing.error().code == ErrorCode::FileNotFound);
    const auto written = [&](const char* format, std::int64_t version) {
        auto file = Hdf5Writer::create(m_folder.file("other.h5"));
        HEADSCOPE_ASSERT(file && file->setAttribute("/", "format", format) &&
                         file->setAttribute("/", "version", version) &&
                         file->publish([&job](const std::filesystem::path& part) { return sealFile(part, {}, job); }));
        return readHeadCorpus(m_folder.file("other.h5"), job);
    };
    const auto state = written("headscope-tsne-state", 1);
    QVERIFY(!state && state.error().code == ErrorCode::BadFormat);
    QVERIFY(state.error().sentence().find("found headscope-tsne-state") != std::string::npos);
    const auto newer = written("headscope-head-corpus", 2);
    QVERIFY(!newer && newer.error().code == ErrorCode::Unsupported);
    const auto empty = written("headscope-head-corpus", 1);
    HEADSCOPE_VERIFY_ERROR(empty, ErrorCode::BadFormat, "expected the attribute complete, found none");
}

HEADSCOPE_TEST_GUILESS(TestHeadCorpusFile)
#include "tst_head_corpus_file.moc"
