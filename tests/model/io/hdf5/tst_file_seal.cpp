// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/hdf5/file_seal.h"

#include "model/base/file.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <fstream>

using namespace headscope;

class TestFileSeal : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void coversAllButTheRegions();
    void seesEveryByte();
    void aBlankIsNoSeal();
    void isDroppedByOthers();
};

void TestFileSeal::coversAllButTheRegions()
{
    const test::TemporaryFolder folder;
    const auto path = folder.file("f");
    const std::string content(1000, 'a');
    JobContext job;
    std::ofstream(path) << content;
    auto state = checkSeal(path, job);
    HEADSCOPE_VERIFY_OK(state);
    QVERIFY(state->state == SealState::None);
    HEADSCOPE_VERIFY_OK(sealFile(path, {{100, 50}, {300, 600}}, job));
    state = checkSeal(path, job);
    HEADSCOPE_VERIFY_OK(state);
    QVERIFY(state->state == SealState::Good);
    const auto size = sizeWithoutSeal(path);
    HEADSCOPE_VERIFY_OK(size);
    QCOMPARE(*size, std::uint64_t{1000});
    const auto sealed = readTextFile(path);
    for (const std::size_t at : {99U, 100U, 149U, 150U, 299U, 300U, 899U, 900U, 999U})
    {
        std::string damaged = *sealed;
        damaged[at] = 'b';
        std::ofstream(path) << damaged;
        const bool covered = at < 100 || (at >= 150 && at < 300) || at >= 900;
        QCOMPARE(checkSeal(path, job).has_value(), !covered);
    }
}

void TestFileSeal::seesEveryByte()
{
    const test::TemporaryFolder folder;
    const auto path = folder.file("f");
    JobContext job;
    std::ofstream(path) << "some content of a file";
    HEADSCOPE_VERIFY_OK(sealFile(path, {}, job));
    const auto sealed = readTextFile(path);
    for (std::size_t at = 0; at < sealed->size(); ++at)
    {
        std::string damaged = *sealed;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        std::ofstream(path) << damaged;
        const auto state = checkSeal(path, job);
        // A damaged magic word looks like no seal, damaged padding changes nothing: the content is whole in both.
        const bool harmless = at >= sealed->size() - 64;
        QVERIFY2(!state.has_value() || harmless, std::to_string(at).c_str());
    }
}

/// A blank where the seal's words would begin was taken for a damaged seal.
void TestFileSeal::aBlankIsNoSeal()
{
    const test::TemporaryFolder folder;
    JobContext job;
    for (const char* first : {" ", "H", "HSSEAL2 "})
    {
        std::string content(200, 'a');
        content.replace(content.size() - 64, std::string_view(first).size(), first);
        std::ofstream(folder.file("f")) << content;
        const auto state = checkSeal(folder.file("f"), job);
        HEADSCOPE_VERIFY_OK(state);
        QVERIFY(state->state == SealState::None);
    }
}

void TestFileSeal::isDroppedByOthers()
{
    const test::TemporaryFolder folder;
    const auto path = folder.file("c.h5");
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(path, test::sampleContents(), NumberType::F32, job));
    auto state = checkSeal(path, job);
    HEADSCOPE_VERIFY_OK(state);
    QVERIFY(state->state == SealState::Good);
    // What h5py does when it adds an attribute: HDF5 cuts the file to its own end.
    auto file = Hdf5Writer::copyOf(path, job);
    HEADSCOPE_VERIFY_OK(file);
    HEADSCOPE_VERIFY_OK(file->setAttribute("/", "note", std::string("mine")));
    HEADSCOPE_VERIFY_OK(file->publish());
    state = checkSeal(path, job);
    HEADSCOPE_VERIFY_OK(state);
    QVERIFY(state->state == SealState::None);
}

HEADSCOPE_TEST_GUILESS(TestFileSeal)
#include "tst_file_seal.moc"
