// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/circuits/circuit_file.h"

#include "model/base/file.h"
#include "model/data/circuits/contributions_frame.h"
#include "model/data/circuits/lens_frame.h"
#include "model/io/frames/frame_file.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <array>
#include <fstream>
#include <span>
#include <string>
#include <vector>

using namespace headscope;

namespace
{

Status writeSample(const std::filesystem::path& path)
{
    HEADSCOPE_TRY(auto file, Hdf5Writer::create(path));
    LensHead head;
    head.layer = 2;
    head.head = 1;
    head.up = {{{0, 1.5}, 1}};
    const std::vector heads = {head};
    const std::vector<std::string> texts = {"galaxy"};
    HEADSCOPE_CHECK(writeFrame(file, "lens/listed", lensTokensFrame(heads, texts, false)));
    return publishCircuits(file,
                           {"lens", "headscope-engine lens m d", "small", {{"a.json", "aa"}, {"model.gguf", "bb"}}},
                           {{"unembedding", "output head"}, {"heads", 4}, {"kv_heads", 2}, {"documents", 1}});
}

/// A pair of the second and the first of two documents.
Status writePair(const std::filesystem::path& path, bool withTexts)
{
    HEADSCOPE_TRY(auto file, Hdf5Writer::create(path));
    ContributionsResult result;
    result.layers = 1;
    result.heads = 1;
    result.pair = PairContribution{"b", "a", 0.5, false, {{{PartKind::Token, 0, 0}, 0.25, 0.25}}};
    HEADSCOPE_CHECK(writeFrame(file, "contributions/terms", termsFrame(result)));
    const std::array<std::int32_t, 2> places = {1, 0};
    HEADSCOPE_CHECK(file.write("/contributions/pairs/documents", std::array<std::int64_t, 2>{1, 2}, NumberType::I32,
                               std::as_bytes(std::span(places))));
    HEADSCOPE_CHECK(file.write("/contributions/pairs/cosine", std::array<std::int64_t, 1>{1}, NumberType::F64,
                               std::as_bytes(std::span(&result.pair->cosine, 1))));
    HEADSCOPE_CHECK(file.writeStrings("/documents", std::array<std::string, 2>{"a", "b"}));
    if (withTexts)
        HEADSCOPE_CHECK(file.writeStrings("/texts", std::array<std::string, 2>{"The sun", "A law"}));
    return publishCircuits(file, {"contributions", "headscope-engine contributions m d", "small", {}},
                           {{"layers", 1},
                            {"heads", 1},
                            {"kv_heads", 1},
                            {"pooling", "last"},
                            {"norms", "final norm frozen"},
                            {"first", "b"},
                            {"second", "a"},
                            {"centered", false}});
}

} // namespace

/// What contributions, composition and lens wrote, read again.
class TestCircuitFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsTheModel()
    {
        const auto path = m_folder.file("lens.h5");
        HEADSCOPE_VERIFY_OK(writeSample(path));
        JobContext job;
        const auto read = readCircuitFile(path, job);
        HEADSCOPE_VERIFY_OK(read);
        QCOMPARE(read->model, "small");
        QVERIFY((read->hashes == NamedDigests{{"a.json", "aa"}, {"model.gguf", "bb"}}));
        QCOMPARE(read->lens()->rows.at(0).layer, 2);
        QCOMPARE(read->lens()->rows.at(0).up.at(0).text, "galaxy");
    }

    /// Files of earlier programs have no texts.
    void aPairHasItsTexts()
    {
        for (const bool withTexts : {false, true})
        {
            const auto path = m_folder.file(withTexts ? "texts.h5" : "ids.h5");
            HEADSCOPE_VERIFY_OK(writePair(path, withTexts));
            JobContext job;
            const auto read = readCircuitFile(path, job);
            HEADSCOPE_VERIFY_OK(read);
            const PairContribution& pair = *read->contributions()->pair;
            QCOMPARE(pair.first, "b");
            QCOMPARE(pair.firstText, withTexts ? "A law" : "");
            QCOMPARE(pair.secondText, withTexts ? "The sun" : "");
        }
    }

    /// No byte may change but in the padding of the seal's footer, and none may be missing.
    void damageIsFound()
    {
        const auto path = m_folder.file("whole.h5");
        HEADSCOPE_VERIFY_OK(writeSample(path));
        const auto whole = readTextFile(path);
        HEADSCOPE_VERIFY_OK(whole);
        constexpr std::size_t kFooter = 64;
        const auto codeOf = [this](const std::string& bytes) {
            const auto damaged = m_folder.file("damaged.h5");
            std::ofstream(damaged, std::ios::trunc) << bytes;
            JobContext job;
            const auto read = readCircuitFile(damaged, job);
            return read ? ErrorCode::Internal : read.error().code;
        };
        for (std::size_t at = 0; at + kFooter < whole->size(); at += 97)
        {
            std::string bytes = *whole;
            bytes[at] = static_cast<char>(bytes[at] ^ 4);
            QCOMPARE(codeOf(bytes), ErrorCode::BadFormat);
        }
        for (const std::size_t kept : {whole->size() - 1, whole->size() - 200, whole->size() / 2})
            QCOMPARE(codeOf(whole->substr(0, kept)), ErrorCode::BadFormat);
    }

    void olderFilesAreRefused()
    {
        const auto path = m_folder.file("old.h5");
        auto file = Hdf5Writer::create(path);
        HEADSCOPE_VERIFY_OK(file);
        HEADSCOPE_VERIFY_OK(writeFacts(*file, "/", {{"format", "headscope-lens"}, {"version", 1}, {"model", "small"}}));
        HEADSCOPE_VERIFY_OK(file->publish());
        JobContext job;
        const auto read = readCircuitFile(path, job);
        QVERIFY(!read);
        QCOMPARE(read.error().code, ErrorCode::BadFormat);
        QCOMPARE(read.error().place, "version");
    }

private:
    test::TemporaryFolder m_folder;
};

HEADSCOPE_TEST(TestCircuitFile)
#include "tst_circuit_file.moc"
