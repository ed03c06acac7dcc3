// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <map>
#include <mutex>
#include <optional>
#include <set>

namespace headscope
{

/// The order in which a device works for one owner of operations. The first owner of a device has its default stream,
/// so that owners that follow each other share what the device's allocator keeps; those beside it have streams of
/// their own, so that one copies while another computes.
/// @threads made and destroyed by any thread
class TorchStream
{
public:
    /// @param device  of the CPU there is nothing to order
    explicit TorchStream(at::Device device) : m_device(device)
    {
        if (m_device.is_cpu())
            return;
        Taken& taken = takenOf();
        const std::lock_guard lock(taken.mutex);
        while (!taken.numbers.emplace(device.index(), m_number).second)
            ++m_number;
        m_turns = &taken.turns[device.index()];
    }
    ~TorchStream()
    {
        if (m_device.is_cpu())
            return;
        Taken& taken = takenOf();
        const std::lock_guard lock(taken.mutex);
        taken.numbers.erase({m_device.index(), m_number});
    }
    TorchStream(const TorchStream&) = delete;
    TorchStream& operator=(const TorchStream&) = delete;

    /// Runs work in this order, and waits for its end.
    template <class Work>
    void run(const Work& work)
    {
        if (m_device.is_cpu())
        {
            work();
            return;
        }
        const c10::impl::VirtualGuardImpl device(m_device.type());
        if (!m_stream)
        {
            const c10::Device own(m_device.type(),
                                  m_device.has_index() ? m_device.index() : device.getDevice().index());
            m_stream = m_number == 0 ? device.getDefaultStream(own) : device.getStreamFromGlobalPool(own);
        }
        const c10::StreamGuard ordered(*m_stream);
        const GivesBack turn{m_turn};
        work();
        device.synchronizeStream(*m_stream);
    }

    /// Waits until no other owner computes on this device, until the end of the work that runs. Two that compute beside
    /// each other take as long as two in turn, end together, and then leave the device idle while both read and copy.
    void takeTurn()
    {
        if (!m_device.is_cpu() && !m_turn.owns_lock())
            m_turn = std::unique_lock(*m_turns);
    }

private:
    /// Ends a turn, also where the work throws.
    struct GivesBack
    {
        std::unique_lock<std::mutex>& turn;
        ~GivesBack() { turn = {}; }
    };
    struct Taken
    {
        std::mutex mutex; ///< of the numbers
        std::set<std::pair<c10::DeviceIndex, int>> numbers;
        std::map<c10::DeviceIndex, std::mutex> turns;
    };
    static Taken& takenOf()
    {
        static Taken taken;
        return taken;
    }

    at::Device m_device;
    int m_number = 0;
    std::optional<c10::Stream> m_stream;
    std::mutex* m_turns = nullptr; ///< of the device; lives as long as the process
    std::unique_lock<std::mutex> m_turn;
};

} // namespace headscope
