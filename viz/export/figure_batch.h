// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace headscope::viz
{

/// While it lives, the figures of this thread are kept in memory: several are written together, once each is made.
class FigureBatch
{
public:
    FigureBatch();
    ~FigureBatch();
    FigureBatch(const FigureBatch&) = delete;
    FigureBatch& operator=(const FigureBatch&) = delete;

    void add(std::filesystem::path path, std::string bytes) { m_files.emplace_back(std::move(path), std::move(bytes)); }
    /// Writes all of them, each whole or not at all; where one has no room none is there or has changed.
    /// @errors those of OutputFile
    [[nodiscard]] Status write() const;

    /// Of this thread; null: figures are written at once.
    [[nodiscard]] static FigureBatch* current();

private:
    FigureBatch* m_outer;
    std::vector<std::pair<std::filesystem::path, std::string>> m_files;
};

} // namespace headscope::viz
