// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

namespace headscope::test
{

/// Puts other contents into a file under its name, of its size and with its time of change, as copying and unpacking
/// do: whoever looks at names, sizes and times takes it for the one that was there.
inline void changeUnseen(const std::filesystem::path& path, const std::function<void(std::string&)>& change)
{
    const auto time = std::filesystem::last_write_time(path);
    std::ifstream stream(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    const std::string before = bytes;
    change(bytes);
    QCOMPARE(bytes.size(), before.size());
    QVERIFY(bytes != before);
    std::ofstream(path, std::ios::binary) << bytes;
    std::filesystem::last_write_time(path, time);
}

/// The same of words in a file of text.
inline void changeWordUnseen(const std::filesystem::path& path, const std::string& word, const std::string& other)
{
    changeUnseen(path, [&](std::string& bytes) {
        const auto place = bytes.find(word);
        QVERIFY(place != std::string::npos);
        bytes.replace(place, word.size(), other);
    });
}

/// Other weights for the model in a folder: some of the numbers of each of its safetensors files.
inline void changeWeightsUnseen(const std::filesystem::path& folder)
{
    for (const auto& file : std::filesystem::directory_iterator(folder))
        if (file.path().extension() == ".safetensors")
            changeUnseen(file.path(), [](std::string& bytes) {
                for (std::size_t place = bytes.size() - 4096 + 2; place < bytes.size(); place += 4)
                    bytes[place] = static_cast<char>(bytes[place] ^ 0x20); // of a float32's digits, not of its exponent
            });
}

} // namespace headscope::test
