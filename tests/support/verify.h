// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>

/// Fails the test with the error's own sentence when a Result or Status holds an error.
#define HEADSCOPE_VERIFY_OK(result) \
    QVERIFY2((result).has_value(), (result).has_value() ? "" : (result).error().sentence().c_str())

/// Fails the test unless `result` holds an error of this code whose sentence contains `part`.
#define HEADSCOPE_VERIFY_ERROR(result, wantedCode, part) \
    do \
    { \
        QVERIFY2(!(result).has_value(), "expected an error, got a value"); \
        const std::string sentenceOfError = (result).error().sentence(); \
        QVERIFY2((result).error().code == (wantedCode), sentenceOfError.c_str()); \
        QVERIFY2(sentenceOfError.find(part) != std::string::npos, sentenceOfError.c_str()); \
    } while (false)
