// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/controller.h"
#include "app/desktop/shell/save_job.h"
#include "app/desktop/shell/study.h"
#include "app/results/card/card_maker.h"
#include "app/results/card/card_model_parts.h"
#include "model/data/results/card/head_card.h"
#include "model/data/results/head_measures.h"
#include "ui/jobs/job_runner.h"

#include <QPointer>
#include <QWidget>

#include <memory>
#include <mutex>
#include <optional>

class QAction;
class QMenu;

namespace headscope::ui
{
class CardDialog;
class View;
} // namespace headscope::ui

namespace headscope::desktop
{

/// The card of a head, which every view opens for the head under the pointer or the keys.
/// @threads GUI thread
class CardController : public Controller
{
    Q_OBJECT

public:
    explicit CardController(Study& study, QObject* parent = nullptr);

    void stop() override;
    void leave() override;
    [[nodiscard]] bool busy() const override { return m_save.busy(); }
    [[nodiscard]] bool works() const override { return busy() || m_runner.running(); }

    /// Puts the card at the end of a menu that is being made in a view.
    /// @param part  of the view, for which the menu is made; null: the one under the pointer or the keys
    void offerIn(QMenu& menu, const QWidget* part = nullptr);
    /// A part of a view whose menu is its actions has it among them.
    void offerIn(QWidget& part) { part.addAction(m_action); }

    /// Shows the card of a head.
    void show(LayerIndex layer, HeadIndex head);

private:
    /// What cards of the open cache are made of; used by one job at a time.
    struct Made
    {
        std::mutex mutex;
        std::optional<CardMaker> maker;
        std::string label; ///< that the maker takes
        CardModelParts parts;
    };

    /// The view in front; null: none.
    [[nodiscard]] ui::View* viewInFront() const;
    [[nodiscard]] std::optional<HeadPlace> headInFocus(const QWidget* part = nullptr) const;
    void showFocused();
    void step(int by);
    void make();
    void runModel();
    void askModel();
    void copy() const;
    void save();

    Study& m_study;
    SaveJob m_save;
    QAction* m_action = nullptr;
    QPointer<ui::CardDialog> m_dialog;
    std::optional<HeadPlace> m_pointed; ///< last pointed at, marked or clicked
    std::optional<HeadPlace> m_wanted;
    std::shared_ptr<Made> m_made;
    std::optional<HeadCard> m_card; ///< that is shown
    bool m_hasModel = false;        ///< its parts are there
    ui::JobRunner m_runner;
    ui::JobRunner m_modelRunner; ///< goes on while cards of other heads are looked at
};

} // namespace headscope::desktop
