// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope
{

/// From here on no link of an HDF5 file leads into another file, also not behind a soft link: following
/// one fails, its name and kind can still be asked for. Once in a process, with HDF5 started.
/// @return  false when HDF5 refuses
[[nodiscard]] bool refuseExternalLinks();

} // namespace headscope
