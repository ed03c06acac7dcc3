// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

/// Fails the test with the error's own sentence when a Result or Status holds an error. The
/// expression is evaluated once.
#define HEADSCOPE_VERIFY_OK(result) \
    do \
    { \
        const auto& resultToVerify = (result); \
        QVERIFY2(resultToVerify.has_value(), \
                 resultToVerify.has_value() ? "" : resultToVerify.error().sentence().c_str()); \
    } while (false)

/// Fails the test unless `result` holds an error of this code whose sentence contains `part`. The
/// expression is evaluated once.
#define HEADSCOPE_VERIFY_ERROR(result, wantedCode, part) \
    do \
    { \
        const auto& resultToVerify = (result); \
        QVERIFY2(!resultToVerify.has_value(), "expected an error, got a value"); \
        const std::string sentenceOfError = resultToVerify.error().sentence(); \
        QVERIFY2(resultToVerify.error().code == (wantedCode), sentenceOfError.c_str()); \
        QVERIFY2(sentenceOfError.find(part) != std::string::npos, sentenceOfError.c_str()); \
    } while (false)
