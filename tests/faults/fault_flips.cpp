// SPDX-License-Identifier: GPL-3.0-or-later
// Flips a bit in every region of every sealed file that verbs read, and runs every verb on it: exit code 3 with a
// sentence, or the very bytes of the undamaged file. A verb of the table (app/shell/verbs.cpp) without a row here
// fails.
//
//   fault_flips --bin FOLDER --golden FOLDER [--verb NAME]
#include "app/shell/verbs.h"
#include "tests/faults/flips.h"
#include "tests/faults/trial.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

using namespace headscope::faults;

namespace
{

/// A use of a sealed file by a verb. "@": the golden model.
struct Row
{
    const char* verb;
    const char* file;      ///< of the seeds, the one that is damaged
    const char* beside;    ///< other seeds that it needs, divided by blanks
    const char* words;     ///< behind the verb
    const char* output;    ///< "": what is printed tells
    bool replaces = false; ///< the output is the file itself
};

constexpr Row kRows[] = {
    {"inspect", "small.h5", "", "small.h5 --json", ""},
    {"extract", "small.h5", "texts.jsonl", "@ texts.jsonl --into small.h5", "small.h5", true},
    {"extract", "small.h5", "", "@ --layers 0 --stages 1 --into small.h5", "small.h5", true},
    {"attention", "small.h5", "", "@ --corpus small.h5 --activations 1:1 -o o.h5", "o.h5"},
    {"merge", "part_1.h5", "part_0.h5", "part_0.h5 part_1.h5 -o o.h5", "o.h5"},
    {"status", "part_1.h5", "", "part_1.h5 --json", ""},
    {"tsne", "small.h5", "", "small.h5 --perplexity 3 --iterations 20 -o o.csv", "o.csv"},
    // The figure says which file it was made from: what is printed has the hash of the places.
    {"tsne", "small.h5", "", "small.h5 --map small.h5:/maps/one/xy -o o.svg", ""},
    {"tsne", "map.h5", "small.h5", "small.h5 --map map.h5:/maps/map/xy -o o.svg", "o.svg"},
    {"tsne", "map.h5", "small.h5", "small.h5 --init map.h5:/maps/map/xy --perplexity 3 --iterations 20 -o o.csv",
     "o.csv"},
    {"tsne", "map.h5", "", "--vectors map.h5:/maps/map/xy --perplexity 3 --iterations 20 -o o.csv", "o.csv"},
    {"tsne", "state.h5", "small.h5", "small.h5 --perplexity 3 --iterations 60 --state state.h5 -o o.csv", "o.csv"},
    {"neighbors", "small.h5", "", "small.h5 -k 3 -o o.h5", "o.h5"},
    {"quality", "small.h5", "map.h5", "small.h5 --map map.h5:/maps/map/xy --perplexity 3 --json", ""},
    {"quality", "map.h5", "small.h5", "small.h5 --map map.h5:/maps/map/xy --perplexity 3 --json", ""},
    {"quality", "map.h5", "small.h5",
     "small.h5 --map small.h5:/maps/one/xy --against map.h5:/maps/map/xy --perplexity 3 --json", ""},
    {"probe", "small.h5", "", "small.h5 -o o.csv", "o.csv"},
    {"label-probe", "small.h5", "", "small.h5 -o o.csv", "o.csv"},
    {"heatmap", "small.h5", "", "small.h5 -o o.csv", "o.csv"},
    {"similarity", "small.h5", "", "small.h5 --json", ""},
    {"match", "small.h5", "", "small.h5 --json", ""},
    {"heads", "small.h5", "", "small.h5 --json", ""},
    {"layers", "small.h5", "", "small.h5 --neighbors 2 --layer last -o o.csv", "o.csv"},
    {"name", "small.h5", "", "small.h5 --permutations 9 -o o.csv", "o.csv"},
    {"evaluate", "small.h5", "", "small.h5 -o o.csv", "o.csv"},
    {"card", "small.h5", "", "small.h5 --head 2 -o o.csv", "o.csv"},
    {"retrieve", "small.h5", "", "small.h5 --query-document a --json", ""},
    {"prune", "small.h5", "", "small.h5 --save-mask o.json", "o.json"},
    {"export", "small.h5", "", "small.h5 -o o.npy", "o.npy"},
    {"export", "small.h5", "", "small.h5 --map all -o o.csv", "o.csv"},
    {"figure", "small.h5", "figure.json", "figure.json --input small.h5 -o o.svg", "o.svg"},
    {"report", "small.h5", "", "small.h5 -o report", ""},
};

/// Verbs that read no file with a seal, and why there is none to flip.
const std::map<std::string, std::string> kWithoutRows = {
    {"tokenize", "texts and a tokenizer"},
    {"importance", "texts and a model"},
    {"contributions", "texts and a model"},
    {"composition", "a model"},
    {"lens", "texts and a model"},
    {"circuits", "a result of the engine, which has no seal"},
    {"serve", "requests; what they name is read by extract and attention"},
    {"doctor", "nothing"},
};

/// The difference between the table of verbs and the rows; empty: none.
std::string missingRows()
{
    std::set<std::string> rows;
    for (const Row& row : kRows)
        rows.insert(row.verb);
    std::string missing;
    for (const auto& verb : headscope::shell::allVerbs())
    {
        const std::string name(verb.name);
        if (rows.contains(name) == kWithoutRows.contains(name))
            missing += "the verb " + name + " has no rows in kRows, and no reason in kWithoutRows (or both)\n";
    }
    for (const std::string& name : rows)
        if (headscope::shell::findVerb(name) == nullptr)
            missing += "there is no verb " + name + " any more\n";
    return missing;
}

/// The row as trials take it.
Kind kindOf(const Row& row, const Programs& programs, const std::filesystem::path& seeds)
{
    const auto* verb = headscope::shell::findVerb(row.verb);
    const bool engine = verb->home == headscope::shell::VerbHome::Engine;
    Action action;
    action.command.words = {(engine ? programs.engine : programs.app).string(), row.verb};
    std::istringstream words(row.words);
    for (std::string word; words >> word;)
        action.command.words.push_back(word == "@" ? (programs.golden / "models/llama_mha").string() : word);
    action.command.words.insert(action.command.words.end(), {"--threads", "1"});
    action.command.environment = {"SOURCE_DATE_EPOCH=1700000000"};
    action.samePrinted = *row.output == '\0' && std::string(row.verb) != "report"; // whose words say how long it took
    if (*row.output != '\0')
        action.outputs = {row.output};
    Seed seed{row.file, readFile(seeds / row.file), {}};
    std::istringstream beside(row.beside);
    for (std::string name; beside >> name;)
        seed.links[name] = seeds / name;
    // The truth is kept by name: one for each row.
    Kind kind{std::string(row.verb) + " " + row.words, {std::move(seed)}, {}, {std::move(action)}, Promise::Same,
              {"report", "report/", "report.log"}};
    if (*row.output == '\0')
        kind.mayChange.insert("o.svg");
    if (row.replaces || std::string(row.file) == "state.h5")
        kind.mayChange.insert(row.file);
    return kind;
}

struct Case
{
    const Kind* kind = nullptr;
    Flip flip;
};

class Session
{
public:
    explicit Session(std::vector<Case> cases) : m_cases(std::move(cases)) {}

