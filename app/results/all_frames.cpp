// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/all_frames.h"

#include "app/results/attention_frame.h"
#include "app/results/card/card_frame.h"
#include "app/results/head_examples_frame.h"
#include "app/results/label_probe_frame.h"
#include "app/results/layers_frame.h"
#include "app/results/measures/evaluation_frame.h"
#include "app/results/measures/geometry_frame.h"
#include "app/results/measures/name_frame.h"
#include "app/results/topics/heatmap_frame.h"
#include "app/results/topics/match_frame.h"
#include "app/results/topics/similarity_frame.h"
#include "app/results/trust_text.h"
#include "model/data/circuits/composition_frame.h"
#include "model/data/circuits/contributions_frame.h"
#include "model/data/circuits/lens_frame.h"
#include "model/data/results/atlas_frame.h"
#include "model/data/results/head_pairs.h"
#include "model/data/results/heads_frame.h"
#include "model/data/results/importance_frame.h"
#include "model/data/results/probe_frame.h"
#include "model/data/results/prune_frame.h"
#include "model/data/results/retrieval_frame.h"
#include "model/data/results/switch_off_results.h"

#include <array>

namespace headscope
{

std::span<const FrameInfo* const> allFrames()
{
    // clang-format off
    static constexpr std::array kAll = {
        &kLayersFrame, &kHeadsFrame, &kHeadPairsFrame, &kPlayersFrame, &kChangedFrame, &kMatchFrame,
        &kMatchSummaryFrame, &kTrustFrame, &kSameLabelFrame, &kRetrievedFrame, &kRetrievalMeasuresFrame,
        &kSimilarityFrame, &kHeatmapFrame, &kTopicMeansFrame, &kProbesFrame, &kProbedHeadsFrame,
        &kProbeBaselinesFrame, &kProbeNumbersFrame, &kLabelProbeFrame, &kPruneFrame, &kHeadOrderFrame,
        &kHeadAloneFrame, &kKeptSizesFrame, &kAtlasFrame, &kAttentionFrame, &kHeadExamplesFrame,
        &kPartsFrame, &kTermsFrame, &kEdgesFrame, &kGeometryFrame, &kEvaluationFrame,
        &kNamedHeadsFrame, &kNamesFrame, &kLensFrame, &kLensTokensFrame, &kCardsFrame};
    // clang-format on
    return kAll;
}

} // namespace headscope
