// SPDX-License-Identifier: GPL-3.0-or-later
// Makes one call of a small run of every verb fail: the Nth that changes a file, or the Nth that takes memory. The run
// has to end with the same files as an undisturbed one, or with a sentence, a documented exit code and all files as
// they were.
//
//   fault_calls --bin FOLDER --golden FOLDER --interpose LIBRARY [--seed N] [--seconds S] [--verb TEXT]
//               [--fault write|allocation] [--how once|on|short] [--at N] [--all] [--workers N]
//
// Every verb gets the same number of tries at random places; --all: each place of each, in order. Exit code 1:
// something was found; the command that shows it is printed.
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
#include <stdexcept>
#include <thread>

using namespace headscope::faults;

namespace
{

std::atomic<int> libraryCrashes = 0;

using Clock = std::chrono::steady_clock;
using Files = std::map<std::string, std::string>;

struct Wishes
{
    std::filesystem::path bin;
    std::filesystem::path golden;
    std::filesystem::path interpose;
    std::uint64_t seed = std::random_device()();
    double seconds = 60;
    std::string verb;  ///< part of a run's name
    std::string fault; ///< empty: both
    std::string how;   ///< empty: all
    long at = 0;       ///< 0: any
    bool all = false;
    int workers = 2;
};

/// What undisturbed runs leave, and how many calls they make.
struct Truth
{
    std::map<std::string, long> calls; ///< by fault
    std::vector<Ended> ended;
    std::vector<Files> files;
};

struct Place
{
    std::size_t run = 0;
    std::string fault;
    std::string how;
    long at = 0;
};

/// Runs with and without a fault, in folders of its own.
class CallBench
{
public:
    CallBench(std::filesystem::path place, const Wishes& wishes, std::filesystem::path seeds)
        : m_place(std::move(place)), m_folder(m_place / "case"), m_seeds(std::move(seeds)), m_wishes(wishes)
    {}

    /// @throws std::runtime_error if an undisturbed run fails
    [[nodiscard]] Truth truthOf(const VerbRun& run)
    {
        Truth truth;
        for (const char* fault : {"write", "allocation"})
        {
            begin(run);
            truth.ended.push_back(runWith(run, {0, fault, "once", 0}));
            if (truth.ended.back().exitCode != 0)
                throw std::runtime_error(run.name + " fails undisturbed: " + truth.ended.back().err);
            truth.files.push_back(filesBelow(m_folder));
            truth.calls[fault] = std::stol(readFile(countFile()));
            if (truth.calls[fault] == 0 &&
                (std::string(fault) == "allocation" || truth.files.back().size() > filesOf(run)))
                throw std::runtime_error(run.name + ": no " + fault + " is counted: the library is not in its way");
        }
        return truth;
    }

    [[nodiscard]] std::string judge(const VerbRun& run, const Truth& truth, const Place& place)
    {
        begin(run);
        const Files before = filesBelow(m_folder);
        const Ended ended = runWith(run, place);
        const Files after = filesBelow(m_folder);
        if (place.fault == "allocation" && crashedInSentence(ended))
        {
            ++libraryCrashes;
            return judgeCrashed(before, after);
        }
        if (std::string reason = blame(ended, Limits()); !reason.empty())
            return reason + firstLine(ended.err);
        if (ended.exitCode != 0)
            return judgeFailed(before, after, truth.files.front(), place.fault == "allocation");
        if (!run.printsTimes && ended.out != truth.ended.front().out)
            return "exit code 0, other words printed" + firstLine(ended.err);
        return judgeWritten(truth, after, place.fault == "allocation");
    }

    [[nodiscard]] std::string commandLine(const VerbRun& run, const Place& place) const
    {
        return shellLine(commandWith(run, place));
    }

private:
    [[nodiscard]] std::filesystem::path countFile() const { return m_place / "count"; }

    static std::size_t filesOf(const VerbRun& run) { return run.inputs.size() + run.replaces.size(); }

    static std::string firstLine(const std::string& text)
    {
        const std::string line = text.substr(0, std::min(text.find('\n'), text.size()));
        return line.empty() ? "" : " (" + line + ")";
    }

    void begin(const VerbRun& run) const
    {
        std::filesystem::remove_all(m_folder);
        std::filesystem::create_directories(m_folder);
        for (const std::string& name : run.inputs)
            std::filesystem::copy_file(m_seeds / name, m_folder / name);
        for (const std::string& name : run.replaces)
            std::filesystem::copy_file(m_seeds / "small.h5", m_folder / name);
    }

    [[nodiscard]] Command commandWith(const VerbRun& run, const Place& place) const
    {
        Command command = run.command;
        command.environment = {"HEADSCOPE_FAULT=" + place.fault, "HEADSCOPE_FAULT_HOW=" + place.how,
                               "HEADSCOPE_FAULT_AT=" + std::to_string(place.at),
                               "LD_PRELOAD=" + m_wishes.interpose.string()};
        return command;
    }

