// SPDX-License-Identifier: GPL-3.0-or-later
// JSONL on one core, MB of the file a second: the records alone, the first pass over them (columns and ids), and the
// second (documents). The file is made on the spot: web pages of 3 kB on average, with the columns of FineWeb. One JSON
// line a case. bench_reading [MEGABYTES]

#include "model/base/clock.h"
#include "model/base/random.h"
#include "model/io/texts/document_reader.h"
#include "model/io/texts/record_reader.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

using namespace headscope;

namespace
{

constexpr int kRuns = 5;

/// Words with the escapes and the few letters beyond ASCII of English web pages.
std::string pageText(const CounterRandom& random, std::uint64_t& at)
{
    static const std::vector<std::string> words = {
        "the",   "of",       "and", "train", "history",   "water",   "because",
        "a",     "in",       "to",  "page",  "caf\u00e9", "reading", "\\\"quoted\\\"",
        "is\\n", "computer", "as",  "which", "\u2014",    "people",  "between"};
    const auto count = 50 + random.below(at++, 900);
    std::string text;
    for (std::uint64_t i = 0; i < count; ++i)
        text += words[random.below(at++, words.size())] + " ";
    return text;
}

std::uint64_t makeFile(const std::filesystem::path& path, std::uint64_t bytes)
{
    const CounterRandom random(11);
    std::uint64_t at = 0;
    std::ofstream file(path, std::ios::binary);
    std::uint64_t written = 0;
    for (std::int64_t n = 0; written < bytes; ++n)
    {
        const std::string line =
            fmt::format("{{\"text\": \"{}\", \"id\": \"<urn:uuid:{:032x}>\", \"dump\": \"CC-MAIN-2013-20\", "
                        "\"url\": \"http://example.org/{}/page.html\", \"date\": \"2013-05-18T05:48:54Z\", "
                        "\"language\": \"en\", \"language_score\": 0.{}, \"token_count\": {}}}\n",
                        pageText(random, at), n, n, 60000 + n % 40000, n % 3000);
        file << line;
        written += line.size();
    }
    return written;
}

void print(const std::string& name, std::uint64_t bytes, const std::function<std::int64_t()>& run)
{
    std::vector<double> rates;
    std::int64_t documents = 0;
    for (int i = 0; i < kRuns; ++i)
    {
        const auto begin = Clock::now();
        documents = run();
        rates.push_back(static_cast<double>(bytes) / 1e6 / secondsSince(begin));
    }
    std::sort(rates.begin(), rates.end());
    fmt::print("{{\"case\": \"{}\", \"value\": {:.0f}, \"unit\": \"MB/s\", \"worst\": {:.0f}, \"documents\": {}}}\n",
               name, rates[kRuns / 2], rates.front(), documents);
    std::fflush(stdout);
}

std::int64_t failed(const Error& error)
{
    fmt::print(stderr, "{}\n", error.sentence());
    return -1;
}

} // namespace

int main(int argc, char** argv)
{
    const std::uint64_t bytes = (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 300) * 1'000'000;
    const auto path = std::filesystem::temp_directory_path() / fmt::format("bench_reading.{}.jsonl", ::getpid());
    const std::uint64_t size = makeFile(path, bytes);
    JobContext job;
    print("records", size, [&]() -> std::int64_t {
        auto reader = openJsonLines(path);
        if (!reader)
            return failed(reader.error());
        Record record;
        std::int64_t count = 0;
        while ((*reader)->next(record).value_or(false))
            ++count;
        return count;
    });
    std::unique_ptr<DocumentReader> documents;
    print("first_pass", size, [&]() -> std::int64_t {
        auto reader = DocumentReader::open({path}, {}, job);
        if (!reader)
            return failed(reader.error());
        documents = std::move(*reader);
        return documents->count();
    });
    print("both_passes", size, [&]() -> std::int64_t {
        auto reader = DocumentReader::open({path}, {}, job);
        std::int64_t count = 0;
        while (reader)
        {
            const auto batch = (*reader)->next(64, job);
            if (!batch)
                return failed(batch.error());
            if (batch->empty())
                break;
            count += std::ssize(*batch);
        }
        return count;
    });
    std::filesystem::remove(path);
    return 0;
}
