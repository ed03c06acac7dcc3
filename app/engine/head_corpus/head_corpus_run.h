// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/head_corpus/corpus_texts.h"
#include "app/engine/head_corpus/head_corpus_plan.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/attention/head_corpus.h"
#include "model/io/results/attention/head_corpus_file.h"
#include "model/net/run/head_extractor.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headscope::engine
{

/// Where a run is kept that is not complete: "X.h5.run".
[[nodiscard]] std::filesystem::path runFileOf(const std::filesystem::path& output);

/// What an earlier run of the same source has done; nothing where there is none.
/// @param notices  gets a sentence where its file is damaged, and is not used
/// @errors InvalidArgument: it is of another source, naming what differs
[[nodiscard]] Result<HeadCorpusFile> readBegun(const std::filesystem::path& runFile, const HeadCorpusSource& source,
                                               std::vector<std::string>& notices, JobContext& job);

/// A head over documents; what was done is kept soon, and then every ten seconds or more.
struct HeadCorpusRun
{
    const HeadCorpusPlan& plan;
    const OpenedModel& model;
    const HeadExtractor& extractor;
    std::filesystem::path runFile;
    std::string command;

    /// Goes on from what was begun. Stopped, or after a failure, it keeps what was done.
    /// @errors those of watchDocuments, the texts and the tokenizer; BadFormat: documents that are not those of the
    ///         run that was begun; InvalidArgument: no token at all
    [[nodiscard]] Result<HeadCorpus> run(HeadCorpusFile begun, CorpusTexts& texts, JobContext& job) const;
};

} // namespace headscope::engine
