// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace headscope
{

/// XXH3, 128 bits, as 32 lower-case hexadecimal digits: identity of data sets and coordinates.
[[nodiscard]] std::string xxh3Hex(std::span<const std::byte> bytes);

/// XXH3, 64 bits: for comparing what is kept by the thousand.
[[nodiscard]] std::uint64_t xxh3Short(std::span<const std::byte> bytes);

/// The hash of xxh3Hex for bytes that come in pieces.
class Xxh3
{
public:
    Xxh3();
    ~Xxh3();
    Xxh3(Xxh3&&) noexcept;
    Xxh3& operator=(Xxh3&&) noexcept;

    void update(std::span<const std::byte> bytes);
    /// What xxh3Hex gives for all the bytes so far, one after another.
    [[nodiscard]] std::string hex() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// SHA-256 that takes its bytes in pieces.
/// @throws std::bad_alloc: a digest is never left out
class Sha256
{
public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;

    void update(std::span<const std::byte> bytes);
    /// 64 lower-case hexadecimal digits; the object starts over afterwards.
    [[nodiscard]] std::string finishHex();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// SHA-256 of a whole file.
/// @errors FileNotFound, Resource (read error), Cancelled
/// @cost   one read of the file, about 1 GB/s with SHA instructions
[[nodiscard]] Result<std::string> sha256OfFile(const std::filesystem::path& path, JobContext& job);

} // namespace headscope
