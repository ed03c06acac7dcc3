// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/frame/frame.h"
#include "model/data/matrix.h"
#include "model/data/origin.h"
#include "model/data/results/interval.h"
#include "model/data/stage.h"

#include <compare>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

class Fields;

/// What a measure of heads is taken from.
enum class MeasureKind
{
    Place,     ///< where the head stands in the model
    Vectors,   ///< its vectors
    Likeness,  ///< its vectors beside those of the other heads of its layer
    Labels,    ///< its vectors and the labels of the documents
    Attention, ///< its attention weights
    Pattern,   ///< other measures
    File,      ///< a file that was added
};
/// "Head vectors", "Labels", ...: as a heading.
[[nodiscard]] std::string_view measureKindTitle(MeasureKind kind);

/// A measure that the program knows to take: one line of the list of them. In its definition {head} and {heads} stand
/// for what the stage's rows are.
struct HeadMeasureInfo : ColumnInfo
{
    MeasureKind kind = MeasureKind::Vectors;
    std::string_view over{}; ///< what follows the definition of a number of one text: ", then over the texts"

    /// Definition and caution, in the words of the stage.
    [[nodiscard]] std::string sentences(Stage stage) const;
};
/// All of them, in the order in which they are offered.
[[nodiscard]] std::span<const HeadMeasureInfo> headMeasureList();
/// Null: the program knows none of this key.
[[nodiscard]] const HeadMeasureInfo* findMeasureInfo(std::string_view key);

/// A number for each head of a model, [L, H] of all layers; NaN where it is not defined or not measured.
struct HeadMeasure
{
    std::string key;
    std::string title;
    std::string unit;
    std::string definition; ///< a sentence
    MeasureKind kind = MeasureKind::Vectors;
    bool groups = false;                   ///< numbers of groups, from 1: no order and no distances
    std::vector<std::string> groupNames{}; ///< of the groups, in their order: what marks them

    MatrixD value; ///< [L, H]
    /// 95% intervals, [L, H]; empty where there are none.
    MatrixD low;
    MatrixD high;
    std::string intervalMethod; ///< "" without intervals
    MatrixD p;                  ///< [L, H]; empty: not tested
    MatrixD q;                  ///< [L, H] p after Benjamini-Hochberg over all heads that have one
    std::string nullMethod;     ///< what p is the chance of; "" without
    double chance = std::numeric_limits<double>::quiet_NaN(); ///< what guessing gives, the same for all heads

    std::int64_t count = 0;    ///< how many were looked at: documents, or texts of random ids; 0: of none
    std::int64_t allCount = 0; ///< of how many they were taken; 0: of as many
    std::string counted = "documents";
    std::string source; ///< "stage 1 of this cache", the name of a file
    Origin origin{};

    [[nodiscard]] bool has(std::int64_t layer, std::int64_t head) const;
    [[nodiscard]] double at(std::int64_t layer, std::int64_t head) const { return value(layer, head); }
    /// NaN twice where there is none.
    [[nodiscard]] Interval intervalAt(std::int64_t layer, std::int64_t head) const;
    /// Heads that have a value.
    [[nodiscard]] std::int64_t known() const;
};

/// A measure of the list without a value yet, its words in those of the stage.
/// @pre the list has the key
[[nodiscard]] HeadMeasure measureOf(std::string_view key, Stage stage, std::int64_t layers, std::int64_t heads);
/// [L, H] of NaN.
[[nodiscard]] MatrixD noValues(std::int64_t layers, std::int64_t heads);

/// A head of the model.
struct HeadPlace
{
    std::int64_t layer = 0; ///< 0-based, as head
    std::int64_t head = 0;

    auto operator<=>(const HeadPlace&) const = default;
};

/// All measures there are of the heads (segments) of a model. Never changed once it is handed out.
struct HeadMeasures
{
    Stage stage = Stage::HeadOutput;
    std::int64_t layers = 0;
    std::int64_t heads = 0;
    std::vector<HeadMeasure> measures; ///< in the order of the list, those of files last
    Origin origin{};

    /// Null: there is none of this key.
    [[nodiscard]] const HeadMeasure* find(std::string_view key) const;
    [[nodiscard]] std::int64_t count() const { return layers * heads; }
};

/// Layer and head of every head, which need no data.
[[nodiscard]] std::vector<HeadMeasure> placeMeasures(Stage stage, std::int64_t layers, std::int64_t heads);

/// The measures with others, which replace those of the same key; in the order of the list.
[[nodiscard]] std::shared_ptr<const HeadMeasures> withMeasures(const HeadMeasures& measures,
                                                               std::vector<HeadMeasure> others);
/// The measures without those of a kind.
[[nodiscard]] std::shared_ptr<const HeadMeasures> withoutKind(const HeadMeasures& measures, MeasureKind kind);

/// How the heads of a model are shown and measured beside each other.
struct AtlasOptions
{
    bool isOrdered = false;       ///< heads with similar attention stand beside each other
    std::int64_t clusters = 6;    ///< that the tree of attention statistics is cut into
    std::int64_t documents = 100; ///< that attention is measured over, at most
};

/// Declares how heads are shown beside each other.
void fields(Fields& f, AtlasOptions& o);

} // namespace headscope
