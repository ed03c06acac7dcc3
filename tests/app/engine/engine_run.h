// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/process.h"
#include "tests/support/test_paths.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace headscope::test
{

/// Runs the built headscope-engine to its end.
inline ProcessOutcome runEngine(const QStringList& arguments, const QByteArray& input = {})
{
    return run(program("headscope-engine"), arguments, input);
}

inline QString text(const std::filesystem::path& path)
{
    return QString::fromStdString(path.string());
}

/// stdout as the one JSON object it has to be; empty when it is not.
inline QJsonObject jsonOf(const ProcessOutcome& outcome)
{
    return QJsonDocument::fromJson(outcome.out).object();
}

/// A copy of a golden folder that may be broken.
inline std::filesystem::path copyOf(const std::string& golden, const std::filesystem::path& into)
{
    const auto target = into / std::filesystem::path(golden).filename();
    std::filesystem::copy(test::golden(golden), target, std::filesystem::copy_options::recursive);
    return target;
}

inline std::string contents(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void writeFile(const std::filesystem::path& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

} // namespace headscope::test

/// Fails unless the engine ended with this code and a sentence on stderr that holds `part`.
#define HEADSCOPE_VERIFY_FAILED(outcome, wantedCode, part) \
    do \
    { \
        QVERIFY2((outcome).exitCode == (wantedCode), \
                 ("exit code " + std::to_string((outcome).exitCode) + ": " + (outcome).err.toStdString()).c_str()); \
        QVERIFY2((outcome).err.contains(part), (outcome).err.constData()); \
        QVERIFY2((outcome).err.contains("headscope: "), (outcome).err.constData()); \
    } while (false)
