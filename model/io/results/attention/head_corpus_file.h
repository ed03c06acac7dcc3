// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/attention/head_corpus.h"

#include <filesystem>
#include <vector>

namespace headscope
{

class RecordFields;

/// A head over a corpus as a file has it (model/io/FORMAT.md, section 10): whole, or what a run has done so far.
struct HeadCorpusFile
{
    HeadCorpus corpus;
    bool complete = true;
    /// Of a run that goes on, which has no deciles yet: the tokens, drawn by the seed, from which they will be made up.
    std::vector<HeadExample> drawn = {};
};

/// What the file holds but for the examples, which are converted. A type of its own each: /model too.
void fields(RecordFields& record, HeadCorpusSource& source);
void fields(RecordFields& record, HeadCorpus& corpus);
void fields(RecordFields& record, HeadCorpusFile& file);

/// Writes it whole or not at all, with a seal over all of it.
/// @errors those of Hdf5Writer
[[nodiscard]] Status writeHeadCorpus(const std::filesystem::path& target, const HeadCorpusFile& file);

/// Everything that a view or a run relies on is checked: lengths, places of tokens, order, finite numbers.
/// @errors FileNotFound, BadFormat (another kind of file, no seal, damaged, inconsistent), Unsupported (a newer
/// version)
[[nodiscard]] Result<HeadCorpusFile> readHeadCorpus(const std::filesystem::path& path, JobContext& job);

} // namespace headscope
