// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/seeds.h"

#include "tests/faults/random.h"

#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace headscope::faults
{
namespace
{

struct Text
{
    const char* id;
    const char* text;
    const char* topic;
};

constexpr std::array kTexts = {Text{"a", "the cat sat on the mat", "cat"}, Text{"b", "dogs bark at night", "dog"},
                               Text{"c", "a kitten purrs", "cat"},         Text{"d", "the puppy runs", "dog"},
                               Text{"e", "fish swim deep", "fish"},        Text{"f", "sharks are fish", "fish"}};

/// A word of a text that comes again: "a", "a1", "a2".
std::string again(const std::string& word, int time)
{
    return word + (time == 0 ? std::string() : std::to_string(time));
}

std::string object(const Text& text, int time)
{
    return std::string("{\"id\": \"") + again(text.id, time) + "\", \"text\": \"" + again(text.text, time) + "\", \"topic\": \"" +
           text.topic + "\"}";
}

std::string table(char separator)
{
    std::string lines = std::string("id") + separator + "text" + separator + "topic\n";
    for (const Text& text : kTexts)
        lines += std::string(text.id) + separator + "\"" + text.text + "\"" + separator + text.topic + "\n";
    return lines;
}

void writeTexts(const std::filesystem::path& folder, int times)
{
    std::string lines;
    std::string array;
    std::string texts;
    for (int time = 0; time < times; ++time)
        for (const Text& text : kTexts)
        {
            lines += object(text, time) + "\n";
            array += (array.empty() ? "[\n" : ",\n") + object(text, time);
            texts += std::string("{\"text\": \"") + text.text + "\"}\n";
        }
    writeFile(folder / "docs.jsonl", lines);
    writeFile(folder / "docs.json", array + "\n]\n");
    writeFile(folder / "docs.csv", table(','));
    writeFile(folder / "docs.tsv", table('\t'));
    writeFile(folder / "texts.jsonl", texts);
}

/// A .npy file of version 1.0.
std::string npy(const std::string& type, const std::string& shape, const std::string& data)
{
    std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header.resize((header.size() + 1 + 10 + 63) / 64 * 64 - 11, ' ');
    header += '\n';
    std::string bytes = "\x93NUMPY\x01";
    bytes.push_back('\0');
    bytes.push_back(static_cast<char>(header.size() & 0xffU));
    bytes.push_back(static_cast<char>(header.size() >> 8U));
    return bytes + header + data;
}

void writeMatrices(const std::filesystem::path& folder)
{
    Random random(7, 0);
    std::string vectors;
    std::string labels;
    for (int row = 0; row < 24; ++row)
    {
        for (int column = 0; column < 16; ++column)
        {
            const float value = static_cast<float>(random.below(2001)) / 1000.0F - 1.0F;
            vectors.append(reinterpret_cast<const char*>(&value), sizeof value); // NOLINT: its bytes
        }
        const std::int64_t label = row % 3;
        labels.append(reinterpret_cast<const char*>(&label), sizeof label); // NOLINT
    }
    writeFile(folder / "vectors.npy", npy("<f4", "(24, 16)", vectors));
    writeFile(folder / "labels.npy", npy("<i8", "(24,)", labels));
}

/// Embeddings of one text as multi-head retrieval writes them: four numbers, two layers of two heads of two.
std::string embeddings(int start)
{
    const auto number = [start](int at) { return std::to_string(start + at * at % 7) + ".5"; };
    std::string text = "\"embeddings\": {\"standard\": [" + number(0) + ", " + number(1) + ", " + number(2) + ", " +
                       number(3) + "], \"layers\": {";
    for (const int layer : {2, 5})
        text += std::string(layer == 2 ? "" : ", ") + "\"" + std::to_string(layer) + "\": {\"attention_heads\": [[" +
                number(layer) + ", 1e-2], [-3, " + number(layer + 1) + "]]}";
    return text + "}}";
}

void writeRetrieval(const std::filesystem::path& folder)
{
    std::string text = "{\"articles\": [";
    for (std::size_t i = 0; i < kTexts.size(); ++i)
        text += std::string(i == 0 ? "\n" : ",\n") + R"({"article": {"title": ")" + kTexts[i].id + R"(", "text": ")" +
                kTexts[i].text + R"(", "label": ")" + kTexts[i].topic + "\"}, " + embeddings(3 * static_cast<int>(i)) +
                "}";
    text += "\n],\n\"queries\": [{\"query\": {\"topics\": [\"b\", \"d\"], \"text\": \"Find dogs.\"}, " + embeddings(5) +
            "}]\n}\n";
    writeFile(folder / "retrieval.json", text);
}

void writeSettings(const std::filesystem::path& folder)
{
    writeFile(folder / "settings.ini",
              "[view]\ncolorScheme=dark\nlabelColors=colorblind\n\n[map]\nseed=3\nperplexity=5\n"
              "iterations=100\nexaggeration=12\nmetric=cosine\nmomentum=0.8\nlearningRate=0\n"
              "moreIterations=250\n\n[jobs]\nthreads=1\nnoticeWhenDone=1\n\n[files]\n"
              "recent=/a.h5, /b.h5\nlastFolder=/\nfigureWidth=84\nfigureDpi=300\n\n[window]\n"
              "geometry=@ByteArray(\\x1\\xd9\\xd0\\xcb\\0\\x3\\0\\0\\0\\0\\0\\0)\n"
              "state=@ByteArray(\\0\\0\\0\\xff\\0\\0\\0\\0\\xfd)\nshortcuts=\"save=Ctrl+S\"\n");
}

/// A work as the window saves it, of small.h5.
void writeStudy(const std::filesystem::path& folder)
{
    writeFile(folder / "study.headscope", R"({
    "cache": {"identity": "", "origin": "", "path": "small.h5", "relative": "small.h5"},
    "format": "headscope-work-file", "saved": "2026-11-23T17:01:01.484Z",
    "state": {
        "choice": {"color": "topic", "heads": "1-2", "label": "topic", "layer": 1, "stage": "1"},
        "maps": [{"hash": "", "layer": 1, "name": "one", "stage": "1"}],
        "heads_off": "1", "heatmap_topics": ["cat", "dog"], "joined": [], "probe": {"page": 1, "layer": 1},
        "selection": {"documents": "1-3", "primary": 2, "primaryHead": 1, "lit": "1,3",
                      "shown": {"name": "cats", "documents": "0,2,4"}},
        "sets": {"sets": [{"name": "mine", "color": "#ff8800", "ids": ["a", "c"], "onMap": true}]},
        "views": {
            "grid": {"controls": {"gridColor": "Colour: topic", "gridLink": true}},
            "heads": {"controls": {"headFilter": "", "headLikeness": "CKA", "maskUnit": "by head"}},
            "heatmap": {"controls": {"heatmapPerTopic": 3, "heatmapSort": "Sort: full vector", "mergeThreshold": 0},
                        "zooms": {"heatmap0": {"zoom": 2, "x": 0.5}}},
            "map": {"controls": {"legendSearch": "", "mapMode": "Dots"},
                    "zooms": {"scatter0": {"x": 1, "y": 0, "scale": 2, "width": 100, "height": 100}}},
            "probe": {"controls": {"probeC": "1", "probeSeed": 1, "probeTestShare": 20}},
            "retrieval": {"controls": {"queryText": "cat", "retrievalTop": 3}}},
        "window": {"find": {"findText": "cat", "growNeighbors": 5}, "height": 500, "width": 700, "page": "find",
                   "switches": {"actionOverview": true}, "tab": "heatmap"}},
    "version": 1
}
)");
}

