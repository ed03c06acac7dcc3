// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

class QComboBox;
class QPushButton;

namespace headscope::ui
{

class ElidedLabel;
class ViewState;

/// A map that may be compared.
struct MapOption
{
    QString id; ///< what the controller knows it by
    QString title;
    std::uint64_t points = 0; ///< equal for maps of the same documents and heads
    bool cell = false;        ///< of a grid: counts as older than any map, all cells as equally old
};

/// The two newest maps of the same points, the older one first; nothing where all are of other points.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> newestAlike(const std::vector<MapOption>& maps);

/// The line above the compared maps: which two they are, how well they match, and whether they lie on top of each
/// other or side by side.
class CompareHead : public QWidget
{
    Q_OBJECT

public:
    explicit CompareHead(QWidget* parent);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    /// What may be compared. The user's choice is kept while its maps are offered; else the two newest of the same
    /// points are chosen, or the newest and none.
    /// @param lookedAt  the chosen pair is visible, and is kept while its maps have the same points
    void setOptions(const std::vector<MapOption>& maps, bool lookedAt);
    [[nodiscard]] QString idA() const;
    /// Empty: none is chosen.
    [[nodiscard]] QString idB() const;
    /// Chooses two maps as a user does; an id that is not there changes nothing.
    void choose(const QString& a, const QString& b);
    void swap();
    void setMatch(const QString& text, const QString& tip);
    void showSideBySide(bool side);

Q_SIGNALS:
    /// Other maps are chosen by the user.
    void choiceChanged();
    void sideBySideAsked(bool side);

private:
    void buildBoxes();
    void buildLayouts();
    void takeChoice();
    void chooseQuietly(int a, int b);
    void markOthers();
    [[nodiscard]] const MapOption* option(const QString& id) const;

    QComboBox* m_a = nullptr;
    QComboBox* m_b = nullptr;
    QPushButton* m_swap = nullptr;
    ElidedLabel* m_match = nullptr;
    QPushButton* m_morph = nullptr;
    QPushButton* m_side = nullptr;
    std::vector<MapOption> m_options;
    bool m_chosenByUser = false; ///< the two maps
};

} // namespace headscope::ui
