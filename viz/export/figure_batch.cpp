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
    std::vector<OutputFile> files;
    for (const auto& [path, bytes] : m_files)
    {
        HEADSCOPE_TRY(OutputFile file, OutputFile::create(path));
        HEADSCOPE_CHECK(file.write(bytes));
        HEADSCOPE_CHECK(file.sync());
        files.push_back(std::move(file));
    }
    // There is room for all of them.
    for (OutputFile& file : files)
        HEADSCOPE_CHECK(file.publish());
    return {};
}

FigureBatch* FigureBatch::current()
{
    return batchOfThread();
}

} // namespace headscope::viz
