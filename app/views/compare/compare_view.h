// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/compare/compare_bar.h"
#include "app/views/compare/compare_head.h"
#include "app/views/compare/compare_lines.h"
#include "model/data/maps/map_pair.h"
#include "model/data/maps/point_set.h"
#include "model/data/selection.h"
#include "ui/canvas/hover_card.h"
#include "ui/view/view.h"
#include "ui/window/view_id.h"
#include "viz/scatter/point_coloring.h"

#include <QVariantAnimation>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QStackedLayout;

namespace headscope::ui
{

class CanvasPair;
class EmptyState;
class MoveLines;
class ScatterWidget;

inline constexpr ViewId kCompareView("compare");

/// The compare tab: two maps of the same points on top of each other, with a slider that moves the
/// points from one to the other, or side by side; lines say where points went, colours how many of
/// their neighbours changed.
class CompareView : public View
{
    Q_OBJECT

public:
    enum class Layout
    {
        Morph,      ///< one canvas, the slider between the maps
        SideBySide, ///< A left, B right; they move together
    };
    using Lines = CompareLines;

    explicit CompareView(QWidget* parent = nullptr);
    ~CompareView() override;
    [[nodiscard]] bool catchingUp() const override;

    [[nodiscard]] ScatterWidget* left() const { return m_left; }
    [[nodiscard]] ScatterWidget* right() const { return m_right; }
    [[nodiscard]] MoveLines* lines() const { return m_lines; }

    /// What may be compared. The user's choice, and a pair that is visible, are kept while their maps are offered;
    /// else the two newest of the same points are chosen, or the newest and none.
    void setOptions(const std::vector<MapOption>& maps);
    [[nodiscard]] QString idA() const;
    /// Empty: none is chosen.
    [[nodiscard]] QString idB() const;
    /// Chooses two maps; an id that is not there changes nothing.
    void choose(const QString& a, const QString& b);
    void swap();

    /// Shows a pair; null shows the empty state.
    void setPair(std::shared_ptr<const MapPair> pair);
    [[nodiscard]] const std::shared_ptr<const MapPair>& pair() const { return m_pair; }

    void setColors(const std::vector<ColorOption>& colors);
    [[nodiscard]] QString color() const;
    /// Ignored where it is not offered. Emits colorChanged where it changes something.
    void setColor(const QString& id);
    /// For pair()->points.
    void setColoring(const viz::PointColoring& coloring);
    void setThreads(int threads);
    void setCardSource(const std::function<HoverContent(std::int64_t point)>& source);

    /// @param points  points chosen individually; null: whole documents
    void setChosen(const std::vector<std::int64_t>& documents, std::shared_ptr<const PointSet> points = nullptr);
    /// Those whose points are shown, where points are of heads; before the first call all.
    void setShownHeads(const std::vector<std::int64_t>& heads);
    void setShownOnly(const std::vector<std::int64_t>& documents);
    void setPrimary(std::optional<DocumentIndex> document, std::optional<HeadIndex> head);
    void setHovered(std::optional<DocumentIndex> document);

    void setLayoutKind(Layout layout);
    [[nodiscard]] Layout layoutKind() const { return m_layoutKind; }
    void setLinesKind(Lines lines);
    /// 0: map A, 1: map B.
    void setShare(double share);
    [[nodiscard]] double share() const { return m_share; }
    /// Moves to the other map, in about a second; again: stops.
    void play();
    /// "3,947 points · 12 only in A · r 0.91"; documents where the heads differ.
    [[nodiscard]] QString matchText() const;
    /// "41% changed": of the neighbours.
    [[nodiscard]] QString changedText() const;
    /// "noise alone 53%: within noise"; empty where no noise floor of the pair is known.
    [[nodiscard]] QString floorText() const;
    /// Whether a noise floor of the pair may be asked for.
    void setFloorable(bool floorable);

Q_SIGNALS:
    /// The user chose other maps to compare.
    void choiceChanged();
    void colorChanged();
    void documentClicked(headscope::DocumentIndex document, headscope::HeadIndex head);
    void documentsPicked(const std::vector<std::int64_t>& documents, headscope::SetOperation operation);
    void pointsPicked(const headscope::PointSet& points, headscope::SetOperation operation,
                      const std::vector<std::int64_t>& heads);
    void documentHovered(std::optional<headscope::DocumentIndex> document);
    void choiceCleared();
    /// The user wants the noise floors of the pair.
    void floorRequested();

private:
    void layOut();
    void connectControls();
    void connectCanvas(ScatterWidget* canvas);
    void showChosen();
    void showHeads();
    [[nodiscard]] bool pointsAreOfHeads() const;
    /// Points of heads that are not shown; the numbers of the pair count them.
    [[nodiscard]] std::int64_t hiddenPoints() const;
    void showShare();
    void refreshLines();
    void describe();
    void refreshLayout();
    [[nodiscard]] std::shared_ptr<const HeadMap> mapAt(double share) const;

    CompareHead* m_head = nullptr;
    QWidget* m_page = nullptr;
    QStackedLayout* m_stack = nullptr;
    EmptyState* m_empty = nullptr;
    CanvasPair* m_canvases = nullptr;
    ScatterWidget* m_left = nullptr;
    ScatterWidget* m_right = nullptr;
    MoveLines* m_lines = nullptr;
    CompareBar* m_bar = nullptr;

    std::shared_ptr<const MapPair> m_pair;
    Layout m_layoutKind = Layout::Morph;
    double m_share = 0;
    QVariantAnimation m_animation;
    CompareChoice m_choice;
    std::optional<std::vector<std::int64_t>> m_shownHeads;
};

} // namespace headscope::ui
