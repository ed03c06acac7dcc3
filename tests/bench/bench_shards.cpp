// SPDX-License-Identifier: GPL-3.0-or-later
// Shards of an extraction: how fast the vectors of documents are written (with the sync of every shard), and how long
// it takes until a run goes on that has left a thousand of them. One JSON line a case. bench_shards [FOLDER]   (a
// folder on the disk to measure; else the one for temporary files)

#include "model/base/clock.h"
#include "model/io/shards/shard_folder.h"
#include "model/io/shards/shard_writer.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

using namespace headscope;
namespace fs = std::filesystem;

namespace
{

constexpr int kRuns = 5;

/// A document with `values` numbers.
ExtractedDocument documentOf(std::int64_t index, std::size_t values)
{
    ExtractedDocument document;
    document.index = index;
    document.tokens = 200;
    document.digest = static_cast<std::uint64_t>(index) * 0x9E3779B97F4A7C15ULL;
    document.values.resize(values);
    for (std::size_t i = 0; i < values; ++i)
        document.values[i] = static_cast<float>(i % 97) / 64.0F;
    return document;
}

template <class T>
void require(const Result<T>& result)
{
    if (result)
        return;
    fmt::print(stderr, "{}\n", result.error().sentence());
    std::exit(1);
}

void print(const char* name, std::vector<double> values, const char* unit, const std::string& note)
{
    std::sort(values.begin(), values.end());
    fmt::print(
        "{{\"case\": \"{}\", \"value\": {:.3f}, \"unit\": \"{}\", \"least\": {:.3f}, \"most\": {:.3f}, \"note\": "
        "\"{}\"}}\n",
        name, values[values.size() / 2], unit, values.front(), values.back(), note);
    std::fflush(stdout);
}

/// All layers and stages of SmolLM2-135M, as float32: 207 kB a document.
/// @param cache  that they are of: vectors go to their places in it; empty: into the shards
void measureWriting(const char* name, const fs::path& folder, const fs::path& cache)
{
    std::vector<double> rates;
    std::vector<ExtractionBlock> blocks;
    for (int layer = 0; layer < 30; ++layer)
        for (const Stage stage : {Stage::HeadOutput, Stage::ProjectedSegment, Stage::OutputSegment})
            blocks.push_back({LayerIndex(layer), stage, 9, 64});
    ShardOptions options;
    options.folder = folder;
    options.blocks = blocks;
    const std::vector<ExtractedDocument> one = {documentOf(0, blocks.size() * 9 * 64)};
    constexpr std::int64_t kDocuments = 2'000;
    options.cache = cache;
    options.documents = {0, kDocuments, kDocuments};
    for (int run = 0; run < kRuns; ++run)
    {
        JobContext job;
        const auto begin = Clock::now();
        auto writer = ShardWriter::create(options, job);
        require(writer);
        auto document = one;
        for (std::int64_t i = 0; i < kDocuments; ++i)
        {
            document.front().index = i;
            require((*writer)->add(document));
        }
        require((*writer)->finish());
        rates.push_back(static_cast<double>(kDocuments) * static_cast<double>(one.front().values.size()) * 4e-6 /
                        secondsSince(begin));
        removeShards(folder);
    }
    print(name, rates, "MB/s", "float32, shards of 64 MiB");
}

/// A thousand shards of 2,000 documents. Of a shard the small columns alone are read, so its vectors may be short here.
void measureResuming(const fs::path& folder)
{
    constexpr std::int64_t kShards = 1'000;
    constexpr std::int64_t kRows = 2'000;
    ShardOptions options;
    options.folder = folder;
    options.blocks = {{LayerIndex(0), Stage::HeadOutput, 1, 8}};
    options.shardBytes = kRows * 8 * 4;
    {
        JobContext job;
        auto writer = ShardWriter::create(options, job);
        require(writer);
        for (std::int64_t i = 0; i < kShards * kRows; ++i)
        {
            const std::vector<ExtractedDocument> one = {documentOf(i, 8)};
            require((*writer)->add(one));
        }
        require((*writer)->finish());
    }
    options.resume = true;
    std::vector<double> seconds;
    std::size_t kept = 0;
    for (int run = 0; run < kRuns; ++run)
    {
        JobContext job;
        const auto begin = Clock::now();
        auto writer = ShardWriter::create(options, job);
        require(writer);
        seconds.push_back(secondsSince(begin));
        kept = (*writer)->kept().size();
    }
    print("resume", seconds, "s", fmt::format("{} shards, {} documents kept", kShards, kept));
    removeShards(folder);
}

} // namespace

int main(int argc, char** argv)
{
    const fs::path base = argc > 1 ? fs::path(argv[1]) : fs::temp_directory_path();
    const fs::path cache = base / fmt::format("bench_shards.{}.h5", ::getpid());
    const fs::path folder = shardFolder(cache);
    measureWriting("write", folder, cache);
    measureWriting("write into shards", folder, {});
    measureResuming(folder);
    return 0;
}
