// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/serve/embed_command.h"
#include "app/engine/serve/resident_model.h"
#include "app/shell/common_options.h"
#include "model/base/output/temporary_path.h"

#include <cstdint>
#include <deque>
#include <string>

namespace headscope::engine
{

/// Files of vectors for requests that name none: the newest stay, and all go with this.
/// @threads one
class VectorFiles
{
public:
    /// A name that is not taken; the file of a much earlier one is removed.
    /// @errors Resource
    [[nodiscard]] Result<std::filesystem::path> next();

private:
    TemporaryPath m_folder;
    std::deque<TemporaryPath> m_files;
    std::uint64_t m_count = 0;
};

/// Opens the model and loads the layers that are asked for.
/// @return the model, as ResidentModel::open does
/// @errors those of ResidentModel; WrongUse; Cancelled
[[nodiscard]] Result<const OpenedModel*> load(const commands::EmbedCommand& command, const shell::CommonOptions& common,
                                              ResidentModel& model, JobContext& job);

/// Embeds a text: its vectors are those that `extract` writes for a file with this text alone, bit for bit. Layers
/// below the first one with a head off are not computed again for the text that was embedded last.
///
/// The file holds the blocks one after another, by layer, then by stage, as float32 in the byte order of the machine.
/// @return  JSON: {"file", "bytes", "vectors": [{"layer", "stage", "shape", "dtype", "offset"}], ...}
/// (app/engine/PROTOCOL.md)
/// @errors those of ResidentModel, of the tokenizer and of OutputFile; WrongUse; Cancelled
[[nodiscard]] Result<std::string> embed(const commands::EmbedCommand& asked, const shell::CommonOptions& common,
                                        ResidentModel& model, VectorFiles& files, JobContext& job);

} // namespace headscope::engine
