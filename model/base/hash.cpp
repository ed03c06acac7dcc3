// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/hash.h"

#include "model/base/file.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <new>
#include <vector>

namespace headscope
{

namespace
{

std::string hexOf(const XXH128_hash_t& hash)
{
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

} // namespace

std::uint64_t xxh3Short(std::span<const std::byte> bytes)
{
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::string xxh3Hex(std::span<const std::byte> bytes)
{
    return hexOf(XXH3_128bits(bytes.data(), bytes.size()));
}

struct Xxh3::State
{
    XXH3_state_t state; // aligned to 64 bytes by its own declaration
};

Xxh3::Xxh3() : m_state(std::make_unique<State>())
{
    XXH3_128bits_reset(&m_state->state);
}
Xxh3::~Xxh3() = default;
Xxh3::Xxh3(Xxh3&&) noexcept = default;
Xxh3& Xxh3::operator=(Xxh3&&) noexcept = default;

void Xxh3::update(std::span<const std::byte> bytes)
{
    XXH3_128bits_update(&m_state->state, bytes.data(), bytes.size());
}

std::string Xxh3::hex() const
{
    return hexOf(XXH3_128bits_digest(&m_state->state));
}

namespace
{

/// SHA-256 only fails where OpenSSL gets no memory for it.
void checkDigest(int status)
{
    if (status != 1)
        throw std::bad_alloc();
}

} // namespace

struct Sha256::State
{
    EVP_MD_CTX* context = EVP_MD_CTX_new();

    State()
    {
        if (context == nullptr)
            throw std::bad_alloc();
        try
        {
            begin();
        }
        catch (...)
        {
            EVP_MD_CTX_free(context);
            throw;
        }
    }
    ~State() { EVP_MD_CTX_free(context); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void begin() const
    {
        checkDigest(EVP_DigestInit_ex(context, EVP_sha256(), nullptr));
    }
};

Sha256::Sha256() : m_state(std::make_unique<State>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::byte> bytes)
{
    checkDigest(EVP_DigestUpdate(m_state->context, bytes.data(), bytes.size()));
}

std::string Sha256::finishHex()
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    checkDigest(EVP_DigestFinal_ex(m_state->context, digest.data(), &length));
    m_state->begin();
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
