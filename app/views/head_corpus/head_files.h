// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/attention/head_corpus.h"
#include "model/data/model_info.h"
#include "model/data/origin.h"
#include "model/io/cache/cache_reader.h"

#include <filesystem>
#include <string>

namespace headscope::desktop
{

/// A head, and the texts that it is watched over, as the window asks for it.
struct HeadQuestion
{
    std::string cache;    ///< path of the open one
    std::string identity; ///< of its documents and vectors
    Origin origin;        ///< of the open cache
    ModelInfo model;      ///< that made it
    LayerIndex layer;
    HeadIndex head;
    std::string texts; ///< a file of texts; "": the documents of the cache

    bool operator==(const HeadQuestion& other) const
    {
        return origin == other.origin && layer == other.layer && head == other.head && texts == other.texts;
    }
};

/// Where the answer is kept: "CACHE.h5.head-29-3" next to the cache; where that folder cannot be written, and for the
/// demo, in `home`, under a name made of the cache. Another name for every file of texts.
/// @param beside  whether it may be kept next to the cache
[[nodiscard]] std::filesystem::path headFile(const HeadQuestion& question, bool beside,
                                             const std::filesystem::path& home);

/// Reads an answer, and gives it the origin of the open cache.
/// @errors those of readHeadCorpus and InputDigest::ofFile; BadFormat: it is of another head, of another model, or of
///         other documents, also where the file of texts holds others now
[[nodiscard]] Result<HeadCorpusPtr> readAnswer(const std::filesystem::path& file, const HeadQuestion& question,
                                               JobContext& job);

} // namespace headscope::desktop
