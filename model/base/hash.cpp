// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/hash.h"

#include "model/base/file.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <vector>

namespace headscope
{

std::string xxh3Hex(std::span<const std::byte> bytes)
{
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

struct Sha256::State
{
    EVP_MD_CTX* context = EVP_MD_CTX_new();

    State() { EVP_DigestInit_ex(context, EVP_sha256(), nullptr); }
    ~State() { EVP_MD_CTX_free(context); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
};

Sha256::Sha256() : m_state(std::make_unique<State>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::byte> bytes)
{
    EVP_DigestUpdate(m_state->context, bytes.data(), bytes.size());
}

std::string Sha256::finishHex()
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    EVP_DigestFinal_ex(m_state->context, digest.data(), &length);
    EVP_DigestInit_ex(m_state->context, EVP_sha256(), nullptr);
    std::string hex;
    for (unsigned int i = 0; i < length; ++i)
        hex += fmt::format("{:02x}", digest[i]);
    return hex;
}

Result<std::string> sha256OfFile(const std::filesystem::path& path, JobContext& job)
{
    constexpr std::size_t kBlock = std::size_t{1} << 20;
    HEADSCOPE_TRY(const File file, File::openForReading(path));
    std::vector<std::byte> buffer(kBlock);
    Sha256 hash;
    for (std::uint64_t offset = 0; offset < file.size(); offset += buffer.size())
    {
        HEADSCOPE_CHECK(job.checkStop());
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, file.size() - offset));
        HEADSCOPE_CHECK(file.readAt(offset, std::span(buffer).first(count)));
        hash.update(std::span(buffer).first(count));
    }
    return hash.finishHex();
}

} // namespace headscope
