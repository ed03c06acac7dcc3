// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/input_digest.h"

#include "model/base/hash.h"
#include "model/base/input/disk_stamp.h"

#include <utility>

namespace headscope
{

InputDigest::InputDigest(std::string text) : m_text(std::move(text)) {}

Result<InputDigest> InputDigest::ofFile(const std::filesystem::path& path, JobContext& job)
{
    HEADSCOPE_TRY(const DiskStamp before, diskStampOf(path));
    HEADSCOPE_TRY(const std::string hash, sha256OfFile(path, job));
    HEADSCOPE_CHECK(checkUnchanged(path, before));
    return InputDigest("sha256:" + hash);
}

InputDigest InputDigest::ofContents(std::span<const std::byte> contents)
{
    return InputDigest("xxh3:" + xxh3Hex(contents));
}

} // namespace headscope
