// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/backend.h"

#include "model/net/forward/torch_operations.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QtTest>

using namespace headscope;

class TestBackend : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void choices();
    void refusals();
    void bothCanBeMade();
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
    HEADSCOPE_VERIFY_ERROR(makeOperations({.kind = Backend::Kind::Cpu, .precision = Precision::Bf16}, 1, {}),
                           ErrorCode::Unsupported, "expected float32 on the CPU");
}

HEADSCOPE_TEST_GUILESS(TestBackend)
#include "tst_backend.moc"
