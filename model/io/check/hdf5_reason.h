// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/io/check/file_walk.h"

#include <hdf5.h>

#include <string>
#include <utility>

namespace headscope::check
{

/// An identifier of HDF5 that is closed with its scope.
class Closing
{
public:
    using Closer = herr_t (*)(hid_t);

    Closing(hid_t id, Closer closer) : m_id(id), m_closer(closer) {}
    Closing(const Closing&) = delete;
    Closing& operator=(const Closing&) = delete;
    ~Closing() { static_cast<void>(close()); }

    [[nodiscard]] bool valid() const { return m_id >= 0; }
    [[nodiscard]] hid_t id() const { return m_id; }
    [[nodiscard]] bool close()
    {
        const hid_t id = std::exchange(m_id, -1);
        return id < 0 || m_closer(id) >= 0;
    }

private:
    hid_t m_id;
    Closer m_closer;
};

/// What HDF5 noted of its last failure, sorted by whose fault it is.
[[nodiscard]] Finding findingOf(const std::string& place, const std::string& doing);

} // namespace headscope::check
