// SPDX-License-Identifier: GPL-3.0-or-later
// Makes one call of a small run of every verb fail: the Nth that changes a file, or the Nth that takes memory. The run
// has to end with the same files as an undisturbed one, or with a sentence, a documented exit code and all files as
// they were.
//
//   fault_calls --bin FOLDER --golden FOLDER --interpose LIBRARY [--seed N] [--seconds S] [--verb TEXT] [--without
//   TEXT]
//               [--fault write|allocation] [--how once|on|short|quota] [--at N] [--all | --places] [--from N]
//               [--workers N]
//
// Every verb gets the same number of tries at random calls; --all: each call of each, in order; --places: the first
// allocation of each place of the code, a place being 8 nested calls that no other run came by; --from N: the first N
// of such a list are left out (with the same seed and one worker it is the same list). Exit code 1: something was
// found; the command that shows it is printed.
#include "tests/faults/call_bench.h"
#include "tests/faults/random.h"
#include "tests/faults/verb_runs.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <thread>

using namespace headscope::faults;

namespace
{

using Clock = std::chrono::steady_clock;

/// The ways in which calls are made to fail that were asked for.
std::vector<Place> waysOf(const Wishes& wishes)
{
    std::vector<Place> ways;
    for (const char* fault : {"write", "allocation"})
        for (const char* how : {"once", "on", "short", "quota"})
        {
            const bool ofWrites = std::string(how) == "short" || std::string(how) == "quota";
            const bool exists = !ofWrites || std::string(fault) == "write";
            if (exists && (wishes.fault.empty() || wishes.fault == fault) && (wishes.how.empty() || wishes.how == how))
                ways.push_back({0, fault, how, 0});
        }
    return ways;
}

/// Of each run before the next is looked at.
constexpr int kTriesAtFirst = 5;

class Session
{
public:
    Session(const Wishes& wishes, std::vector<VerbRun> runs)
        : m_wishes(wishes), m_runs(std::move(runs)), m_truths(m_runs.size()), m_ways(waysOf(wishes)),
          m_nextPlace(wishes.from), m_random(wishes.seed, 0)
    {
        for (std::size_t i = 0; i < m_runs.size(); ++i)
            m_order.insert(m_order.begin() + static_cast<std::ptrdiff_t>(m_random.below(i + 1)), i);
    }

    void work(CallBench bench)
    {
        try
        {
            while (!isOver())
                if (const std::size_t run = m_nextTruth++; run < m_runs.size())
                {
                    learn(bench, m_order[run]);
                    for (int i = 0; i < kTriesAtFirst && !isListed() && m_truths[m_order[run]] && !isOver(); ++i)
                        tryOne(bench, placeIn(m_order[run]));
                }
                else if (const auto place = next())
                    tryOne(bench, *place);
                else
                    break;
        }
        catch (const std::exception& error)
        {
            const std::scoped_lock lock(m_mutex);
            m_failure = error.what();
            m_failed = true;
        }
    }

    [[nodiscard]] int report() const
    {
        for (const auto& [reason, count] : m_found)
            std::printf("%6zu %s\n", count, reason.c_str());
        if (isListed())
            std::printf("%zu places, %zu of them tried\n", m_places.size(), m_nextPlace - m_wishes.from);
        std::printf("%zu runs of %zu commands, %zu not taken well; seed %llu\n", m_done, m_runs.size(), m_bad,
                    static_cast<unsigned long long>(m_wishes.seed));
        if (libraryCrashes > 0)
            std::printf("%d crashes in libraries ended in a sentence\n", libraryCrashes.load());
        if (!m_failure.empty())
            std::printf("%s\n", m_failure.c_str());
        return m_bad == 0 && m_failure.empty() && m_done > 0 ? 0 : 1;
    }

private:
    /// Whether each call is tried that was put down, in place of random ones.
    [[nodiscard]] bool isListed() const { return m_wishes.all || m_wishes.places; }

    [[nodiscard]] bool isOver() const
    {
        const double elapsed = std::chrono::duration<double>(Clock::now() - m_begin).count();
        return m_failed || (m_wishes.seconds > 0 && elapsed > m_wishes.seconds);
    }

    void learn(CallBench& bench, std::size_t run)
    {
        std::optional<Truth> truth;
        std::string reason;
        try
        {
            truth = bench.truthOf(m_runs[run]);
        }
        catch (const std::exception& error)
        {
            reason = error.what();
        }
        const std::scoped_lock lock(m_mutex);
        if (!truth)
        {
            ++m_bad;
            ++m_found[reason];
            return;
        }
        m_truths[run] = std::move(truth);
        addPlaces(run);
    }

    /// With --all and --places, those of one run; the mutex is held.
    void addPlaces(std::size_t run)
    {
        if (m_wishes.places)
            for (const auto& [hash, at] : m_truths[run]->places)
                if (m_seen.insert(hash).second)
                    m_places.push_back({run, "allocation", "once", at});
        if (!m_wishes.all)
            return;
        for (Place way : m_ways)
            for (long at = 1; at <= m_truths[run]->calls.at(way.fault); ++at)
                m_places.push_back({run, way.fault, way.how, at});
    }