/// Small files that options take.
void writeLists(const std::filesystem::path& folder)
{
    writeFile(folder / "labels.json", "{\"cat\": \"pet\", \"dog\": \"pet\", \"fish\": \"fish\"}\n");
    writeFile(folder / "weights.json", "{\"heads\": {\"1\": 2, \"3\": 0.5}, \"groups\": {\"2\": 1}}\n");
    writeFile(folder / "relevant.jsonl",
              "{\"id\": \"a\", \"relevant\": [\"c\"]}\n{\"id\": \"b\", \"relevant\": [\"d\"]}\n");
    writeFile(folder / "topics.json", "{\"topic\": [\"cat\", \"dog\", \"fish\", \"bird\"]}\n");
}

void mustRun(std::vector<std::string> words, const std::filesystem::path& folder)
{
    const auto notes = folder.parent_path() / "making";
    const Command command{std::move(words), quietEnvironment(folder.parent_path() / "home")};
    const Ended ended = run(command, folder, notes, {});
    if (ended.exitCode != 0)
        throw std::runtime_error("making the seeds failed: " + shellLine(command) + "\n" + ended.err);
}

} // namespace

Programs programsIn(const std::filesystem::path& bin, const std::filesystem::path& golden)
{
    const auto program = [&bin](const char* name) {
        return std::filesystem::exists(bin / name) ? bin / name : std::filesystem::path();
    };
    return {program("headscope"), program("headscope-engine"), program("fault_work"), golden};
}

