// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/head_corpus/head_files.h"

#include "model/base/hash.h"
#include "model/io/results/attention/head_corpus_file.h"

#include <fmt/format.h>

#include <unistd.h>

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

/// Whether the files of both models are the same, as far as both know.
bool sameModel(const ModelInfo& a, const ModelInfo& b)
{
    if (a.layers != b.layers || a.heads != b.heads || a.kvHeads != b.kvHeads)
        return false;
    const std::map<std::string, std::string> files(a.sha256.begin(), a.sha256.end());
    for (const auto& [name, digest] : b.sha256)
        if (const auto found = files.find(name); found != files.end() && found->second != digest)
            return false;
    return true;
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
                     fmt::format("expected {}, found another: watch the head again", what),
                     file.string(),
                     {}};
    };
    if (!read.complete || source.layer != question.layer || source.head != question.head)
        return other("the head that was asked for, whole");
    if (!sameModel(source.model, question.model))
        return other("the model of the open cache");
    if (source.cacheIdentity != (question.texts.empty() ? question.identity : std::string()))
        return other("the documents of the open cache");
    auto corpus = std::make_shared<HeadCorpus>(std::move(read.corpus));
    corpus->origin = question.origin;
    return HeadCorpusPtr(std::move(corpus));
}

} // namespace headscope::desktop
