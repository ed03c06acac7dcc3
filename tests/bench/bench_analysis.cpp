// SPDX-License-Identifier: GPL-3.0-or-later
// Seconds of the quick analyses on head vectors that lie in a file; one JSON object, medians of REPEAT:
//
//   bench_analysis VECTORS.npy [--heads 32] [--threads N] [--repeat 7]
//
// VECTORS are [documents x heads, dims], documents outer. Topics: document modulo 8, a topic's vector
// the mean of its documents'. peers/analyses_numpy.py does the same.
#include "model/analysis/heads/head_sums.h"
#include "model/analysis/topics/topics.h"
#include "model/base/parallel.h"
#include "model/io/results/matrix_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

using namespace headscope;

namespace
{

constexpr std::int64_t kTopics = 8;

struct Options
{
    std::string vectors;
    std::int64_t heads = 32;
    int threads = availableCores();
    int repeat = 7;
};

template <class T>
T orExit(Result<T> result)
{
    if (!result)
    {
        fmt::print(stderr, "bench_analysis: {}\n", result.error().sentence());
        std::exit(1);
    }
    return std::move(result).value();
}

double median(int repeat, const std::function<void()>& body)
{
    std::vector<double> seconds;
    for (int i = 0; i < repeat; ++i)
    {
        const auto start = std::chrono::steady_clock::now();
        body();
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::nth_element(seconds.begin(), seconds.begin() + repeat / 2, seconds.end());
    return seconds[static_cast<std::size_t>(repeat / 2)];
}

double headSeconds(const HeadVectors& vectors, const Options& options)
{
    const std::vector<std::int64_t> whole = {0};
    return median(options.repeat, [&] {
        JobContext job;
        const HeadSums sums = orExit(HeadSums::collect(vectors, {}, 1, options.threads, job));
        if (sums.statistics(whole).size() != static_cast<std::size_t>(vectors.heads()))
            std::exit(1);
    });
}

HeadVectors topicMeans(const HeadVectors& vectors)
{
    const std::int64_t width = vectors.heads() * vectors.dims();
    std::vector<float> means(static_cast<std::size_t>(kTopics * width));
    for (std::int64_t i = 0; i < vectors.documents(); ++i)
    {
        const auto full = vectors.full(DocumentIndex(i));
        float* mean = means.data() + i % kTopics * width;
        for (std::size_t k = 0; k < full.size(); ++k)
            mean[k] += full[k] * static_cast<float>(kTopics) / static_cast<float>(vectors.documents());
    }
    return {vectors.stage(), vectors.layer(), kTopics, vectors.heads(), vectors.dims(), std::move(means)};
}

double heatmapSeconds(const HeadVectors& vectors, const Options& options)
{
    const HeadVectors topics = topicMeans(vectors);
    LabelColumn labels;
    for (std::int64_t i = 0; i < vectors.documents(); ++i)
        labels.codes.push_back(static_cast<std::int32_t>(i % kTopics));
    for (std::int64_t t = 0; t < kTopics; ++t)
        labels.categories.push_back(fmt::format("topic {}", t));
    TopicInput input;
    input.documents = &vectors;
    input.topics = &topics;
    const std::int64_t width = vectors.heads() * vectors.dims();
    input.fullDocuments = {vectors.values().data(), vectors.documents(), width};
    input.fullTopics = {topics.values().data(), kTopics, width};
    input.labels = &labels;
    return median(options.repeat, [&] {
        JobContext job;
        orExit(makeHeatmap(input, {}, options.threads, job));
    });
}

Options parse(int argc, char** argv)
{
    Options options;
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        const bool value = i + 1 < argc;
        if (argument == "--heads" && value)
            options.heads = std::max(1LL, std::atoll(argv[++i]));
        else if (argument == "--threads" && value)
            options.threads = std::max(1, std::atoi(argv[++i]));
        else if (argument == "--repeat" && value)
            options.repeat = std::max(1, std::atoi(argv[++i]));
        else
            options.vectors = argument;
    }
    return options;
}

} // namespace

int main(int argc, char** argv)
{
    const Options options = parse(argc, argv);
    if (options.vectors.empty())
    {
        fmt::print(stderr, "usage: bench_analysis VECTORS.npy [--heads H] [--threads N] [--repeat N]\n");
        return 2;
    }
    JobContext job;
    MatrixF rows = orExit(readMatrix(options.vectors, job));
    const std::int64_t dims = rows.cols();
    const std::int64_t documents = rows.rows() / options.heads;
    rows.values().resize(static_cast<std::size_t>(documents * options.heads * dims));
    const HeadVectors vectors(Stage::HeadOutput, LayerIndex(0), documents, options.heads, dims,
                              std::move(rows.values()));
    fmt::print("{{\"tool\": \"headscope\", "
               "\"heads\": {:.6f}, \"heatmap\": {:.6f}, \"threads\": {}}}\n",
               headSeconds(vectors, options), heatmapSeconds(vectors, options), options.threads);
    return 0;
}
