// SPDX-License-Identifier: GPL-3.0-or-later
// Gives damaged files of every kind to the programs, and says which they did not take well: by a signal, a hang, an
// undocumented exit code, an error without a sentence, files left behind, or other numbers without a word.
//
//   fault_mutants --bin FOLDER --golden FOLDER [--seed N] [--seconds S] [--count N] [--kind NAME,...] [--keep FOLDER]
//                 [--workers N] [--memory MB]
//
// The kinds share the time evenly. Mutant N of a kind depends on the seed alone, so the same seed gives the same
// mutants. Exit code 1: something was found; it is in the folder of --keep, with its command.
#include "tests/faults/trial.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <optional>
#include <random>
#include <thread>

using namespace headscope::faults;

namespace
{

using Clock = std::chrono::steady_clock;

struct Wishes
{
    std::filesystem::path bin;
    std::filesystem::path golden;
    std::filesystem::path keep = "fault_mutants";
    std::uint64_t seed = std::random_device()();
    double seconds = 60;
    std::size_t count = 0; ///< mutants of each kind; 0: as many as the time allows
    std::string kinds;     ///< empty: all
    int workers = 2;
    long memory = 4096;
};

/// How far a kind has come.
struct Progress
{
    std::size_t begun = 0;
    double seconds = 0;
    std::size_t running = 0;
    std::map<std::string, std::size_t> found; ///< by reason
};

class Session
{
public:
    Session(Wishes wishes, std::vector<Kind> kinds)
        : m_wishes(std::move(wishes)), m_kinds(std::move(kinds)), m_progress(m_kinds.size())
    {}

    void work(const std::filesystem::path& place)
    {
        TrialBench bench(place, limits());
        try
        {
            for (auto number = next(); number; number = next())
                tryOne(bench, number->first, number->second);
        }
        catch (const std::exception& error)
        {
            const std::scoped_lock lock(m_mutex);
            m_failure = error.what();
        }
    }

    /// @return how many were found
    [[nodiscard]] std::size_t report() const
    {
        std::size_t all = 0;
        std::size_t found = 0;
        for (std::size_t i = 0; i < m_kinds.size(); ++i)
        {
            std::printf("%-12s %6zu mutants\n", m_kinds[i].name.c_str(), m_progress[i].begun);
            all += m_progress[i].begun;
            for (const auto& [reason, count] : m_progress[i].found)
            {
                std::printf("%12s %6zu %s\n", "", count, reason.c_str());
                found += count;
            }
        }
        std::printf("%zu mutants, %zu not taken well; seed %llu\n", all, found,
                    static_cast<unsigned long long>(m_wishes.seed));
        if (!m_failure.empty())
            std::printf("%s\n", m_failure.c_str());
        return m_failure.empty() ? found : found + 1;
    }

private:
    [[nodiscard]] Limits limits() const
    {
        Limits limits;
        limits.residentMegabytes = m_wishes.memory == 0 ? 0 : limits.residentMegabytes;
        return limits;
    }

    /// The kind that had the least time, and the number of its mutant; nothing when all is done.
    std::optional<std::pair<std::size_t, std::size_t>> next()
    {
        const std::scoped_lock lock(m_mutex);
        const double elapsed = std::chrono::duration<double>(Clock::now() - m_begin).count();
        if (!m_failure.empty() || (m_wishes.seconds > 0 && elapsed > m_wishes.seconds))
            return std::nullopt;
        std::optional<std::size_t> chosen;
        const auto cost = [this](std::size_t i) { // what is under way counts as what one took until now
            const Progress& kind = m_progress[i];
            return kind.seconds *
                   (1 + static_cast<double>(kind.running) / static_cast<double>(std::max<std::size_t>(1, kind.begun)));
        };
        for (std::size_t i = 0; i < m_kinds.size(); ++i)
        {
            const bool open = m_wishes.count == 0 || m_progress[i].begun < m_wishes.count;
            if (open && (!chosen || cost(i) < cost(*chosen) ||
                         (cost(i) == cost(*chosen) && m_progress[i].begun < m_progress[*chosen].begun)))
                chosen = i;
        }
        if (!chosen)
            return std::nullopt;
        ++m_progress[*chosen].running;
        return std::pair(*chosen, m_progress[*chosen].begun++);
    }