    std::optional<Place> next()
    {
        const std::scoped_lock lock(m_mutex);
        if (isListed())
        {
            if (m_nextPlace >= m_places.size())
                return std::nullopt;
            if (m_nextPlace % 1000 == 0)
            {
                std::printf("%zu of %zu places, %zu not taken well\n", m_nextPlace, m_places.size(), m_bad);
                std::fflush(stdout);
            }
            return m_places[m_nextPlace++];
        }
        for (std::size_t tries = 0; tries < m_runs.size(); ++tries)
            if (const std::size_t run = m_nextRun++ % m_runs.size(); m_truths[run])
                return somewhereIn(run);
        return std::nullopt;
    }

    Place placeIn(std::size_t run)
    {
        const std::scoped_lock lock(m_mutex);
        return somewhereIn(run);
    }

    /// The mutex is held.
    Place somewhereIn(std::size_t run)
    {
        Place place = m_random.oneOf(m_ways);
        place.run = run;
        const auto calls = static_cast<std::size_t>(m_truths[run]->calls.at(place.fault));
        place.at = m_wishes.at > 0 ? m_wishes.at : 1 + static_cast<long>(m_random.below(calls));
        return place;
    }

    void tryOne(CallBench& bench, const Place& place)
    {
        const VerbRun& run = m_runs[place.run];
        const std::string reason = bench.judge(run, *m_truths[place.run], place);
        const std::scoped_lock lock(m_mutex);
        ++m_done;
        if (reason.empty())
            return;
        ++m_bad;
        ++m_found[run.command.words.at(1) + ", " + place.fault + ": " + reason];
        std::printf("%s\n    %s\n", reason.c_str(), bench.commandLine(run, place).c_str());
        std::fflush(stdout);
    }

    const Wishes& m_wishes;
    std::vector<VerbRun> m_runs;
    std::vector<std::optional<Truth>> m_truths;
    std::vector<Place> m_ways;
    std::vector<Place> m_places;
    std::set<std::string> m_seen;     ///< the places of the code that are among them
    std::vector<std::size_t> m_order; ///< in which the runs are learned
    std::atomic<std::size_t> m_nextTruth{0};
    std::size_t m_nextPlace = 0;
    std::size_t m_nextRun = 0;
    Random m_random;
    std::map<std::string, std::size_t> m_found;
    std::size_t m_done = 0;
    std::size_t m_bad = 0;
    std::string m_failure;
    std::atomic<bool> m_failed{false};
    std::mutex m_mutex;
    Clock::time_point m_begin = Clock::now();
};

Wishes parse(int count, char** words)
{
    Wishes wishes;
    const auto path = [](const std::string& text) { return std::filesystem::absolute(text); };
    const std::map<std::string, std::function<void(const std::string&)>> options = {
        {"--bin", [&](const std::string& text) { wishes.bin = path(text); }},
        {"--golden", [&](const std::string& text) { wishes.golden = path(text); }},
        {"--interpose", [&](const std::string& text) { wishes.interpose = path(text); }},
        {"--seed", [&](const std::string& text) { wishes.seed = std::stoull(text); }},
        {"--seconds", [&](const std::string& text) { wishes.seconds = std::stod(text); }},
        {"--verb", [&](const std::string& text) { wishes.verb = text; }},
        {"--without", [&](const std::string& text) { wishes.without = text; }},
        {"--fault", [&](const std::string& text) { wishes.fault = text; }},
        {"--how", [&](const std::string& text) { wishes.how = text; }},
        {"--at", [&](const std::string& text) { wishes.at = std::stol(text); }},
        {"--from", [&](const std::string& text) { wishes.from = std::stoul(text); }},
        {"--workers", [&](const std::string& text) { wishes.workers = std::stoi(text); }}};
    for (int i = 1; i < count; ++i)
    {
        const std::string word = words[i];
        if (word == "--all")
            wishes.all = true;
        else if (word == "--places")
            wishes.places = true;
        else if (const auto option = options.find(word); option != options.end() && i + 1 < count)
            option->second(words[++i]);
        else
            throw std::runtime_error("no such option, or no value for it: " + word);
    }
    if (wishes.bin.empty() || wishes.golden.empty() || !std::filesystem::exists(wishes.interpose))
        throw std::runtime_error("--bin, --golden and --interpose are needed");
    return wishes;
}

int session(const Wishes& wishes)
{
    std::string name = (std::filesystem::temp_directory_path() / "fault_calls_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        throw std::runtime_error("cannot make " + name);
    const std::filesystem::path folder = name;
    std::printf("seed %llu\n", static_cast<unsigned long long>(wishes.seed));
    std::fflush(stdout);
    limitMemory(0);
    const Programs programs = programsIn(wishes.bin, wishes.golden);
    makeSeeds(programs, folder / "seeds");
    std::vector<VerbRun> runs = allVerbRuns(programs);
    std::erase_if(runs, [&](const VerbRun& run) {
        return run.name.find(wishes.verb) == std::string::npos ||
               (!wishes.without.empty() && run.name.find(wishes.without) != std::string::npos);
    });
    Session session(wishes, std::move(runs));
    std::vector<std::thread> workers;
    for (int i = 0; i < wishes.workers; ++i)
        workers.emplace_back(
            [&, i] { session.work(CallBench(folder / ("worker" + std::to_string(i)), wishes, folder / "seeds")); });
    for (std::thread& worker : workers)
        worker.join();
    std::filesystem::remove_all(folder);
    return session.report();
}

} // namespace

int main(int count, char** words)
{
    try
    {
        return session(parse(count, words));
    }
    catch (const std::exception& error)
    {
        std::fprintf(stderr, "fault_calls: %s\n", error.what());
        return 2;
    }
}
