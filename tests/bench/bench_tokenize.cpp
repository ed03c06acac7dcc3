// SPDX-License-Identifier: GPL-3.0-or-later
// Speed of the tokenizers on one core: one JSON line a case.
#include "model/tokenize/tokenizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace headscope;

namespace
{

/// Processor seconds of this thread, so that other load does not count.
double seconds(const auto& work)
{
    const auto now = [] {
        timespec time = {};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    const double begin = now();
    work();
    return now() - begin;
}

void report(const std::string& name, double value, const char* unit)
{
    fmt::print("{{\"case\": \"tokenize/{}\", \"value\": {:.4g}, \"unit\": \"{}\"}}\n", name, value, unit);
    std::fflush(stdout);
}

/// English words of uneven frequency, the same on every machine.
std::string madeText(std::size_t bytes)
{
    constexpr const char* words[] = {"the",     "of",      "and",     "a",       "river",    "bridge",
                                     "because", "light",   "morning", "letters", "measured", "quietly",
                                     "under",   "station", "garden",  "winter",  "it's",     "2024",
                                     "however", "between", "small",   "Machine", "learning", "nobody"};
    std::string text;
    std::uint32_t state = 1;
    while (text.size() < bytes)
    {
        state = state * 1664525U + 1013904223U;
        const std::uint32_t pick = (state >> 16) % 24U * ((state >> 8) % 24U) / 24U;
        text += words[pick];
        text += state % 11U == 0 ? ". " : state % 97U == 0 ? "\n\n" : " ";
    }
    return text;
}

/// Pieces of about 600 bytes, as documents are.
std::vector<std::string> documentsOf(const std::string& text)
{
    std::vector<std::string> documents;
    for (std::size_t at = 0; at < text.size(); at += 600)
        documents.push_back(text.substr(at, 600));
    return documents;
}

bool measure(const std::string& name, const std::filesystem::path& path, const std::string& text)
{
    std::optional<Tokenizer> tokenizer;
    const double loading = seconds([&] {
        auto loaded = Tokenizer::open(path);
        if (loaded)
            tokenizer.emplace(std::move(*loaded));
        else
            fmt::print(stderr, "{}\n", loaded.error().sentence());
    });
    if (!tokenizer)
        return false;
    const auto speed = [&](const std::string& label, const std::vector<std::string>& texts) {
        double best = 1e9;
        double bytes = 0;
        for (const std::string& t : texts)
            bytes += static_cast<double>(t.size());
        for (int round = 0; round < 3; ++round)
        {
            best = std::min(best, seconds([&] {
                                for (const std::string& t : texts)
                                {
                                    if (!tokenizer->encode(t))
                                        std::abort();
                                }
                            }));
        }
        report(name + "/" + label, bytes / best / 1e6, "MB/s");
    };
    report(name + "/load", loading, "s");
    speed("documents", documentsOf(text));
    speed("one line of " + std::to_string(text.size() / 1'000'000) + " MB", {text});
    const std::string letters(text.size(), 'a');
    report(name + "/one word of " + std::to_string(letters.size() / 1'000'000) + " MB",
           seconds([&] { static_cast<void>(tokenizer->encode(letters)); }), "s");
    // Ten times the text must not cost much more than ten times the time.
    const double small = seconds([&] { static_cast<void>(tokenizer->encode(text.substr(0, text.size() / 10))); });
    report(name + "/growth of a tenth to the whole line",
           seconds([&] { static_cast<void>(tokenizer->encode(text)); }) / small, "times");
    return true;
}

} // namespace

/// bench_tokenize NAME=PATH ... [TEXTFILE]: models or tokenizer folders, and a text instead of the made one.
int main(int argc, char** argv)
{
    std::string text = madeText(10'000'000);
    std::vector<std::string> arguments(argv + 1, argv + argc);
    if (!arguments.empty() && arguments.back().find('=') == std::string::npos)
    {
        std::ifstream file(arguments.back());
        text.assign(std::istreambuf_iterator<char>(file), {});
        arguments.pop_back();
    }
    if (arguments.empty())
    {
        for (const char* name : {"smollm2", "llama2", "llama2_metaspace", "llama3", "qwen2", "qwen3_embedding",
                                 "added_flags", "bert", "bert_cased"})
            arguments.push_back(std::string(name) + "=" HEADSCOPE_GOLDEN_DIR "/tokenizers/" + name);
    }
    bool good = true;
    for (const std::string& argument : arguments)
    {
        const std::size_t equals = argument.find('=');
        good = equals != std::string::npos && measure(argument.substr(0, equals), argument.substr(equals + 1), text) &&
               good;
    }
    return good ? 0 : 1;
}