    void work(const std::filesystem::path& place)
    {
        TrialBench bench(place, {});
        for (std::size_t i = m_next++; i < m_cases.size(); i = m_next++)
        {
            const Case& one = m_cases[i];
            const Trial trial{one.kind, 0, 0, flipped(one.kind->seeds.front().bytes, one.flip)};
            std::string reason;
            try
            {
                reason = bench.judge(trial);
            }
            catch (const std::exception& error) // of this folder's own files
            {
                reason = error.what();
            }
            const int code = bench.ended().exitCode;
            if (reason.empty() && code != 0 && code != 3)
                reason = "ends with code " + std::to_string(code) + ", not with 3";
            const std::scoped_lock lock(m_mutex);
            (code == 0 ? m_same : m_refused) += 1;
            if (reason.empty())
                continue;
            ++m_found;
            std::printf("%s, byte %zu of %s (%s): %s\n%s", reason.c_str(), one.flip.at,
                        one.kind->seeds.front().name.c_str(), one.flip.region.c_str(),
                        shellLine(one.kind->actions.front().command).c_str(), bench.ended().err.c_str());
            std::fflush(stdout);
        }
    }
    /// @return how many were found
    [[nodiscard]] int report() const
    {
        std::printf("%zu flips: %d refused, %d with the same numbers, %d not taken well\n", m_cases.size(), m_refused,
                    m_same, m_found);
        return m_found;
    }

private:
    std::vector<Case> m_cases;
    std::atomic<std::size_t> m_next = 0;
    std::mutex m_mutex;
    int m_refused = 0;
    int m_same = 0;
    int m_found = 0;
};

/// Of a report, which takes as long as thirty verbs, one of the vectors and one of the rest.
std::vector<Flip> chosen(const Row& row, std::vector<Flip> flips)
{
    if (std::string(row.verb) != "report")
        return flips;
    return {flips.front(), flips.back()};
}

int session(const std::filesystem::path& bin, const std::filesystem::path& golden, const std::string& verb)
{
    if (const std::string missing = missingRows(); !missing.empty())
    {
        std::printf("%s", missing.c_str());
        return 1;
    }
    std::string place = (std::filesystem::temp_directory_path() / "fault_flips_XXXXXX").string();
    if (::mkdtemp(place.data()) == nullptr)
        throw std::runtime_error("cannot make " + place);
    const std::filesystem::path folder = place;
    limitMemory(0);
    const Programs programs = programsIn(bin, golden);
    makeSeeds(programs, folder / "seeds", 6);
    std::vector<Kind> kinds;
    kinds.reserve(std::size(kRows));
    std::vector<Case> cases;
    for (const Row& row : kRows)
    {
        if (!verb.empty() && verb != row.verb)
            continue;
        kinds.push_back(kindOf(row, programs, folder / "seeds"));
        for (Flip& flip : chosen(row, flipsOf(kinds.back().seeds.front().bytes)))
            cases.push_back({&kinds.back(), std::move(flip)});
    }
    Session session(std::move(cases));
    std::vector<std::thread> workers;
    for (int i = 0; i < 2; ++i)
        workers.emplace_back([&session, &folder, i] { session.work(folder / ("worker" + std::to_string(i))); });
    for (std::thread& worker : workers)
        worker.join();
    std::filesystem::remove_all(folder);
    return session.report() == 0 ? 0 : 1;
}

} // namespace

int main(int count, char** words)
{
    std::map<std::string, std::string> options;
    for (int i = 1; i + 1 < count; i += 2)
        options[words[i]] = words[i + 1];
    try
    {
        return session(std::filesystem::absolute(options["--bin"]), std::filesystem::absolute(options["--golden"]),
                       options["--verb"]);
    }
    catch (const std::exception& error)
    {
        std::fprintf(stderr, "fault_flips: %s\n", error.what());
        return 2;
    }
}
