// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/attention/attention_look.h"
#include "model/data/attention/attention_run.h"
#include "ui/view/head_source.h"
#include "viz/attention/line_pool.h"
#include "viz/attention/token_lines.h"
#include "viz/attention/token_names.h"
#include "viz/attention/weight_matrix.h"
#include "viz/color/inks.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QSplitter;
class QToolButton;

namespace headscope::ui
{

class ElidedLabel;
class HeadChips;
class TokenLinesPicture;
class WeightMatrixPicture;
template <class P>
class PannedOf;

/// One head of a run: its name, its lines, its table.
class HeadPane : public QWidget, public HeadSource
{
    Q_OBJECT

public:
    explicit HeadPane(QWidget* parent = nullptr);

    struct Content
    {
        AttentionRunPtr run;
        std::shared_ptr<const viz::TokenNames> names; ///< of the run
        AttentionHead place;
        AttentionLook look;
        bool pinned = false; ///< stays when another head is chosen
        bool beside = false; ///< the chosen head is another one
        bool alone = true;   ///< no other pane is next to it
    };
    /// Pictures are made again only where weights, look or theme are others.
    void setContent(Content content);
    [[nodiscard]] const Content& content() const { return m_content; }
    [[nodiscard]] std::optional<viz::ItemHead> headMeant() const override
    {
        return viz::ItemHead{m_content.place.layer, m_content.place.head};
    }
    /// The token, or cell, that is kept in all panes.
    void setCell(std::optional<TokenIndex> reading, std::optional<TokenIndex> read);
    void setPointed(std::optional<viz::LineEnd> end);
    void fitAll();

    [[nodiscard]] PannedOf<TokenLinesPicture>* lines() const { return m_lines; }
    [[nodiscard]] PannedOf<WeightMatrixPicture>* matrix() const { return m_matrix; }
    /// What is said in the place of pictures; "": they are there.
    [[nodiscard]] QString waiting() const;
    [[nodiscard]] QString title() const;

Q_SIGNALS:
    void tokenClicked(std::optional<headscope::viz::LineEnd> end);
    void tokenReached(headscope::viz::LineEnd end);
    void tokenPointed(std::optional<headscope::viz::LineEnd> end);
    void cellChosen(std::optional<headscope::viz::WeightCell> cell);
    void cellPointed(std::optional<headscope::viz::WeightCell> cell);
    void pinAsked(headscope::ui::AttentionHead head);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildHead();
    void connectPictures();
    void refreshHead();
    void refreshLines();
    void refreshMatrix();
    /// The heads whose lines are drawn, of those whose weights are held.
    [[nodiscard]] std::vector<HeadIndex> drawnHeads() const;

    Content m_content;
    ElidedLabel* m_title = nullptr;
    QLabel* m_detail = nullptr;
    HeadChips* m_chips = nullptr;
    QToolButton* m_pin = nullptr;
    QSplitter* m_pictures = nullptr;
    PannedOf<TokenLinesPicture>* m_lines = nullptr;
    PannedOf<WeightMatrixPicture>* m_matrix = nullptr;
    QLabel* m_waiting = nullptr;

    /// What the pictures were made of.
    struct Made
    {
        std::vector<const MatrixF*> rows;
        bool withoutFirst = false;
        viz::InkTheme theme = viz::InkTheme::Light;
        bool operator==(const Made&) const = default;
    };
    std::optional<Made> m_madeLines;
    std::optional<Made> m_madeMatrix;
};

} // namespace headscope::ui