std::vector<std::string> quietEnvironment(const std::filesystem::path& home)
{
    const std::string folder = home.string();
    for (const char* name : {"config", "data", "cache", "run"})
    {
        std::filesystem::create_directories(home / name);
        std::filesystem::permissions(home / name, std::filesystem::perms::owner_all);
    }
    return {"QT_QPA_PLATFORM=offscreen",
            "LC_ALL=C.UTF-8",
            "OMP_WAIT_POLICY=passive",
            "HOME=" + folder,
            "XDG_CONFIG_HOME=" + folder + "/config",
            "XDG_DATA_HOME=" + folder + "/data",
            "XDG_CACHE_HOME=" + folder + "/cache",
            "XDG_RUNTIME_DIR=" + folder + "/run",
            "TMPDIR=" + folder};
}

void makeSeeds(const Programs& programs, const std::filesystem::path& folder, int times)
{
    std::filesystem::create_directories(folder);
    writeTexts(folder, times);
    writeMatrices(folder);
    writeRetrieval(folder);
    writeSettings(folder);
    writeLists(folder);
    writeStudy(folder);
    mustRun({"/bin/gzip", "-kn", "docs.jsonl"}, folder);
    const std::string app = programs.app.string();
    if (programs.engine.empty())
        return;
    mustRun({programs.engine.string(), "extract", (programs.golden / "models/llama_mha").string(), "docs.jsonl", "-o",
             "small.h5", "--threads", "1"},
            folder);
    for (const auto& [name, range] : {std::pair("part_0.h5", std::string("0:4")),
                                      std::pair("part_1.h5", "4:" + std::to_string(times * std::ssize(kTexts)))})
        mustRun({programs.engine.string(), "extract", (programs.golden / "models/llama_mha").string(), "docs.jsonl",
                 "-o", name, "--range", range, "--threads", "1"},
                folder);
    if (programs.app.empty())
        return;
    mustRun({app, "tsne", "small.h5", "--perplexity", "3", "--iterations", "40", "--save", "one"}, folder);
    mustRun({app, "tsne", "small.h5", "--perplexity", "3", "--iterations", "40", "-o", "map.h5"}, folder);
    mustRun(
        {app, "tsne", "small.h5", "--perplexity", "3", "--iterations", "40", "--state", "state.h5", "-o", "old.csv"},
        folder);
    mustRun({app, "heatmap", "small.h5", "--permutations", "5", "-o", "figure.pdf", "--recipe", "--also", "svg,png"},
            folder);
    mustRun({app, "figure", "figure.pdf", "figure.svg", "-o", "panels.pdf", "--recipe"}, folder);
    mustRun({app, "prune", "small.h5", "--keep", "2", "--save-mask", "mask.json"}, folder);
    if (!programs.keeper.empty())
        mustRun({programs.keeper.string(), "small.h5"}, folder);
}

} // namespace headscope::faults
