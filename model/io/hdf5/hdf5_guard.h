// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/error.h"

#include <filesystem>
#include <mutex>
#include <string_view>

namespace headscope
{

/// Held around every sequence of HDF5 calls, the closing of handles included.
///
/// HDF5 has one lock for each call, but a read is many calls and its handles are closed after it:
/// this one mutex of the process makes the sequence whole. It also silences HDF5's own printing;
/// hdf5Error turns what HDF5 noted into a sentence instead. A thread may hold several at once.
class Hdf5Guard
{
public:
    /// @throws std::bad_alloc where the first of the process finds no room for HDF5's own tables
    Hdf5Guard();
    Hdf5Guard(const Hdf5Guard&) = delete;
    Hdf5Guard& operator=(const Hdf5Guard&) = delete;

private:
    std::unique_lock<std::recursive_mutex> m_lock;
};

/// Throws std::bad_alloc where HDF5 could not answer whether, or which, something is in a file: "not there" would be
/// another answer. Files are sealed or were checked, so that there is no other reason than memory.
void expectAnswer(bool answered);

/// The failure of the last HDF5 call as a sentence: what was being done, and the innermost reason
/// HDF5 noted. A reason from the operating system (disk full, read error, no locks, a descriptor too many) becomes a
/// Resource error with what can be done, a lack of memory OutOfMemory: neither is called damage.
/// Call it under the same Hdf5Guard as the failed call.
[[nodiscard]] Error hdf5Error(const std::filesystem::path& path, std::string_view place, std::string_view doing);

} // namespace headscope
