// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace headscope
{

/// Whether a name is one of an HDF5 file: .h5, .hdf5.
[[nodiscard]] inline bool hasHdf5Ending(const std::filesystem::path& path)
{
    const auto ending = path.extension();
    return ending == ".h5" || ending == ".hdf5";
}

} // namespace headscope
