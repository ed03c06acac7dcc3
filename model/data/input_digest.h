// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace headscope
{

class CacheReader;

/// Which contents an input has. What is kept of earlier work (parts of a report, answers, activations) belongs to the
/// digests of all its inputs, and is recomputed where one of them differs.
///
/// Made only by functions that read what they speak of, never of a name: a file may be replaced under its path.
class InputDigest
{
public:
    /// Of a file's bytes, by their SHA-256.
    /// @errors those of sha256OfFile; Resource (it changed meanwhile)
    /// @cost   one read of the file, about 1 GB/s
    [[nodiscard]] static Result<InputDigest> ofFile(const std::filesystem::path& path, JobContext& job);
    /// Of an input's contents that were read, whole.
    [[nodiscard]] static InputDigest ofContents(std::span<const std::byte> contents);

    /// What is written down, and compared with what is written down: "sha256:..." of a file.
    [[nodiscard]] const std::string& text() const { return m_text; }

    friend bool operator==(const InputDigest&, const InputDigest&) = default;

private:
    friend Result<InputDigest> digestOf(const CacheReader& cache, JobContext& job);
    explicit InputDigest(std::string text);

    std::string m_text;
};

} // namespace headscope
