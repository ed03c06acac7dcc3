// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/io/results/attention/head_corpus_file.h"

#include <filesystem>

namespace headscope
{

/// Whether the parts of a head over a corpus fit each other.
/// @errors BadFormat, naming the part
[[nodiscard]] Status checkHeadCorpus(const HeadCorpusFile& file, const std::filesystem::path& path);

} // namespace headscope
