// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/attention/head_corpus.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace headscope::engine
{

/// What a run took.
struct HeadCorpusTiming
{
    std::int64_t resumed = 0; ///< documents that an earlier run had done
    double seconds = 0;
    std::uint64_t peakBytes = 0;
};

/// {"layer", "head", "documents", "tokens", "truncated", "sample", "activation": {"deciles": [11]}, "top":
/// [{"document", "token", "text", "activation", "strongest", "strongest_text", "strongest_weight"}], "resumed",
/// "seconds", "peak_bytes", "output"}
[[nodiscard]] nlohmann::ordered_json headCorpusJson(const HeadCorpus& corpus, const HeadCorpusTiming& timing,
                                                    const std::string& output);

/// The deciles in a line, and the strongest tokens as a table.
[[nodiscard]] std::string headCorpusText(const HeadCorpus& corpus, const std::string& output);

} // namespace headscope::engine
