// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/error.h"
#include "model/base/job_context.h"
#include "model/base/strong_index.h"
#include "model/data/model_info.h"
#include "model/data/results/interval.h"
#include "model/data/stage.h"

#include <QString>

#include <cstdint>
#include <span>
#include <string_view>

/// The words and numbers of the window: every view formats through here, so that a count, a time
/// or a head reads the same everywhere.
namespace headscope::ui
{

/// UTF-8 text of the model as Qt's text.
[[nodiscard]] QString toQString(std::string_view text);
/// Qt's text as UTF-8.
[[nodiscard]] std::string toStdString(const QString& text);

/// 320000 -> "320,000", with the separators of the user's language.
[[nodiscard]] QString countText(std::int64_t count);
/// "1 document", "10,000 documents".
[[nodiscard]] QString countText(std::int64_t count, const QString& one, const QString& many);
/// How many of a model's heads are chosen: "all 9 heads", "3 of 9 segments", "none of 9 heads".
[[nodiscard]] QString chosenHeadsText(std::int64_t chosen, std::int64_t all, Stage stage = Stage::HeadOutput);
/// The same where several stages are shown: "3 of 9 heads or segments".
[[nodiscard]] QString chosenHeadsText(std::int64_t chosen, std::int64_t all, std::span<const Stage> stages);
/// Which documents numbers cover: "over 400 documents", "over the 40 chosen of 400 documents".
[[nodiscard]] QString overText(std::int64_t documents, std::int64_t all);
/// 0.125 -> "12.5%"; "–" where it is not finite.
[[nodiscard]] QString percentText(double share);
/// A difference of shares in per cent points: 0.125 -> "+12.5"; with an interval "+12.5 (−1.0 to +26.0)", where there
/// is none "0.0 (no interval)".
[[nodiscard]] QString pointsText(double difference);
[[nodiscard]] QString pointsText(double difference, const Interval& interval);
/// "9 s", "3 min 20 s", "2 h 5 min"; "" for negative (not known).
[[nodiscard]] QString durationText(double seconds);
/// "625 MB"; powers of 1000, as file managers count.
[[nodiscard]] QString bytesText(std::uint64_t bytes);
/// "31 it/s", "4.2 documents/s"; "" while the rate is not known.
[[nodiscard]] QString rateText(double rate, const QString& unit);
/// Up to three significant digits: 4.21, 31.4, 128; "not a number" words for NaN.
[[nodiscard]] QString numberText(double value);
/// A p or q value: two digits that count, 0.005 and 0.41.
[[nodiscard]] QString probabilityText(double p);
/// "480 / 750 iterations · 31 /s · 9 s left", with the parts that are known.
[[nodiscard]] QString progressText(const Progress& progress);

/// That the values which heads of a group share have an unknown part in their confusion.
[[nodiscard]] QString valuesNotMeasuredText();
/// "head", "segment" or "embedding", as the stage demands.
[[nodiscard]] QString unitText(Stage stage);
/// "Head 18" or "Segment 18", counted from 1; "Sentence embedding".
[[nodiscard]] QString unitText(Stage stage, HeadIndex head);
/// "heads", "segments" or "embeddings".
[[nodiscard]] QString unitsText(Stage stage);
/// The same at the beginning of a line.
[[nodiscard]] QString unitTitle(Stage stage);
[[nodiscard]] QString unitsTitle(Stage stage);

/// "9 heads in 3 KV groups", "12 heads, each with keys and values of its own", ... (model/data/key_sharing.h).
[[nodiscard]] QString headsAndGroupsText(const ModelInfo& info);
/// "KV3" next to head 7 of a model with KV groups; "" for a segment, and where there are no groups.
[[nodiscard]] QString groupTag(const ModelInfo& info, Stage stage, HeadIndex head);
/// Short title of a stage for cards and headings: "Heads, before o_proj".
[[nodiscard]] QString stageTitle(Stage stage);
/// The grey second line of a stage card.
[[nodiscard]] QString stageHint(Stage stage);
/// The same of one layer: of a decoder's last one stage 3 is after (or before) the final norm.
[[nodiscard]] QString stageHint(const ModelInfo& info, LayerIndex layer, Stage stage);
/// What the stage holds, in a sentence or two, for tips.
[[nodiscard]] QString stageTip(const ModelInfo& info, LayerIndex layer, Stage stage);

/// What kind of failure it was, as a heading: "File not found", "Unreadable data", ...
[[nodiscard]] QString errorHeading(ErrorCode code);
/// The error's own sentence for the place it belongs to.
[[nodiscard]] QString errorText(const Error& error);

/// The first `maxLength` characters of the first non-empty line, with white space folded.
[[nodiscard]] QString firstLine(std::string_view text, qsizetype maxLength = 160);

} // namespace headscope::ui
