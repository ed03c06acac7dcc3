// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/words/word_counts.h"

#include "model/base/parallel.h"
#include "model/unicode/text_words.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace headscope
{
namespace
{

using Counted = std::pair<std::string, std::int32_t>;

/// The words of a text, ascending, with how often they stand there.
std::vector<Counted> wordsOf(const std::string& text)
{
    std::unordered_map<std::string, std::int32_t> times;
    forEachWord(text, [&](std::string_view word) { ++times[std::string(word)]; });
    std::vector<Counted> words(times.begin(), times.end());
    std::ranges::sort(words);
    return words;
}

} // namespace

Result<WordCounts> countWords(std::span<const std::string> texts, std::int64_t minDocuments, int numThreads,
                              JobContext& job)
{
    constexpr std::int64_t kTexts = 16; // of a block
    std::vector<std::vector<Counted>> ofTexts(texts.size());
    parallelFor(numThreads, std::ssize(texts), kTexts, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end && !job.stopRequested(); ++i)
            ofTexts[static_cast<std::size_t>(i)] = wordsOf(texts[static_cast<std::size_t>(i)]);
    });
    HEADSCOPE_CHECK(job.checkStop());
    struct Sums
    {
        std::int64_t count = 0;
        std::int64_t documents = 0;
        std::int32_t id = -1;
    };
    std::unordered_map<std::string_view, Sums> all;
    for (const auto& words : ofTexts)
        for (const auto& [word, times] : words)
        {
            Sums& sums = all[word];
            sums.count += times;
            ++sums.documents;
        }
    WordCounts counts;
    for (const auto& [word, sums] : all)
        if (sums.documents >= minDocuments)
            counts.words.emplace_back(word);
    std::ranges::sort(counts.words);
    for (const std::string& word : counts.words)
    {
        Sums& sums = all[word];
        sums.id = static_cast<std::int32_t>(counts.counts.size());
        counts.counts.push_back(sums.count);
        counts.documents.push_back(sums.documents);
    }
    counts.starts.push_back(0);
    for (const auto& words : ofTexts)
    {
        for (const auto& [word, times] : words)
            if (const std::int32_t id = all.find(word)->second.id; id >= 0)
            {
                counts.ids.push_back(id);
                counts.times.push_back(times);
            }
        counts.starts.push_back(std::ssize(counts.ids));
    }
    return counts;
}

} // namespace headscope
