// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/faults/verb_runs.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace headscope::faults
{

/// Crashes inside libraries that ended in the program's own sentence, of all benches.
inline std::atomic<int> libraryCrashes = 0;

using Files = std::map<std::string, std::string>;

struct Wishes
{
    std::filesystem::path bin;
    std::filesystem::path golden;
    std::filesystem::path interpose;
    std::uint64_t seed = std::random_device()();
    double seconds = 60;
    std::string verb;    ///< part of a run's name
    std::string without; ///< part of the names of runs that are left out; empty: none
    std::string fault;   ///< empty: both
    std::string how;     ///< empty: all
    long at = 0;         ///< 0: any
    bool all = false;
    bool places = false;
    std::size_t from = 0; ///< with all and places: how many of the list are left out
    int workers = 2;
};

/// What undisturbed runs leave, and how many calls they make.
struct Truth
{
    std::map<std::string, long> calls;  ///< by fault
    std::map<std::string, long> places; ///< of the code that take memory, with the number of the first allocation
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
            std::istringstream counts(readFile(countFile()));
            long unsynced = 0;
            counts >> truth.calls[fault] >> unsynced;
            if (unsynced > 0)
                throw std::runtime_error(run.name +
                                         ": a loss of power could leave a file under its name without its bytes");
            if (truth.calls[fault] == 0 &&
                (std::string(fault) == "allocation" || truth.files.back().size() > filesOf(run)))
                throw std::runtime_error(run.name + ": no " + fault + " is counted: the library is not in its way");
        }
        if (m_wishes.places)
            truth.places = placesOf(run);
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
        {
            std::string reason = judgeFailed(before, after, truth.files.front());
            const bool whole = std::ranges::all_of(truth.files.front(), [&](const auto& file) {
                const auto found = after.find(file.first);
                return found != after.end() && found->second == file.second; // what failed came after it
            });
            const bool goesOn = !whole && std::ranges::any_of(after, isGoneOnWith);
            return reason.empty() && goesOn ? judgeResumed(run, truth) : reason;
        }
        if (!run.printsTimes && ended.out != truth.ended.front().out)
            return "exit code 0, other words printed" + firstLine(ended.err);
        return judgeWritten(truth, after, place.fault == "allocation");
    }

    [[nodiscard]] std::string commandLine(const VerbRun& run, const Place& place) const
    {
        return shellLine(commandWith(run, place));
    }

private:
    [[nodiscard]] std::map<std::string, long> placesOf(const VerbRun& run) const
    {
        begin(run);
        const std::filesystem::path file = m_place / "places";
        [[maybe_unused]] const Ended ended =
            runWith(run, {0, "allocation", "once", 0}, {"HEADSCOPE_FAULT_PLACES=" + file.string()});
        std::map<std::string, long> places;
        std::istringstream lines(readFile(file));
        std::string hash;
        for (long at = 0; lines >> at >> hash;)
            places[hash] = at;
        return places;
    }

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

    [[nodiscard]] Ended runWith(const VerbRun& run, const Place& place, std::vector<std::string> environment = {}) const
    {
        Command command = commandWith(run, place);
        std::ranges::move(environment, std::back_inserter(command.environment));
        command.environment.push_back("HEADSCOPE_FAULT_COUNT=" + countFile().string());
        std::ranges::copy(quietEnvironment(m_place / "home"), std::back_inserter(command.environment));
        return headscope::faults::run(command, m_folder, m_place / "notes", Limits());
    }

    /// An output that is as the undisturbed run makes it is whole: what failed came after it.
    static std::string judgeFailed(const Files& before, const Files& after, const Files& whole)
    {
        for (const auto& [name, bytes] : before)
        {
            const bool replaced = whole.contains(name) && after.contains(name) && whole.at(name) == after.at(name);
            if (!replaced && (!after.contains(name) || after.at(name) != bytes))
                return "an error, and changed or removed " + name;
        }
        for (const auto& [name, bytes] : after)
        {
            const bool complete = whole.contains(name) && whole.at(name) == bytes;
            if (!before.contains(name) && !name.starts_with("keep.") && !isOfShards({name, bytes}) && !complete)
                return "an error, and left behind " + name;
        }
        return {};
    }

    /// What the same command goes on with.
    static bool isGoneOnWith(const Files::value_type& file)
    {
        return isOfShards(file) || file.first.starts_with("keep.report/");
    }

    /// What the next extraction goes on with.
    static bool isOfShards(const Files::value_type& file)
    {
        return file.first.ends_with(".shards") || file.first.find(".shards/") != std::string::npos;
    }

    /// The same run again, with what the failed one left.
    [[nodiscard]] std::string judgeResumed(const VerbRun& run, const Truth& truth) const
    {
        if (truth.files.front() == filesBelow(m_folder))
            return {};
        const Ended ended = runWith(run, {0, "write", "once", 0});
        if (ended.exitCode != 0)
            return "an error, and the next run fails" + firstLine(ended.err);
        return judgeWritten(truth, filesBelow(m_folder), false);
    }

    /// HDF5, the matrix library and Qt use memory that they did not get. That ends in a sentence of its own, and
    /// changes nothing that was there.
    static bool crashedInSentence(const Ended& ended)
    {
        return ended.exitCode == 70 &&
               ended.err.find("headscope: the program crashed") != std::string::npos;
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

} // namespace headscope::faults