    [[nodiscard]] Ended runWith(const VerbRun& run, const Place& place) const
    {
        Command command = commandWith(run, place);
        command.environment.push_back("HEADSCOPE_FAULT_COUNT=" + countFile().string());
        std::ranges::copy(quietEnvironment(m_place / "home"), std::back_inserter(command.environment));
        return headscope::faults::run(command, m_folder, m_place / "notes", Limits());
    }

    /// An output that is as the undisturbed run makes it is whole: what failed came after it.
    static std::string judgeFailed(const Files& before, const Files& after, const Files& whole, bool allocation)
    {
        for (const auto& [name, bytes] : before)
        {
            const bool replaced = whole.contains(name) && after.contains(name) && whole.at(name) == after.at(name);
            if (!replaced && (!after.contains(name) || after.at(name) != bytes))
                return "an error, and changed or removed " + name;
        }
        for (const auto& [name, bytes] : after)
        {
            const bool shards =
                allocation && name.find(".shards") != std::string::npos; // the next extraction takes them
            const bool complete = whole.contains(name) && whole.at(name) == bytes;
            if (!before.contains(name) && !name.starts_with("keep.") && !shards && !complete)
                return "an error, and left behind " + name;
        }
        return {};
    }

    /// HDF5, the matrix library and Qt use memory that they did not get. That ends in a sentence of its own, and
    /// changes nothing that was there.
    static bool crashedInSentence(const Ended& ended)
    {
        return ended.exitCode == 70 && ended.err.find("headscope: a crash in the program or one of its libraries") == 0;
    }

    static std::string judgeCrashed(const Files& before, const Files& after)
    {
        for (const auto& [name, bytes] : before)
            if (!after.contains(name) || after.at(name) != bytes)
                return "a crash, and changed or removed " + name;
        return {};
    }

    /// Qt leaves out of a picture what it got no memory for, and says nothing.
    static bool isPicture(const std::string& name)
    {
        return name.ends_with(".png") || name.ends_with(".svg") || name.ends_with(".pdf");
    }

    static std::string judgeWritten(const Truth& truth, const Files& after, bool allocation)
    {
        for (const auto& [name, bytes] : after)
            if (!truth.files.front().contains(name))
                return "exit code 0, and left behind " + name;
        for (const auto& [name, bytes] : truth.files.front())
            if (!after.contains(name) || (after.at(name) != bytes && !(allocation && isPicture(name))))
                return "exit code 0, and another " + name;
        return {};
    }

    std::filesystem::path m_place;
    std::filesystem::path m_folder;
    std::filesystem::path m_seeds;
    const Wishes& m_wishes;
};

/// The ways in which calls are made to fail that were asked for.
std::vector<Place> waysOf(const Wishes& wishes)
{
    std::vector<Place> ways;
    for (const char* fault : {"write", "allocation"})
        for (const char* how : {"once", "on", "short"})
        {
            const bool exists = std::string(how) != "short" || std::string(fault) == "write";
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
          m_random(wishes.seed, 0)
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
                    for (int i = 0; i < kTriesAtFirst && !m_wishes.all && m_truths[m_order[run]] && !isOver(); ++i)
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
        std::printf("%zu runs of %zu commands, %zu not taken well; seed %llu\n", m_done, m_runs.size(), m_bad,
                    static_cast<unsigned long long>(m_wishes.seed));
        if (libraryCrashes > 0)
            std::printf("%d crashes in libraries ended in a sentence\n", libraryCrashes.load());
        if (!m_failure.empty())
            std::printf("%s\n", m_failure.c_str());
        return m_bad == 0 && m_failure.empty() && m_done > 0 ? 0 : 1;
    }

private:
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

    /// With --all, every place of one run; the mutex is held.
    void addPlaces(std::size_t run)
    {
        if (!m_wishes.all)
            return;
        for (Place way : m_ways)
            for (long at = 1; at <= m_truths[run]->calls.at(way.fault); ++at)
                m_places.push_back({run, way.fault, way.how, at});
    }

    std::optional<Place> next()
    {
        const std::scoped_lock lock(m_mutex);
        if (m_wishes.all)
        {
            if (m_nextPlace == m_places.size())
                return std::nullopt;
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
        {"--fault", [&](const std::string& text) { wishes.fault = text; }},
        {"--how", [&](const std::string& text) { wishes.how = text; }},
        {"--at", [&](const std::string& text) { wishes.at = std::stol(text); }},
        {"--workers", [&](const std::string& text) { wishes.workers = std::stoi(text); }}};
    for (int i = 1; i < count; ++i)
    {
        const std::string word = words[i];
        if (word == "--all")
            wishes.all = true;
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
    std::erase_if(runs, [&](const VerbRun& run) { return run.name.find(wishes.verb) == std::string::npos; });
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
