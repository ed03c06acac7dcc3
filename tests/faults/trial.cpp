// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/trial.h"

#include <algorithm>

namespace headscope::faults
{
namespace
{

bool mayChange(const Kind& kind, const std::string& name)
{
    return std::ranges::any_of(kind.mayChange, [&](const std::string& entry) {
        return name == entry || (entry.ends_with('/') && name.starts_with(entry));
    });
}

/// A shell's word for how the file differs is a reason without the parts that differ from case to case.
std::string folderName(std::string reason)
{
    std::ranges::replace_if(
        reason, [](char c) { return c == ' ' || c == '/' || c == ':'; }, '-');
    return reason.substr(0, 60);
}

} // namespace

TrialBench::TrialBench(const std::filesystem::path& place, const Limits& limits)
    : m_place(place), m_folder(place / "case"), m_limits(limits)
{
    std::filesystem::remove_all(m_place);
    std::filesystem::create_directories(m_folder);
}

Command TrialBench::commandOf(const Command& command) const
{
    Command result = command;
    for (std::string& entry : result.environment)
        if (const std::size_t at = entry.find('@'); at != std::string::npos)
            entry.replace(at, 1, m_folder.string());
    for (const std::string& entry : quietEnvironment(m_place / "home"))
    {
        const std::string name = entry.substr(0, entry.find('=') + 1);
        if (std::ranges::none_of(result.environment, [&](const std::string& own) { return own.starts_with(name); }))
            result.environment.push_back(entry);
    }
    return result;
}

void TrialBench::layOut(const Seed& seed, const std::string& bytes) const
{
    std::filesystem::remove_all(m_folder);
    std::filesystem::create_directories((m_folder / seed.name).parent_path());
    for (const auto& [name, target] : seed.links)
    {
        std::filesystem::create_directories((m_folder / name).parent_path());
        std::filesystem::create_symlink(target, m_folder / name);
    }
    writeFile(m_folder / seed.name, bytes);
}

Ended TrialBench::runHere(const Command& command) const
{
    return run(commandOf(command), m_folder, m_place / "notes", m_limits);
}

const Truth& TrialBench::truthOf(const Trial& trial)
{
    const std::string key = trial.kind->name + " " + std::to_string(trial.seed) + " " + std::to_string(trial.action);
    if (const auto found = m_truths.find(key); found != m_truths.end())
        return found->second;
    const Seed& seed = trial.kind->seeds.at(trial.seed);
    const Action& action = trial.kind->actions.at(trial.action);
    layOut(seed, seed.bytes);
    const Ended ended = runHere(action.command);
    Truth truth{ended.exitCode == 0, ended.out, {}};
    for (const std::string& name : action.outputs)
        truth.outputs[name] = truth.accepted ? readFile(m_folder / name) : std::string();
    return m_truths[key] = std::move(truth);
}

std::string TrialBench::judgeFiles(const Trial& trial, const std::map<std::string, std::string>& before)
{
    const Action& action = trial.kind->actions.at(trial.action);
    const auto after = filesBelow(m_folder);
    for (const auto& [name, bytes] : before)
    {
        const auto found = after.find(name);
        const bool kept = found != after.end() && found->second == bytes;
        if (!kept && !(m_ended.exitCode == 0 && mayChange(*trial.kind, name)))
            return "changed or removed " + name;
    }
    for (const auto& [name, bytes] : after)
    {
        const bool wanted = m_ended.exitCode == 0 && action.outputs.contains(name);
        if (name.ends_with(".shards") || name.find(".shards/") != std::string::npos)
            continue; // the next extraction goes on with them
        if (!before.contains(name) && !wanted && !mayChange(*trial.kind, name))
            return "left behind " + name;
    }
    for (const std::string& name : action.outputs)
        if (m_ended.exitCode == 0 && !after.contains(name))
            return "wrote no " + name;
    return {};
}

std::string TrialBench::judgeNumbers(const Trial& trial, const Truth& truth) const
{
    const Action& action = trial.kind->actions.at(trial.action);
    const bool told = m_ended.err.find("checksum") != std::string::npos;
    if (trial.kind->promise == Promise::Nothing || (trial.kind->promise == Promise::SameOrTold && told))
        return {};
    if (action.samePrinted && m_ended.out != truth.out)
        return "other numbers without a word";
    for (const auto& [name, bytes] : truth.outputs)
        if (!name.ends_with(".png") && readFile(m_folder / name) != bytes)
            return "other numbers in " + name + " without a word";
    return {};
}

std::string TrialBench::judge(const Trial& trial)
{
    const Action& action = trial.kind->actions.at(trial.action);
    const Truth& truth = truthOf(trial);
    if (!truth.accepted)
        return "refuses the sound file " + trial.kind->seeds.at(trial.seed).name;
    layOut(trial.kind->seeds.at(trial.seed), trial.bytes);
    const auto before = filesBelow(m_folder);
    m_ended = runHere(action.command);
    if (std::string reason = blame(m_ended, m_limits); !reason.empty())
        return reason;
    if (action.mustEndWell && m_ended.exitCode != 0)
        return "does not open for this file";
    if (std::string reason = judgeFiles(trial, before); !reason.empty())
        return reason;
    if (m_ended.exitCode != 0)
        return {};
    if (std::string reason = judgeNumbers(trial, truth); !reason.empty())
        return reason;
    for (const Command& next : action.then)
    {
        m_ended = runHere(next);
        if (m_ended.exitCode != 0)
            return "wrote what cannot be read";
    }
    return {};
}

void TrialBench::keep(const Trial& trial, const std::filesystem::path& folder, const std::string& reason)
{
    std::filesystem::path into;
    for (int number = 1; into.empty() || std::filesystem::exists(into); ++number)
        into = folder / (trial.kind->name + "-" + folderName(reason) + "-" + std::to_string(number));
    layOut(trial.kind->seeds.at(trial.seed), trial.bytes);
    std::filesystem::create_directories(folder);
    std::filesystem::copy(m_folder, into, std::filesystem::copy_options::recursive); // what links lead to, too
    Command command = trial.kind->actions.at(trial.action).command;
    writeFile(into / "COMMAND", "# " + reason + "\n" + shellLine(command) + "\n");
    writeFile(into / "STDERR", m_ended.err);
    writeFile(into / "STDOUT", m_ended.out);
}

} // namespace headscope::faults
