// SPDX-License-Identifier: GPL-3.0-or-later
// What each preconditioner of the probe buys: the same fit with none, with the Kronecker form, with one scatter for
// each group of classes, and with all, which adds blocks or low rank where the probe takes them. One JSON object each:
//
//   bench_probe [--rows 25600] [--dims 128] [--classes 32] [--cloud overlap|headlike] [--c 1] [--threads N] [--repeat
//   3]
//               [--most 10000] [--with none|kronecker|groups|all]
//
// `iterations` are of conjugate gradients, `most` their limit; `last` is the preconditioner of the last step. `seconds`
// and `cpu_seconds` (of all threads) are medians of `repeat` fits to a relative gap of 1e-9.
#include "model/analysis/probe/softmax_minimum.h"
#include "model/base/clock.h"
#include "model/base/parallel.h"
#include "tests/support/clouds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace headscope;

namespace
{

struct Options
{
    std::int64_t rows = 25'600;
    std::int64_t dims = 128;
    std::int64_t classes = 32;
    std::string cloud = "overlap";
    double c = 1;
    int threads = availableCores();
    int repeat = 3;
    int most = 10'000;
    std::string with; ///< empty: each in turn
};

constexpr std::pair<std::string_view, Preconditioning> kKinds[] = {{"none", Preconditioning::None},
                                                                   {"kronecker", Preconditioning::Kronecker},
                                                                   {"groups", Preconditioning::KroneckerGroups},
                                                                   {"all", Preconditioning::All}};

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

void fit(const test::HeadClouds& clouds, const Options& options, std::string_view name, Preconditioning kind)
{
    SoftmaxMinimum found;
    std::vector<double> seconds;
    std::vector<double> processor;
    for (int i = 0; i < options.repeat; ++i)
    {
        const auto start = Clock::now();
        const std::clock_t used = std::clock();
        SoftmaxObjective objective(clouds.vectors.view(), clouds.head, options.classes, options.c, options.threads);
        MinimumOptions minimum;
        minimum.maxIterations = options.most;
        minimum.preconditioning = kind;
        JobContext job;
        auto result = minimiseByNewton(objective, minimum, job);
        if (!result)
        {
            fmt::print(stderr, "bench_probe: {}\n", result.error().sentence());
            std::exit(1);
        }
        found = std::move(result).value();
        seconds.push_back(secondsSince(start));
        processor.push_back(static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC);
    }
    fmt::print("{{\"case\": \"{} {}x{}x{}\", \"with\": \"{}\", \"last\": \"{}\", \"iterations\": {}, \"steps\": {}, "
               "\"evaluations\": {}, \"objective\": {:.9g}, \"converged\": {}, \"seconds\": {:.3f}, "
               "\"cpu_seconds\": {:.3f}, \"threads\": {}, \"repeat\": {}}}\n",
               options.cloud, clouds.vectors.rows(), options.dims, options.classes, name, found.preconditioner,
               found.iterations, found.steps, found.evaluations, found.value, found.converged, median(seconds),
               median(processor), options.threads, options.repeat);
    std::fflush(stdout);
}

bool parse(int argc, char** argv, Options& options)
{
    for (int i = 1; i + 1 < argc; i += 2)
    {
        const std::string_view name = argv[i];
        const char* value = argv[i + 1];
        const auto number = std::max(1LL, std::atoll(value));
        if (name == "--rows")
            options.rows = number;
        else if (name == "--dims")
            options.dims = number;
        else if (name == "--classes")
            options.classes = number;
        else if (name == "--cloud")
            options.cloud = value;
        else if (name == "--c")
            options.c = std::atof(value);
        else if (name == "--threads")
            options.threads = static_cast<int>(number);
        else if (name == "--repeat")
            options.repeat = static_cast<int>(number);
        else if (name == "--most")
            options.most = static_cast<int>(number);
        else if (name == "--with")
            options.with = value;
        else
            return false;
    }
    return argc % 2 == 1 && (options.cloud == "overlap" || options.cloud == "headlike") && options.c > 0;
}

} // namespace

int main(int argc, char** argv)
{
    Options options;
    if (!parse(argc, argv, options))
    {
        fmt::print(stderr, "usage: bench_probe [--rows N] [--dims D] [--classes K] [--cloud overlap|headlike] [--c C] "
                           "[--threads N] [--repeat N] [--most ITERATIONS] [--with none|kronecker|groups|all]\n");
        return 2;
    }
    const test::HeadClouds clouds = options.cloud == "overlap"
                                        ? test::overlappingClouds(options.rows, options.dims, options.classes)
                                        : test::headLikeClouds(options.rows, options.dims, options.classes);
    for (const auto& [name, kind] : kKinds)
    {
        if (options.with.empty() || options.with == name)
            fit(clouds, options, name, kind);
    }
    return 0;
}
