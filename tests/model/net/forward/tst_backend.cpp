// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/backend.h"

#include "model/kernels/gemm_bf16.h"
#include "model/net/forward/torch_operations.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

using namespace headscope;

class TestBackend : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void choices();
    void refusals();
    void bothCanBeMade();
    void precisions();
};

void TestBackend::choices()
{
    const auto own = chooseBackend("auto", "cpu");
    HEADSCOPE_VERIFY_OK(own);
    QVERIFY(own->kind == Backend::Kind::Cpu && own->onCpu());
    const auto torch = chooseBackend("torch", "cpu");
    HEADSCOPE_VERIFY_OK(torch);
    QVERIFY(torch->kind == Backend::Kind::Torch && torch->onCpu());
    const auto automatic = chooseBackend("auto", "auto");
    HEADSCOPE_VERIFY_OK(automatic);
    QCOMPARE(automatic->onCpu(), !torchHasGpu());
    const auto cpu = chooseBackend("cpu", "auto");
    HEADSCOPE_VERIFY_OK(cpu);
    QVERIFY(cpu->kind == Backend::Kind::Cpu && cpu->onCpu());
}

void TestBackend::refusals()
{
    HEADSCOPE_VERIFY_ERROR(chooseBackend("tensorflow", "cpu"), ErrorCode::WrongUse, "expected auto, cpu or torch");
    HEADSCOPE_VERIFY_ERROR(chooseBackend("auto", "tpu"), ErrorCode::WrongUse, "expected auto, cpu, cuda or cuda:N");
    if (!torchHasGpu())
        HEADSCOPE_VERIFY_ERROR(chooseBackend("auto", "cuda"), ErrorCode::Unsupported, "expected a GPU");
}

void TestBackend::bothCanBeMade()
{
    for (const Backend::Kind kind : {Backend::Kind::Cpu, Backend::Kind::Torch})
        HEADSCOPE_VERIFY_OK(makeOperations({.kind = kind, .device = "cpu"}, 1, {}));
    HEADSCOPE_VERIFY_ERROR(makeOperations({.kind = Backend::Kind::Cpu, .precision = Precision::F16}, 1, {}),
                           ErrorCode::Unsupported, "expected a precision that this CPU multiplies");
}

/// bfloat16 is taken where it gains, and refused with the reason elsewhere.
void TestBackend::precisions()
{
    HEADSCOPE_VERIFY_OK(checkPrecision({.kind = Backend::Kind::Cpu}));
    HEADSCOPE_VERIFY_OK(checkPrecision({.kind = Backend::Kind::Torch, .precision = Precision::F16}));
    HEADSCOPE_VERIFY_ERROR(checkPrecision({.kind = Backend::Kind::Cpu, .precision = Precision::F16}),
                           ErrorCode::WrongUse, "--device cuda");
    const Backend half{.kind = Backend::Kind::Cpu, .precision = Precision::Bf16};
    const Status gains = checkPrecision(half);
    QCOMPARE(static_cast<bool>(gains), bfloat16Speedup() >= 1.1);
    QCOMPARE(static_cast<bool>(makeOperations(half, 1, {})), hasBfloat16Products());
    if (!gains)
        HEADSCOPE_VERIFY_ERROR(gains, ErrorCode::Unsupported,
                               hasBfloat16Products() ? "times the speed of f32" : "found a CPU that does not");
}

HEADSCOPE_TEST_GUILESS(TestBackend)
#include "tst_backend.moc"
