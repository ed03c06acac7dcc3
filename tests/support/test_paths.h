// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace headscope::test
{

/// A file of tests/golden, as the build has unpacked it.
std::filesystem::path golden(const std::string& relative);

/// A file of the source tree.
std::filesystem::path source(const std::string& relative);

/// One of the built programs.
std::filesystem::path program(const std::string& name);

} // namespace headscope::test
