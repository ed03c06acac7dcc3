// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/head_corpus/head_files.h"

#include "model/base/hash.h"
#include "model/data/input_digest.h"
#include "model/io/results/attention/head_corpus_file.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <map>
#include <span>
#include <system_error>
#include <utility>

namespace headscope::desktop
{
namespace
{

namespace fs = std::filesystem;

std::string digestOf(const std::string& text)
{
    return xxh3Hex(std::as_bytes(std::span(text)));
}

fs::path ownPath(const fs::path& path)
{
    std::error_code failed;
    const fs::path own = fs::weakly_canonical(path, failed);
    return failed ? fs::absolute(path, failed) : own;
}

bool canWriteIn(const fs::path& folder)
{
    return ::access(folder.c_str(), W_OK) == 0;
}

/// Whether a model has all files of that which made the cache, as far as the cache knows them.
bool sameModel(const ModelInfo& a, const ModelInfo& ofCache)
{
    if (a.layers != ofCache.layers || a.heads != ofCache.heads || a.kvHeads != ofCache.kvHeads)
        return false;
    const std::map<std::string, std::string> files(a.sha256.begin(), a.sha256.end());
    return std::ranges::all_of(ofCache.sha256, [&files](const auto& file) {
        const auto found = files.find(file.first);
        return found != files.end() && found->second == file.second;
    });
}

} // namespace

fs::path headFile(const HeadQuestion& question, bool beside, const fs::path& home)
{
    constexpr std::size_t kDigits = 8;
    const fs::path cache = ownPath(question.cache);
    std::string ending = fmt::format(".head-{}-{}", question.layer.value(), shownNumber(question.head));
    if (!question.texts.empty())
        ending += "-" + digestOf(ownPath(question.texts).string()).substr(0, kDigits);
    if (beside && canWriteIn(cache.parent_path()))
        return cache.string() + ending;
    return home / (digestOf(question.identity + cache.string()) + ending);
}

Result<HeadCorpusPtr> readAnswer(const fs::path& file, const HeadQuestion& question, JobContext& job)
{
    HEADSCOPE_TRY(auto read, readHeadCorpus(file, job));
    const HeadCorpusSource& source = read.corpus.source;
    const auto other = [&file](const char* what) {
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected {}, found something different: record the head again", what),
                     file.string(),
                     {}};
    };
    if (!read.complete || source.layer != question.layer || source.head != question.head)
        return other("a complete recording of the requested head");
    if (!sameModel(source.model, question.model))
        return other("the model of the open cache");
    if (source.cacheIdentity != (question.texts.empty() ? question.identity : std::string()))
        return other("the documents of the open cache");
    if (!question.texts.empty())
    {
        HEADSCOPE_TRY(const InputDigest texts, InputDigest::ofFile(question.texts, job));
        if (texts.text() != source.corpusDigest)
            return other("the current texts of the file");
    }
    auto corpus = std::make_shared<HeadCorpus>(std::move(read.corpus));
    corpus->origin = question.origin;
    return HeadCorpusPtr(std::move(corpus));
}

} // namespace headscope::desktop
