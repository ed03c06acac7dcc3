// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace headscope::test
{

/// A file of tests/golden.
inline std::filesystem::path golden(const std::string& relative)
{
    return std::filesystem::path(HEADSCOPE_SOURCE_DIR) / "tests/golden" / relative;
}

/// A file of the source tree.
inline std::filesystem::path source(const std::string& relative)
{
    return std::filesystem::path(HEADSCOPE_SOURCE_DIR) / relative;
}

/// One of the built programs.
inline std::filesystem::path program(const std::string& name)
{
    return std::filesystem::path(HEADSCOPE_BIN_DIR) / name;
}

} // namespace headscope::test
