// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <utility>

namespace headscope
{

/// HDF5's identifier type, named here so that its header stays inside the .cpp files.
using Hdf5Id = std::int64_t;

/// Owns one HDF5 identifier and closes it with the function it was given.
///
/// Closing is an HDF5 call like any other: destroy or close a handle only under an Hdf5Guard.
class Hdf5Handle
{
public:
    using Closer = int (*)(Hdf5Id);

    Hdf5Handle() = default;
    Hdf5Handle(Hdf5Id id, Closer closer) : m_id(id), m_closer(closer) {}
    Hdf5Handle(Hdf5Handle&& other) noexcept : m_id(std::exchange(other.m_id, -1)), m_closer(other.m_closer) {}
    Hdf5Handle& operator=(Hdf5Handle&& other) noexcept
    {
        std::swap(m_id, other.m_id);
        std::swap(m_closer, other.m_closer);
        return *this;
    }
    ~Hdf5Handle() { close(); }

    [[nodiscard]] bool valid() const { return m_id >= 0; }
    [[nodiscard]] Hdf5Id id() const { return m_id; }

    /// Closes now; false when HDF5 reports a failure. Closing twice is no failure.
    bool close()
    {
        const Hdf5Id id = std::exchange(m_id, -1);
        return id < 0 || m_closer(id) >= 0;
    }

private:
    Hdf5Id m_id = -1;
    Closer m_closer = nullptr;
};

} // namespace headscope
