// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headscope::test
{

/// Reads recorded truth from an HDF5 file with nothing of the product in between. Any failure ends
/// the test program with a message: a missing golden file is a broken checkout.
class GoldenFile
{
public:
    explicit GoldenFile(const std::filesystem::path& path);
    ~GoldenFile();
    GoldenFile(const GoldenFile&) = delete;
    GoldenFile& operator=(const GoldenFile&) = delete;

    [[nodiscard]] bool has(const std::string& dataset) const;
    [[nodiscard]] std::vector<std::int64_t> shape(const std::string& dataset) const;
    [[nodiscard]] std::vector<float> floats(const std::string& dataset) const;
    [[nodiscard]] std::vector<double> doubles(const std::string& dataset) const;
    [[nodiscard]] std::vector<std::int64_t> integers(const std::string& dataset) const;
    [[nodiscard]] std::vector<std::uint8_t> bytes(const std::string& dataset) const;
    [[nodiscard]] std::vector<std::string> strings(const std::string& dataset) const;
    /// Names of the links of a group, sorted.
    [[nodiscard]] std::vector<std::string> names(const std::string& group) const;
    [[nodiscard]] bool hasAttribute(const std::string& object, const std::string& attribute) const;
    /// A number attribute of a group or dataset ("/" for the root).
    [[nodiscard]] double number(const std::string& object, const std::string& attribute) const;
    [[nodiscard]] std::string text(const std::string& object, const std::string& attribute) const;

private:
    std::int64_t m_file = -1;
    std::filesystem::path m_path;
};

/// Largest |a - b| over largest |b|; infinite when the sizes differ.
[[nodiscard]] double relmax(const std::vector<double>& a, const std::vector<double>& b);
/// Largest |a - b|; infinite when the sizes differ.
[[nodiscard]] double absmax(const std::vector<double>& a, const std::vector<double>& b);

} // namespace headscope::test
