// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/vanished_pages.h"

#include "model/base/file.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

using namespace headscope;

class TestVanishedPages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Fault row 5: reads of a map whose file was cut give zeros, and the map says so.
    void readsOfACutFileGiveZeros()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "weights";
        constexpr std::size_t kPage = 4096;
        std::ofstream(path, std::ios::binary) << std::string(8 * kPage, '\x22');
        const auto mapped = MappedFile::open(path);
        HEADSCOPE_VERIFY_OK(mapped);
        QCOMPARE(mapped->bytes()[7 * kPage], std::byte{0x22});
        std::filesystem::resize_file(path, 2 * kPage);
        std::vector<std::size_t> sums(3);
        {
            std::vector<std::jthread> readers;
            for (std::size_t& sum : sums)
                readers.emplace_back([&mapped, &sum] {
                    const HandlerStack stack;
                    for (const std::byte byte : mapped->bytes())
                        sum += std::to_integer<std::size_t>(byte);
                });
        }
        for (const std::size_t sum : sums)
            QCOMPARE(sum, 2 * kPage * 0x22);
        QVERIFY(!mapped->unchanged());
    }

    void stacksNestAndGo()
    {
        std::vector<stack_t> seen(3);
        std::thread([&seen] {
            sigaltstack(nullptr, &seen[0]); // sanitizers have put one there
            {
                const HandlerStack outer;
                const HandlerStack inner;
                sigaltstack(nullptr, &seen[1]);
            }
            sigaltstack(nullptr, &seen[2]);
        }).join();
        QVERIFY((seen[1].ss_flags & SS_DISABLE) == 0);
        QCOMPARE(seen[2].ss_flags, seen[0].ss_flags);
    }
};

HEADSCOPE_TEST_GUILESS(TestVanishedPages)
#include "tst_vanished_pages.moc"