    void tryOne(TrialBench& bench, std::size_t kindNumber, std::size_t number)
    {
        const auto begin = Clock::now();
        const Kind& kind = m_kinds[kindNumber];
        Random random(m_wishes.seed + std::hash<std::string>()(kind.name), number);
        Trial trial{&kind, random.below(kind.seeds.size()), chooseAction(kind, random), {}};
        trial.bytes = kind.mutate(kind.seeds[trial.seed].bytes, random);
        const std::string reason = bench.judge(trial);
        const std::scoped_lock lock(m_mutex);
        Progress& progress = m_progress[kindNumber];
        --progress.running;
        progress.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
        if (reason.empty())
            return;
        if (++progress.found[reason] <= 10)
            bench.keep(trial, m_wishes.keep, reason);
        std::printf("%s %zu: %s: %s\n", kind.name.c_str(), number, reason.c_str(),
                    shellLine(kind.actions[trial.action].command).c_str());
        std::fflush(stdout);
    }

    static std::size_t chooseAction(const Kind& kind, Random& random)
    {
        std::size_t sum = 0;
        for (const Action& action : kind.actions)
            sum += static_cast<std::size_t>(action.weight);
        std::size_t left = random.below(sum);
        for (std::size_t i = 0;; ++i)
        {
            const auto weight = static_cast<std::size_t>(kind.actions[i].weight);
            if (left < weight)
                return i;
            left -= weight;
        }
    }

    Wishes m_wishes;
    std::vector<Kind> m_kinds;
    std::vector<Progress> m_progress;
    std::string m_failure;
    std::mutex m_mutex;
    Clock::time_point m_begin = Clock::now();
};

Wishes parse(int count, char** words)
{
    Wishes wishes;
    const std::map<std::string, std::function<void(const std::string&)>> options = {
        {"--bin", [&](const std::string& text) { wishes.bin = std::filesystem::absolute(text); }},
        {"--golden", [&](const std::string& text) { wishes.golden = std::filesystem::absolute(text); }},
        {"--keep", [&](const std::string& text) { wishes.keep = text; }},
        {"--seed", [&](const std::string& text) { wishes.seed = std::stoull(text); }},
        {"--seconds", [&](const std::string& text) { wishes.seconds = std::stod(text); }},
        {"--count", [&](const std::string& text) { wishes.count = std::stoul(text); }},
        {"--kind", [&](const std::string& text) { wishes.kinds = text; }},
        {"--workers", [&](const std::string& text) { wishes.workers = std::stoi(text); }},
        {"--memory", [&](const std::string& text) { wishes.memory = std::stol(text); }}};
    for (int i = 1; i < count; ++i)
    {
        const std::string word = words[i];
        if (const auto option = options.find(word); option != options.end() && i + 1 < count)
            option->second(words[++i]);
        else
            throw std::runtime_error("no such option, or no value for it: " + word);
    }
    if (wishes.bin.empty() || wishes.golden.empty())
        throw std::runtime_error("--bin and --golden are needed");
    return wishes;
}

std::vector<Kind> chosenKinds(const Wishes& wishes, std::vector<Kind> kinds)
{
    if (!wishes.kinds.empty())
        std::erase_if(kinds, [&](const Kind& kind) {
            return ("," + wishes.kinds + ",").find("," + kind.name + ",") == std::string::npos;
        });
    if (kinds.empty())
        throw std::runtime_error("no such kind of file: " + wishes.kinds);
    return kinds;
}

int session(const Wishes& wishes)
{
    std::string place = (std::filesystem::temp_directory_path() / "fault_mutants_XXXXXX").string();
    if (::mkdtemp(place.data()) == nullptr)
        throw std::runtime_error("cannot make " + place);
    std::printf("seed %llu\n", static_cast<unsigned long long>(wishes.seed));
    std::fflush(stdout);
    limitMemory(wishes.memory);
    const std::filesystem::path folder = place;
    const Programs programs = programsIn(wishes.bin, wishes.golden);
    makeSeeds(programs, folder / "seeds");
    Session session(wishes, chosenKinds(wishes, allKinds(programs, folder / "seeds")));
    std::vector<std::thread> workers;
    for (int i = 0; i < wishes.workers; ++i)
        workers.emplace_back([&session, &folder, i] { session.work(folder / ("worker" + std::to_string(i))); });
    for (std::thread& worker : workers)
        worker.join();
    std::filesystem::remove_all(folder);
    return session.report() == 0 ? 0 : 1;
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
        std::fprintf(stderr, "fault_mutants: %s\n", error.what());
        return 2;
    }
}
