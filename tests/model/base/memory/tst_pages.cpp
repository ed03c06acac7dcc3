// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/memory/pages.h"
#include "tests/support/memory_peak.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"

#include <QTest>

#include <sys/mman.h>

#include <algorithm>
#include <utility>
#include <vector>

using namespace headscope;

class PagesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void partsGoBack();
    void moved();
    void pagesAreTakenAhead();
};

void PagesTest::partsGoBack()
{
    constexpr std::size_t kPart = std::size_t{16} << 20;
    const test::MemoryPeak peak;
    const Pages pages(4 * kPart);
    for (std::size_t part = 0; part < 4; ++part)
    {
        std::byte* begin = pages.data() + part * kPart;
        QVERIFY(std::all_of(begin, begin + kPart, [](std::byte value) { return value == std::byte{0}; }));
        std::fill_n(begin, kPart, std::byte{1});
        pages.giveBack(part * kPart, part == 3 ? 0 : kPart);
    }
    QCOMPARE(pages.data()[0], std::byte{0});
    QCOMPARE(pages.data()[3 * kPart], std::byte{1});
    const auto taken = peak.bytes();
    if (!taken)
        QSKIP("the peak of this process cannot be asked for here");
    QVERIFY2(*taken < 1.5 * kPart, qPrintable(QString::number(*taken)));
}

void PagesTest::moved()
{
    QCOMPARE(Pages::rounded(0), std::size_t{0});
    QCOMPARE(Pages::rounded(1), Pages::rounded(Pages::rounded(1)));
    Pages pages(100);
    pages.data()[99] = std::byte{7};
    Pages other = std::move(pages);
    QVERIFY(pages.data() == nullptr); // NOLINT(bugprone-use-after-move)
    pages = std::move(other);
    QCOMPARE(pages.data()[99], std::byte{7});
    QVERIFY(Pages().data() == nullptr);
}

void PagesTest::pagesAreTakenAhead()
{
    constexpr std::size_t kBytes = std::size_t{32} << 20;
    const Pages pages(kBytes);
    const auto lastIsThere = [&pages] {
        std::vector<unsigned char> there(1);
        return ::mincore(pages.data() + kBytes - Pages::rounded(1), Pages::rounded(1), there.data()) == 0 &&
               (there[0] & 1U) != 0;
    };
    pages.data()[0] = std::byte{7};
    QVERIFY(!lastIsThere());
#ifdef MADV_POPULATE_WRITE
    if (const Pages tried(1); ::madvise(tried.data(), Pages::rounded(1), MADV_POPULATE_WRITE) != 0)
        QSKIP("this kernel takes pages only when they are written");
    {
        const PagesAhead ahead(std::span(pages.data(), kBytes).subspan(1));
        WAIT_FOR(lastIsThere());
    }
    QCOMPARE(pages.data()[0], std::byte{7});
    QCOMPARE(pages.data()[kBytes - 1], std::byte{0});
#else
    QSKIP("this system takes pages only when they are written");
#endif
    // Ended before it is done; small and empty blocks.
    const Pages other(kBytes);
    const PagesAhead ended(std::span(other.data(), kBytes));
    const PagesAhead small(std::span(other.data(), 10));
    const PagesAhead none(std::span<std::byte>{});
}

HEADSCOPE_TEST_GUILESS(PagesTest)
#include "tst_pages.moc"
