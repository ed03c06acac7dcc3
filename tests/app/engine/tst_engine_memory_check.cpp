// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/memory_check.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;

/// Fault row 24: a model that does not fit is refused before it is loaded, with what would help.
class TestEngineMemoryCheck : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fits()
    {
        HEADSCOPE_VERIFY_OK(engine::checkMemory(kBig, {.bytes = 31'000'000'000}));
        HEADSCOPE_VERIFY_OK(engine::checkMemory(kBig, {}));
    }
    void offersStreaming()
    {
        const auto refused = engine::checkMemory(kBig, {.bytes = 8'000'000'000});
        HEADSCOPE_VERIFY_ERROR(refused, ErrorCode::OutOfMemory, "about 30.0 GB of memory, but only 8.00 GB is free");
        QVERIFY(
            refused.error().message.find("; use --memory 2862M or more to read the layers from disk batch by batch, "
                                         "or fewer --layers") != std::string::npos);
    }
    void offersFewerLayersWhereStreamingDoesNotFit()
    {
        const auto refused = engine::checkMemory(kBig, {.bytes = 1'000'000'000, .limit = "the control group"});
        HEADSCOPE_VERIFY_ERROR(refused, ErrorCode::OutOfMemory,
                               "1.00 GB is free (the control group); use fewer --layers");
        QVERIFY(refused.error().message.find("--memory") == std::string::npos);
    }
    void weightsInTheirFilesNeedAddressesAlone()
    {
        MemoryEstimate mapped = kBig;
        mapped.mapped = 28'000'000'000;
        HEADSCOPE_VERIFY_OK(engine::checkMemory(mapped, {.bytes = 3'000'000'000}));
        QVERIFY(!engine::checkMemory(mapped, {.bytes = 3'000'000'000, .limit = "addresses", .ofAddresses = true}));
    }

private:
    static constexpr MemoryEstimate kBig = {
        .weights = 28'000'000'000, .mapped = 0, .peak = 30'000'000'000, .streamed = 3'000'000'000};
};

HEADSCOPE_TEST_GUILESS(TestEngineMemoryCheck)
#include "tst_engine_memory_check.moc"
