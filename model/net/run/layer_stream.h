// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/base/strong_index.h"
#include "model/net/config/model_files.h"
#include "model/net/weights/weights.h"

#include <functional>
#include <future>
#include <memory>
#include <stop_token>

namespace headscope
{

/// Reads the layers of a model from disk, one at a time, in the background.
/// @threads one; reading happens on threads of its own
class LayerStream
{
public:
    /// @param files    outlives the stream
    /// @param threads  that turn a layer into float32
    /// @param stop     ends a reading early
    /// @param packed   as WeightOptions::packed
    LayerStream(const ModelFiles& files, std::shared_ptr<const WeightFiles> opened, int threads, std::stop_token stop,
                bool packed = false);
    /// Stops a read in progress.
    ~LayerStream();
    LayerStream(const LayerStream&) = delete;
    LayerStream& operator=(const LayerStream&) = delete;

    /// Begins to read a layer. The one before must have been taken.
    void start(LayerIndex layer);
    /// Waits for the layer that was begun.
    /// @errors BadFormat (the model changed), Resource, OutOfMemory, Cancelled
    [[nodiscard]] Result<Weights> take();

private:
    const ModelFiles& m_files;
    std::shared_ptr<const WeightFiles> m_opened;
    int m_threads = 1;
    bool m_packed = false;
    std::stop_source m_stop; ///< the given token's stop, or the destructor's
    std::stop_callback<std::function<void()>> m_forward;
    std::future<Result<Weights>> m_reading;
};

} // namespace headscope
