// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headscope::ui
{

/// What a dropped or given path can be for the window, by its name and kind alone.
enum class FileKind
{
    Cache,  ///< .h5, .hdf5
    Model,  ///< .gguf, .safetensors, an index of them, or a folder with config.json
    Work,   ///< .headscope
    Figure, ///< .pdf, .svg, .png: of Headscope, with a recipe inside
    Texts,  ///< .jsonl, .json, .csv, .ndjson, .tsv, .txt (also .gz, .zst), .parquet, or a folder of them
    Unknown,
};

[[nodiscard]] FileKind fileKind(const QString& path);

/// Why a path of kind Unknown is of no use, in a sentence for the status bar.
[[nodiscard]] QString unknownFileReason(const QString& path);

} // namespace headscope::ui
