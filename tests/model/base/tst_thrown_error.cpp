// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/thrown_error.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <cerrno>
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>
#include <system_error>

using namespace headscope;

class TestThrownError : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyKindOfExceptionIsAnError_data()
    {
        QTest::addColumn<std::function<void()>>("thrower");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("message");
        const auto add = [](const char* name, std::function<void()> thrower, ErrorCode code, const char* message) {
            QTest::newRow(name) << std::move(thrower) << code << QString::fromLatin1(message);
        };
        add(
            "no memory", [] { throw std::bad_alloc(); }, ErrorCode::OutOfMemory, "not enough memory for this task");
        add(
            "a size no memory holds", [] { throw std::length_error("vector"); }, ErrorCode::OutOfMemory,
            "not enough memory for this task");
        add(
            "no thread", [] { throw std::system_error(EAGAIN, std::generic_category()); }, ErrorCode::Resource,
            "a system limit was reached: Resource temporarily unavailable");
        add(
            "another", [] { throw std::runtime_error("a thing"); }, ErrorCode::Internal, "before: a thing");
        add(
            "no exception class", [] { throw 1; }, ErrorCode::Internal, "before: an exception of an unknown kind");
    }

    void everyKindOfExceptionIsAnError()
    {
        QFETCH(std::function<void()>, thrower);
        QFETCH(ErrorCode, code);
        QFETCH(QString, message);
        std::optional<Error> error;
        try
        {
            thrower();
        }
        catch (...)
        {
            error = thrownError("before: ");
        }
        QVERIFY(error.has_value());
        QCOMPARE(error->code, code);
        QCOMPARE(QString::fromStdString(error->message), message);
    }
};

HEADSCOPE_TEST_GUILESS(TestThrownError)
#include "tst_thrown_error.moc"
