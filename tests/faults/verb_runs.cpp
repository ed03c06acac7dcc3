// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/verb_runs.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

namespace headscope::faults
{
namespace
{

/// "@": the golden model. Outputs begin with "o.", those that may stay after an error with "keep.", what is replaced
/// with "old."; every other word with the name of a seed is an input.
constexpr std::array<std::string_view, 12> kEngineRuns = {
    "inspect @ --json",
    "inspect small.h5 --json",
    "tokenize @ --input texts.jsonl",
    "extract @ docs.jsonl -o o.h5",
    "extract @ docs.csv --stages 1 --store f16 --shard-mb 1 -o o.h5",
    "extract @ docs.jsonl.gz --stages 1,contribution --layers all -o o.h5",
    "extract @ texts.jsonl -o old.h5 --overwrite",
    "extract @ docs.jsonl --range 2:5 -o o.h5",
    "extract @ texts.jsonl --into old.h5",
    "extract @ --layers 0 --stages 1 --into old.h5",
    "merge part_0.h5 part_1.h5 -o o.h5",
    "status part_0.h5 --json",
};

constexpr std::array<std::string_view, 48> kAppRuns = {
    "inspect small.h5",
    "inspect retrieval.json --json",
    "match small.h5 --mask mask.json --json",
    "match small.h5 -o o.csv",
    "match small.h5 -o o.h5",
    "heads small.h5 --json",
    "heads small.h5 -o o.tex",
    "heatmap small.h5 -o o.csv",
    "heatmap small.h5 -o o.h5",
    "heatmap small.h5 -o o.svg",
    "heatmap small.h5 -o o.png",
    "heatmap small.h5 -o o.pdf",
    "heatmap small.h5 -o o.pdf --recipe --preset acl-column",
    "probe small.h5 -o o.h5",
    "probe --vectors vectors.npy --labels labels.npy -o o.csv",
    "layers small.h5 --neighbors 2 --layer last -o o.csv",
    "probe small.h5 --stage 1,2 -o o.svg",
    "similarity small.h5 -o o.h5",
    "similarity small.h5 --merge 0.5 -o o.json",
    "prune small.h5 --save-mask o.json",
    "prune small.h5 --order backward -o o.svg",
    "heads small.h5 --permutations 9 -o o.pdf",
    "figure figure.json --input small.h5 -o o.svg",
    "figure figure.pdf --input small.h5 -o o.pdf --recipe",
    "figure figure.pdf figure.svg --input small.h5 --share all -o o.pdf --recipe",
    "report small.h5 -o keep.report",
    "retrieve small.h5 --query-document a -o o.csv",
    "retrieve retrieval.json --queries retrieval.json --json",
    "neighbors small.h5 -k 3 -o o.h5",
    "tsne small.h5 --perplexity 3 --iterations 30 -o o.h5",
    "tsne small.h5 --perplexity 3 --iterations 30 -o o.csv",
    "tsne small.h5 --perplexity 3 --iterations 30 -o o.png",
    "tsne small.h5 --perplexity 3 --iterations 20 --aligned -o o.h5",
    "tsne old.h5 --perplexity 3 --iterations 30 --save two",
    "tsne small.h5 --perplexity 3 --iterations 30 --state keep.h5 -o o.csv",
    "quality small.h5 --map map.h5:/maps/map/xy --perplexity 3 -o o.h5",
    "export small.h5 -o o.npy",
    "export small.h5 -o o.csv",
    "export small.h5 -o o.safetensors",
    "export small.h5 -o o.h5ad",
    "export small.h5 -o old.h5ad --overwrite",
    "export small.h5 -o old.jsonl --overwrite",
    "doctor --json",
    "label-probe small.h5 -o o.csv",
    "evaluate small.h5 -o o.csv",
    "layers small.h5 --geometry --layer last -o o.h5",
    "small.h5 --tab map --screenshot o.png",
    "small.h5 --tab heatmap --screenshot o.png",
};

VerbRun runOf(std::string_view line, const std::filesystem::path& program, const std::filesystem::path& model)
{
    static const std::set<std::string> kSeeds = {"small.h5",       "docs.jsonl",  "docs.csv",  "docs.jsonl.gz",
                                                 "texts.jsonl",    "mask.json",   "map.h5",    "labels.npy",
                                                 "retrieval.json", "vectors.npy", "part_0.h5", "part_1.h5",
                                                 "figure.json",    "figure.pdf",  "figure.svg"};
    VerbRun run{std::string(line), {{program.string()}}, {}};
    constexpr std::array<std::string_view, 8> kTimed = {"extract", "merge",  "tsne",  "neighbors",
                                                        "probe",   "layers", "prune", "doctor"};
    run.printsTimes = std::ranges::find(kTimed, line.substr(0, line.find(' '))) != kTimed.end();
    std::istringstream words{std::string(line)};
    for (std::string word; words >> word;)
    {
        const std::string file = word.substr(0, word.find(':'));
        if (kSeeds.contains(file))
            run.inputs.insert(file);
        else if (word.starts_with("old."))
            run.replaces.insert(word);
        run.command.words.push_back(word == "@" ? model.string() : word);
    }
    if (!line.starts_with("small.h5")) // the window takes no number of threads
        run.command.words.insert(run.command.words.end(), {"--threads", "1"});
    return run;
}

} // namespace

std::vector<VerbRun> allVerbRuns(const Programs& programs)
{
    std::vector<VerbRun> runs;
    const auto model = programs.golden / "models/llama_mha";
    if (!programs.engine.empty())
        for (const std::string_view line : kEngineRuns)
            runs.push_back(runOf(line, programs.engine, model));
    if (!programs.engine.empty() && !programs.app.empty())
        for (const std::string_view line : kAppRuns)
            runs.push_back(runOf(line, programs.app, model));
    return runs;
}

} // namespace headscope::faults
