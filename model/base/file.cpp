// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/file.h"

#include "model/base/file_kind.h"
#include "model/base/output/disk_space.h"
#include "model/base/vanished_pages.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

namespace headscope
{
namespace
{

std::int64_t modifiedNs(const struct stat& info)
{
    return std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
}

/// A clone without Git LFS has small texts in place of its large files.
Status checkIsNoPointer(const File& file)
{
    constexpr std::uint64_t kLongestPointer = 1024; // as Git LFS says
    constexpr std::string_view kBegin = "version https://git-lfs.github.com/spec/";
    std::array<char, kBegin.size()> first{};
    if (file.size() < first.size() || file.size() > kLongestPointer)
        return {};
    HEADSCOPE_CHECK(file.readAt(0, std::as_writable_bytes(std::span(first))));
    if (std::string_view(first.data(), first.size()) != kBegin)
        return {};
    return Error{ErrorCode::BadFormat,
                 "expected the file itself, found only a Git LFS pointer; run \"git lfs pull\" in its folder",
                 file.path().string(),
                 {}};
}

} // namespace

Error systemError(int number, const std::filesystem::path& path, std::string_view doing)
{
    const ErrorCode code = number == ENOENT || number == ENOTDIR ? ErrorCode::FileNotFound
                           : number == ENOMEM                    ? ErrorCode::OutOfMemory
                                                                 : ErrorCode::Resource;
    std::string words = std::system_category().message(number);
    if (code == ErrorCode::FileNotFound)
        return {code, fmt::format("expected a file here, found none ({})", words), path.string(), {}};
    if (const auto available = number == ENOSPC ? freeSpaceBeside(path) : std::nullopt)
        words += fmt::format(" ({} free)", spaceText(*available));
    return {code, fmt::format("{} failed: {}", doing, words), path.string(), {}};
}

File::File(std::filesystem::path path, int descriptor, std::uint64_t size)
    : m_path(std::move(path)), m_descriptor(descriptor), m_size(size)
{}

File::File(File&& other) noexcept
    : m_path(std::move(other.m_path)), m_descriptor(std::exchange(other.m_descriptor, -1)), m_size(other.m_size)
{}

File& File::operator=(File&& other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_descriptor, other.m_descriptor);
    std::swap(m_size, other.m_size);
    return *this;
}

File::~File()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

Result<File> File::openForReading(const std::filesystem::path& path)
{
    struct stat before = {};
    if (::stat(path.c_str(), &before) == 0)
        HEADSCOPE_CHECK(checkIsRegular(before.st_mode, path));
    // Not to wait for a writer where a pipe has taken the file's place since.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return systemError(errno, path, "opening");
    struct stat info = {};
    if (::fstat(descriptor, &info) != 0)
    {
        const int number = errno;
        ::close(descriptor);
        return systemError(number, path, "opening");
    }
    if (Status regular = checkIsRegular(info.st_mode, path); !regular)
    {
        ::close(descriptor);
        return std::move(regular).error();
    }
    File file(path, descriptor, static_cast<std::uint64_t>(info.st_size));
    HEADSCOPE_CHECK(checkIsNoPointer(file));
    return file;
}

Status File::readAt(std::uint64_t offset, std::span<std::byte> into) const
{
    std::size_t done = 0;
    while (done < into.size())
    {
        const ssize_t count =
            ::pread(m_descriptor, into.data() + done, into.size() - done, static_cast<off_t>(offset + done));
        if (count < 0)
        {
            if (errno == EINTR)
                continue;
            return systemError(errno, m_path, "reading");
        }
        if (count == 0)
            return Error{ErrorCode::BadFormat,
                         fmt::format("expected {} bytes, found the end of the file", into.size() - done),
                         m_path.string(), fmt::format("byte {}", offset + done)};
        done += static_cast<std::size_t>(count);
    }
    return {};
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : m_path(std::move(other.m_path)), m_data(std::exchange(other.m_data, nullptr)),
      m_size(std::exchange(other.m_size, 0)), m_modifiedNs(other.m_modifiedNs)
{}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_data, other.m_data);
    std::swap(m_size, other.m_size);
    std::swap(m_modifiedNs, other.m_modifiedNs);
    return *this;
}

MappedFile::~MappedFile()
{
    if (m_size == 0)
        return;
    releaseMap(bytes());
    ::munmap(const_cast<std::byte*>(m_data), m_size);
}

Result<MappedFile> MappedFile::open(const std::filesystem::path& path)
{
    HEADSCOPE_TRY(const File file, File::openForReading(path));
    struct stat info = {};
    if (::fstat(file.descriptor(), &info) != 0)
        return systemError(errno, path, "opening");
    MappedFile mapped;
    mapped.m_path = path;
    mapped.m_modifiedNs = modifiedNs(info);
    const auto size = static_cast<std::size_t>(file.size());
    if (size > 0)
    {
        void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
        if (data == MAP_FAILED)
            return systemError(errno, path, "mapping");
        mapped.m_data = static_cast<const std::byte*>(data);
        mapped.m_size = size;
        guardMap(mapped.bytes());
    }
    return mapped;
}

bool MappedFile::unchanged() const
{
    struct stat info = {};
    return ::stat(m_path.c_str(), &info) == 0 && static_cast<std::size_t>(info.st_size) == m_size &&
           modifiedNs(info) == m_modifiedNs;
}

Result<std::string> readTextFile(const std::filesystem::path& path, std::uint64_t maxBytes)
{
    HEADSCOPE_TRY(const File file, File::openForReading(path));
    if (file.size() > maxBytes)
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected at most {} bytes, found {}", maxBytes, file.size()),
                     path.string(),
                     {}};
    std::string text(static_cast<std::size_t>(file.size()), '\0');
    HEADSCOPE_CHECK(file.readAt(0, std::as_writable_bytes(std::span(text))));
    return text;
}

} // namespace headscope
