// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/shell/common_options.h"
#include "model/base/result.h"
#include "model/base/text/csv_text.h"
#include "model/data/frame/frame.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace headscope
{

using shell::CommonOptions;
class Provenance;

/// A matrix that goes next to a table's columns into an HDF5 file.
struct NamedMatrix
{
    std::string name;
    const MatrixD* values = nullptr;
};

/// Writes a table to a .csv, .tex or .h5, by the ending. In HDF5 every column is a dataset of a group (frame_file), the
/// matrices are next to them, and what made them is in the group's attributes (LaTeX: in comments).
/// @param group  in HDF5; empty: the table's key
/// @errors Resource
[[nodiscard]] Status writeFrameFile(const std::filesystem::path& target, const Frame& frame,
                                    const Provenance& provenance, std::span<const NamedMatrix> matrices = {},
                                    CsvTexts texts = CsvTexts::Safe, const std::string& group = {});

/// Whether a file of this name is a table as text: .csv or .tex, in any case.
[[nodiscard]] bool isTextTable(const std::filesystem::path& target);

/// What --plain-csv asks for.
[[nodiscard]] inline CsvTexts csvTexts(bool plain)
{
    return plain ? CsvTexts::Plain : CsvTexts::Safe;
}

/// What a verb writes of its result.
enum class OutputKinds : std::uint8_t
{
    Tables,
    TablesAndFigures,
};

/// Refuses an output that writeFrameFile cannot write, before any work is done; "" is none.
/// @param kinds  for the sentence on another ending; figures are checked before
/// @errors WrongUse (another ending, exists), Resource
[[nodiscard]] Status checkTableOutput(const std::string& output, const CommonOptions& common,
                                      OutputKinds kinds = OutputKinds::Tables);

} // namespace headscope
