// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_paths.h"

namespace headscope::test
{

std::filesystem::path golden(const std::string& relative)
{
    return std::filesystem::path(HEADSCOPE_GOLDEN_DIR) / relative;
}

std::filesystem::path source(const std::string& relative)
{
    return std::filesystem::path(HEADSCOPE_SOURCE_DIR) / relative;
}

std::filesystem::path program(const std::string& name)
{
    return std::filesystem::path(HEADSCOPE_BIN_DIR) / name;
}

} // namespace headscope::test
