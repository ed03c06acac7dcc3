// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/base/strong_index.h"
#include "model/data/documents/document_set.h"
#include "model/data/model_info.h"
#include "model/data/stage.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// One text on its way into the engine.
struct InputDocument
{
    std::string id;
    std::string text;
    std::vector<std::string> labels; ///< one value per label column; "" = none
    bool repaired = false;           ///< invalid UTF-8 was replaced
};

/// Shape of the vectors that an extraction delivers for each document: one block of
/// heads x dims floats per (layer, stage), in this order.
struct ExtractionBlock
{
    LayerIndex layer;
    Stage stage = Stage::HeadOutput;
    std::int64_t heads = 0; ///< 1 where the stage is kept uncut
    std::int64_t dims = 0;
};

/// The result of an extraction for one document.
struct ExtractedDocument
{
    std::int64_t index = 0; ///< place in the input
    std::int32_t tokens = 0;
    std::uint8_t flags = 0;    ///< bits of DocumentFlag
    std::uint64_t digest = 0;  ///< of what it was computed from
    std::vector<float> values; ///< the blocks one after another; NaN for an empty document
};

/// Takes the vectors of finished documents. Declared here so that the network knows no file.
/// @threads add() is called by one thread at a time, in any order of documents
class HeadVectorSink
{
public:
    virtual ~HeadVectorSink() = default;
    /// @errors Resource (disk full, ...): the extraction stops with it
    [[nodiscard]] virtual Status add(std::span<const ExtractedDocument> documents) = 0;
};

} // namespace headscope
