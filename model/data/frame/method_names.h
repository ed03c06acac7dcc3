// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

/// What methods are called in tables and `--json`.
namespace headscope
{

// Of 95% intervals.
inline constexpr std::string_view kJackknife = "jackknife by document";
inline constexpr std::string_view kStudent = "Student's t by document";
inline constexpr std::string_view kWilson = "Wilson";
inline constexpr std::string_view kClusterWilson = "Wilson, effective rows by document";
inline constexpr std::string_view kBootstrap = "bootstrap by document";
inline constexpr std::string_view kQueryBootstrap = "bootstrap by query";
inline constexpr std::string_view kPairBootstrap = "bootstrap by pair";
// Of null distributions.
inline constexpr std::string_view kLabelsPermuted = "labels permuted among the documents";

} // namespace headscope
