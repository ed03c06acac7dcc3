// SPDX-License-Identifier: GPL-3.0-or-later
// What a viewer costs a run of the map: ms per iteration with and without one, from the same
// iteration of the same run, interleaved. One JSON line a case.
//
//   bench_live [live_32k|live_320k]... [--threads N] [--repeat N] [--iterations N]
//
// The viewer takes every frame that it is told of and reads all of it, as a painter does; frames
// are handed over as the window's map job does (model/base/latest_value.h, MapSnapshots).
#include "model/analysis/maps/map_snapshots.h"
#include "model/base/latest_value.h"
#include "model/base/parallel.h"
#include "tests/support/clouds.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace headscope;
using Clock = std::chrono::steady_clock;

namespace
{

struct Settings
{
    int threads = availableCores();
    int repeat = 5;
    int iterations = 0; ///< of one measured piece; 0: as the case says
};

template <class T>
T orExit(Result<T> result)
{
    if (!result)
    {
        fmt::print(stderr, "bench_live: {}\n", result.error().sentence());
        std::exit(1);
    }
    return std::move(result).value();
}

void orExit(const Status& status)
{
    if (!status)
    {
        fmt::print(stderr, "bench_live: {}\n", status.error().sentence());
        std::exit(1);
    }
}

/// A thread that takes each frame it is told of and looks at every point of it.
class Viewer
{
public:
    Viewer() : m_latest([this] { wake(); }), m_thread([this](const std::stop_token& stop) { watch(stop); }) {}
    ~Viewer()
    {
        m_thread.request_stop();
        m_thread.join();
    }

    LatestValue<HeadMap>& latest() { return m_latest; }
    [[nodiscard]] int frames() const { return m_frames; }

private:
    void wake()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_told = true;
        }
        m_wakeUp.notify_one();
    }

    void watch(const std::stop_token& stop)
    {
        std::shared_ptr<const HeadMap> shown;
        for (;;)
        {
            {
                std::unique_lock lock(m_mutex);
                if (!m_wakeUp.wait(lock, stop, [this] { return m_told; }))
                    return;
                m_told = false;
            }
            if (auto next = m_latest.take())
            {
                shown = std::move(next);
                float low = 0;
                float high = 0;
                for (const float value : shown->xy.values())
                {
                    low = std::min(low, value);
                    high = std::max(high, value);
                }
                m_frames += high > low ? 1 : 0;
            }
        }
    }

    std::mutex m_mutex;
    std::condition_variable_any m_wakeUp;
    bool m_told = false;
    int m_frames = 0;
    LatestValue<HeadMap> m_latest;
    std::jthread m_thread;
};

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// ms per iteration of one piece of the run, from the checkpoint on.
double piece(TsneState& state, const TsneCheckpoint& from, int iterations, const TsneState::OnIteration& each)
{
    orExit(state.restore(from));
    JobContext job;
    const auto begin = Clock::now();
    orExit(state.run(from.iteration + iterations, job, each));
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count() / iterations;
}

void live(const std::string& name, std::int64_t rows, int iterations, const Settings& settings)
{
    auto cloud = test::headLikeClouds(rows, 128, 32);
    HeadPoints points{std::move(cloud.vectors), {std::move(cloud.document), std::move(cloud.head)}, 0};
    JobContext job;
    TsneOptions options;
    TsneState state = orExit(TsneState::create(points.vectors.view(), options, settings.threads, job));
    MapSnapshots snapshots(frameOfMap(points, Stage::HeadOutput, LayerIndex(0), options));
    points.vectors = {};
    orExit(state.run(options.exaggerationIterations + 100, job)); // a spread map, as most of a run sees it
    const TsneCheckpoint from = state.checkpoint();
    iterations = settings.iterations > 0 ? settings.iterations : iterations;

    std::vector<double> without;
    std::vector<double> with;
    std::vector<double> shares;
    int frames = 0;
    for (int i = 0; i < settings.repeat; ++i)
    {
        without.push_back(piece(state, from, iterations, {}));
        Viewer viewer;
        with.push_back(piece(state, from, iterations, [&](const TsneState& now) {
            if (viewer.latest().wanted())
                viewer.latest().publish(snapshots.take(now));
        }));
        shares.push_back(with.back() / without.back());
        frames += viewer.frames();
    }
    fmt::print("{{\"case\": \"{}\", \"value\": {:.3f}, \"unit\": \"ms/iteration\", \"peer\": \"without a viewer\", "
               "\"peer_value\": {:.3f}, \"ratio\": {:.4f}, \"cost\": {:.4f}, \"frames_per_piece\": {}, "
               "\"threads\": {}}}\n",
               name, median(with), median(without), 1 / median(shares), median(shares) - 1, frames / settings.repeat,
               settings.threads);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv)
{
    Settings settings;
    std::vector<std::string> wanted;
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        int* number = argument == "--threads"      ? &settings.threads
                      : argument == "--repeat"     ? &settings.repeat
                      : argument == "--iterations" ? &settings.iterations
                                                   : nullptr;
        if (number != nullptr && i + 1 < argc)
            *number = std::max(1, std::atoi(argv[++i]));
        else
            wanted.push_back(argument);
    }
    if (wanted.empty())
        wanted = {"live_32k", "live_320k"};
    for (const std::string& name : wanted)
    {
        if (name == "live_32k")
            live(name, 32'000, 400, settings);
        else if (name == "live_320k")
            live(name, 320'000, 80, settings);
        else
        {
            fmt::print(stderr, "bench_live: expected live_32k or live_320k, found {}\n", name);
            return 2;
        }
    }
    return 0;
}
