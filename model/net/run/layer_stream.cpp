// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/layer_stream.h"

#include "model/base/assert.h"
#include "model/base/job_context.h"

#include <utility>

namespace headscope
{

LayerStream::LayerStream(const ModelFiles& files, std::shared_ptr<const WeightFiles> opened, int threads,
                         std::stop_token stop, bool packed)
    : m_files(files), m_opened(std::move(opened)), m_threads(threads), m_packed(packed),
      m_forward(std::move(stop), [this] { m_stop.request_stop(); })
{}

LayerStream::~LayerStream()
{
    m_stop.request_stop(); // the future waits for its thread
}

void LayerStream::start(LayerIndex layer)
{
    HEADSCOPE_ASSERT(!m_reading.valid());
    m_reading = std::async(std::launch::async, [this, layer] {
        JobContext job(m_stop.get_token());
        const WeightOptions options{.lastLayer = layer.value(),
                                    .threads = m_threads,
                                    .firstLayer = layer.value(),
                                    .outsideLayers = false,
                                    .packed = m_packed,
                                    .opened = m_opened};
        return Weights::load(m_files, options, job);
    });
}

Result<Weights> LayerStream::take()
{
    HEADSCOPE_ASSERT(m_reading.valid());
    return m_reading.get();
}

} // namespace headscope
