// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/kinds.h"

#include "tests/faults/mutate.h"

#include <algorithm>
#include <sstream>

namespace headscope::faults
{
namespace
{

using Words = std::vector<std::string>;

/// Makes the commands of one build, and reads its seeds.
class Maker
{
public:
    Maker(const Programs& programs, std::filesystem::path seeds) : m_programs(programs), m_seeds(std::move(seeds)) {}

    /// "headscope match small.h5": the first word stands for a program.
    [[nodiscard]] Command command(const std::string& line) const
    {
        std::istringstream words(line);
        Command result;
        for (std::string word; words >> word;)
            result.words.push_back(word);
        const bool app = result.words.front() == "headscope";
        result.words.front() = (app ? m_programs.app : m_programs.engine).string();
        const bool window =
            result.words.size() > 1 && (result.words[1].ends_with(".h5") || result.words[1].ends_with(".headscope"));
        if (result.words.size() > 1 && !window)
            result.words.insert(result.words.end(), {"--threads", "1"});
        return result;
    }
    [[nodiscard]] Action prints(const std::string& line, int weight = 4) const
    {
        return {command(line), {}, true, weight};
    }
    [[nodiscard]] Action writes(const std::string& line, const std::string& output, int weight = 3) const
    {
        return {command(line + " -o " + output), {output}, false, weight};
    }
    /// The same, of what changes from run to run: times, sizes.
    [[nodiscard]] Action only(const std::string& line, int weight = 2) const
    {
        return {command(line), {}, false, weight};
    }
    [[nodiscard]] Action window(const std::string& words, int weight = 1) const
    {
        Action action{command("headscope " + words + " --screenshot picture.png --after 8 --size 700x500"),
                      {"picture.png"}};
        action.weight = weight;
        return action;
    }
    [[nodiscard]] std::filesystem::path seed(const std::string& name) const { return m_seeds / name; }
    [[nodiscard]] Seed file(const std::string& name, std::map<std::string, std::filesystem::path> links = {}) const
    {
        return {name, readFile(seed(name)), std::move(links)};
    }
    /// A file of a model folder, with the others beside it.
    [[nodiscard]] Seed ofModel(const std::string& model, const std::string& name) const
    {
        Seed result{"model/" + name, readFile(m_programs.golden / model / name)};
        const auto folder = m_programs.golden / model;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
            if (entry.is_regular_file() && entry.path() != folder / name && entry.path().filename() != "expected.h5")
                result.links["model/" + entry.path().lexically_relative(folder).string()] = entry.path();
        result.links["texts.jsonl"] = seed("texts.jsonl");
        return result;
    }
    [[nodiscard]] const std::filesystem::path& golden() const { return m_programs.golden; }

private:
    const Programs& m_programs;
    std::filesystem::path m_seeds;
};

std::vector<Action> cacheActions(const Maker& make, const std::string& cache)
{
    return {make.prints("headscope match " + cache + " --json"),
            make.prints("headscope heads " + cache + " --json"),
            make.prints("headscope similarity " + cache + " --json"),
            make.prints("headscope retrieve " + cache + " --query-document a --json"),
            make.writes("headscope export " + cache, "o.npy"),
            make.writes("headscope export " + cache + " --stage 2", "o.csv"),
            make.writes("headscope heatmap " + cache, "h.csv"),
            make.writes("headscope tsne " + cache + " --perplexity 3 --iterations 20", "m.csv"),
            make.only("headscope inspect " + cache),
            make.only("headscope-engine inspect " + cache + " --json"),
            make.window(cache)};
}

std::vector<Kind> cacheKinds(const Maker& make)
{
    const std::string open = withoutSeal(readFile(make.seed("small.h5")));
    const std::string padded = open + std::string(64, '\0'); // as files of other programs end
    const std::string openMap = withoutSeal(readFile(make.seed("map.h5"))) + std::string(64, '\0');
    const auto cache = cacheActions(make, "small.h5");
    const std::map<std::string, std::filesystem::path> beside = {{"small.h5", make.seed("small.h5")}};
    const std::vector<Action> maps = {
        make.prints("headscope quality small.h5 --map map.h5:/maps/map/xy --perplexity 3 --json"),
        make.writes("headscope tsne small.h5 --init map.h5:/maps/map/xy --perplexity 3 --iterations 20", "m.csv"),
        make.writes("headscope tsne --vectors map.h5:/maps/map/xy --perplexity 3 --iterations 20", "m.csv", 1)};
    const std::vector<Action> states = {
        make.writes("headscope tsne small.h5 --perplexity 3 --iterations 60 --state state.h5", "m.csv")};
    return {{"cache", {make.file("small.h5")}, mutateBytes, cache, Promise::SameOrTold},
            {"unsealed", {{"small.h5", open}, {"small.h5", padded}}, mutateBytes, cache, Promise::SameOrTold},
            {"map", {make.file("map.h5", beside)}, mutateBytes, maps, Promise::SameOrTold},
            {"unsealed-map", {{"map.h5", openMap, beside}}, mutateBytes, maps, Promise::SameOrTold},
            {"state", {make.file("state.h5", beside)}, mutateBytes, states, Promise::Same, {"state.h5"}}};
}

std::vector<Kind> plainKinds(const Maker& make)
{
    const std::map<std::string, std::filesystem::path> beside = {{"small.h5", make.seed("small.h5")}};
    const Seed vectors = make.file("vectors.npy", {{"labels.npy", make.seed("labels.npy")}});
    const Seed labels = make.file("labels.npy", {{"vectors.npy", make.seed("vectors.npy")}});
    return {{"mask",
             {make.file("mask.json", beside)},
             mutateJson,
             {make.only("headscope match small.h5 --mask mask.json --json"),
              make.writes("headscope export small.h5 --mask mask.json", "o.csv")}},
            {"npy",
             {vectors, labels},
             mutateNpy,
             {make.writes("headscope tsne --vectors vectors.npy --perplexity 3 --iterations 20", "m.csv"),
              make.writes("headscope neighbors --vectors vectors.npy -k 3", "n.h5"),
              make.only("headscope probe --vectors vectors.npy --labels labels.npy --json")}},
            {"retrieval",
             {make.file("retrieval.json")},
             mutateJson,
             {make.only("headscope inspect retrieval.json --json"),
              make.writes("headscope neighbors retrieval.json -k 2", "n.h5"),
              make.only("headscope retrieve retrieval.json --queries retrieval.json --json"),
              make.writes("headscope export retrieval.json", "o.npy")}}};
}

/// Files that options take.
std::vector<Kind> listKinds(const Maker& make)
{
    const std::map<std::string, std::filesystem::path> beside = {{"small.h5", make.seed("small.h5")},
                                                                 {"docs.jsonl", make.seed("docs.jsonl")}};
    const std::string extract = "headscope-engine extract " + (make.golden() / "models/llama_mha").string();
    return {{"label-map",
             {make.file("labels.json", beside)},
             mutateJson,
             {make.only("headscope match small.h5 --label-map labels.json --json"),
              make.only("headscope heads small.h5 --label-map labels.json --json")}},
            {"weights",
             {make.file("weights.json", beside)},
             mutateJson,
             {make.only("headscope retrieve small.h5 --query-document a --weights weights.json --json")}},
            {"relevant",
             {make.file("relevant.jsonl", beside)},
             mutateJson,
             {make.only("headscope retrieve small.h5 --queries small.h5 --relevant relevant.jsonl --json")}},
            {"topics",
             {make.file("topics.json", beside)},
             mutateJson,
             {make.writes(extract + " docs.jsonl --stages 1 --label topic --topics topics.json", "o.h5")}}};
}

/// Recipes, alone and inside the figures that they made.
std::vector<Kind> figureKinds(const Maker& make)
{
    const std::map<std::string, std::filesystem::path> beside = {{"small.h5", make.seed("small.h5")}};
    const auto bytesOrWords = [](const std::string& text, Random& random) {
        return random.oneIn(3) ? mutateBytes(text, random) : mutateJson(text, random);
    };
    std::vector<Kind> kinds = {{"recipe",
                                {make.file("figure.json", beside)},
                                bytesOrWords,
                                {make.writes("headscope figure figure.json", "o.svg")}}};
    kinds.push_back({"recipe-panels",
                     {make.file("panels.json", beside)},
                     bytesOrWords,
                     {make.writes("headscope figure panels.json", "o.svg")}});
    for (const char* name : {"figure.pdf", "figure.svg", "figure.png"})
        kinds.push_back({name,
                         {make.file(name, beside)},
                         mutateBytes,
                         {make.writes(std::string("headscope figure ") + name, "o.svg")}});
    return kinds;
}

std::vector<Kind> windowKinds(const Maker& make, bool keeps)
{
    Action settings = make.window("small.h5");
    settings.mustEndWell = true;
    Action work = settings;
    settings.command.environment = {"XDG_CONFIG_HOME=@/config"};
    const std::map<std::string, std::filesystem::path> beside = {{"small.h5", make.seed("small.h5")}};
    const Seed ini{"config/headscope/headscope.ini", readFile(make.seed("settings.ini")), beside};
    std::vector<Kind> kinds = {{"settings", {ini}, mutateLines, {settings}, Promise::Nothing, {"config/"}}};
    const auto bytesOrWords = [](const std::string& text, Random& random) {
        return random.oneIn(4) ? mutateBytes(text, random) : mutateJson(text, random);
    };
    kinds.push_back(
        {"work-file", {make.file("study.headscope", beside)}, bytesOrWords, {make.window("study.headscope")}});
    if (keeps)
        kinds.push_back({"work", {make.file("small.h5.headscope", beside)}, mutateBytes, {work}});
    return kinds;
}

std::vector<Action> modelActions(const Maker& make, const std::string& model)
{
    return {make.only("headscope-engine inspect " + model + " --json", 3),
            make.only("headscope-engine tokenize " + model + " --input texts.jsonl", 2),
            make.writes("headscope-engine extract " + model + " texts.jsonl --stages 1", "o.h5", 2)};
}

std::vector<Kind> modelKinds(const Maker& make)
{
    std::vector<Kind> kinds(4);
    kinds[0] = {"gguf", {}, mutateBytes, modelActions(make, "model.gguf")};
    for (const char* name : {"llama/llama-Q4_1.gguf", "qwen2/qwen2-Q4_0.gguf", "kquant/kquant-Q4_K_M.gguf"})
        kinds[0].seeds.push_back(
            {"model.gguf", readFile(make.golden() / "gguf" / name), {{"texts.jsonl", make.seed("texts.jsonl")}}});
    kinds[1] = {"safetensors",
                {make.ofModel("models/llama_mha", "model.safetensors"),
                 make.ofModel("models/mistral_mqa", "model.safetensors")},
                mutateSafetensors,
                modelActions(make, "model")};
    kinds[2] = {"tokenizer", {}, mutateJson, {modelActions(make, "model")[1]}};
    for (const char* name : {"bert", "llama2", "llama2_metaspace", "llama3", "qwen2", "added_flags"})
        kinds[2].seeds.push_back(make.ofModel(std::string("tokenizers/") + name, "tokenizer.json"));
    kinds[3] = {"config", {}, mutateJson, modelActions(make, "model")};
    for (const char* model : {"models/llama_mha", "models/bert_f16", "models/mistral_f16", "models/qwen2_window"})
    {
        for (const char* name : {"config.json", "config.json", "modules.json", "1_Pooling/config.json",
                                 "tokenizer_config.json", "special_tokens_map.json", "model.safetensors.index.json"})
            if (std::filesystem::exists(make.golden() / model / name))
                kinds[3].seeds.push_back(make.ofModel(model, name));
    }
    return kinds;
}

Kind recordKind(const Maker& make, const std::string& name, const std::string& file,
                std::function<std::string(const std::string&, Random&)> mutate, bool readsAgain)
{
    const auto model = (make.golden() / "models/llama_mha").string();
    Action extract = make.writes("headscope-engine extract " + model + " " + file + " --stages 1", "o.h5");
    if (readsAgain)
        extract.then = {make.command("headscope inspect o.h5")};
    Kind kind{name, {make.file(file)}, std::move(mutate), {extract}};
    if (file.ends_with(".jsonl"))
        kind.actions.push_back(make.only("headscope-engine tokenize " + model + " --input " + file));
    return kind;
}

/// Of every codec; the pages of some have checksums, and what is behind a checksum is hardly reached.
Kind parquetKind(const Maker& make)
{
    const std::string extract = "headscope-engine extract " + (make.golden() / "models/llama_mha").string();
    const auto sampled = make.writes(extract + " docs.parquet --stages 1 --sample 3", "o.h5");
    Kind kind{"parquet", {}, mutateBytes, {make.writes(extract + " docs.parquet --stages 1", "o.h5"), sampled}};
    for (const char* name : {"docs-none", "docs-snappy", "docs-zstd", "docs-gzip", "docs-brotli", "docs-lz4", "docs-v2",
                             "plain-none", "plain-zstd", "plain-v2", "types"})
        kind.seeds.push_back({"docs.parquet", readFile(make.golden() / "parquet" / (std::string(name) + ".parquet"))});
    return kind;
}

} // namespace

std::vector<Kind> allKinds(const Programs& programs, const std::filesystem::path& seeds)
{
    const Maker make(programs, seeds);
    std::vector<Kind> kinds;
    const auto add = [&kinds](std::vector<Kind> more) { std::ranges::move(more, std::back_inserter(kinds)); };
    if (!programs.engine.empty())
    {
        add(modelKinds(make));
        const bool both = !programs.app.empty();
        const auto jsonLines = [](const std::string& text, Random& random) {
            return random.oneIn(2) ? mutateLines(text, random) : mutateJson(text, random);
        };
        add({recordKind(make, "jsonl", "docs.jsonl", jsonLines, both),
             recordKind(make, "json", "docs.json", mutateJson, both),
             recordKind(make, "csv", "docs.csv", mutateLines, both),
             recordKind(make, "tsv", "docs.tsv", mutateLines, both),
             recordKind(make, "gzip", "docs.jsonl.gz", mutateBytes, both)});
        if (std::filesystem::exists(programs.engine.parent_path() / "headscope_parquet.so"))
            kinds.push_back(parquetKind(make));
    }
    if (!programs.engine.empty() && !programs.app.empty())
    {
        add(cacheKinds(make));
        add(plainKinds(make));
        add(listKinds(make));
        add(figureKinds(make));
        add(windowKinds(make, !programs.keeper.empty()));
    }
    return kinds;
}

} // namespace headscope::faults
