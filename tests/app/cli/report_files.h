// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace headscope::test
{

inline std::string bytesOf(const std::filesystem::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Every file below a folder, by its name.
inline std::map<std::string, std::string> filesOf(const std::filesystem::path& folder)
{
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files[std::filesystem::relative(entry.path(), folder).string()] = bytesOf(entry.path());
    return files;
}

/// The same names with the same bytes.
inline void compareFiles(const std::map<std::string, std::string>& now,
                         const std::map<std::string, std::string>& before)
{
    for (const auto& [name, bytes] : before)
        QVERIFY2(now.contains(name) && now.at(name) == bytes, name.c_str());
    QCOMPARE(now.size(), before.size());
}

} // namespace headscope::test
