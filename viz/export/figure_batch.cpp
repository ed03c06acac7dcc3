// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/figure_batch.h"

#include "model/base/output/output_file.h"

namespace headscope::viz
{
namespace
{

FigureBatch*& batchOfThread()
{
    thread_local FigureBatch* batch = nullptr;
    return batch;
}

} // namespace

FigureBatch::FigureBatch() : m_outer(std::exchange(batchOfThread(), this)) {}

FigureBatch::~FigureBatch()
{
    batchOfThread() = m_outer;
}

Status FigureBatch::write() const
{
    for (const auto& [path, bytes] : m_files)
        HEADSCOPE_CHECK(writeFileAtomically(path, bytes));
    return {};
}

FigureBatch* FigureBatch::current()
{
    return batchOfThread();
}

} // namespace headscope::viz
