// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/card/card_page.h"

#include <QDialog>
#include <QString>

#include <memory>

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace headscope::viz
{
class CardPicture;
} // namespace headscope::viz

namespace headscope::ui
{

template <class P>
class PictureOf;

/// The card of a head: a page that scrolls, with the heads before and after it by arrow keys. It blocks nothing.
class CardDialog : public QDialog
{
    Q_OBJECT

public:
    explicit CardDialog(QWidget* parent = nullptr);

    /// A card is being made: the one that is shown stays until it is there.
    void setBusy(const QString& text);
    void setPage(std::shared_ptr<const viz::CardPage> page);
    /// There is no card, and why.
    void setError(const QString& sentence);
    /// Whether its model can be run, and has not been.
    void setModelOffered(bool offered);

Q_SIGNALS:
    /// The head before (-1) or after (1) the one that is shown.
    void stepRequested(int step);
    void copyRequested();
    void saveRequested();
    /// What needs the model is asked for.
    void modelRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void addButtons(QVBoxLayout& layout);

    QLabel* m_state;
    QScrollArea* m_scroll;
    PictureOf<viz::CardPicture>* m_page;
    QPushButton* m_model = nullptr;
    QPushButton* m_copy = nullptr;
    QPushButton* m_save = nullptr;
};

} // namespace headscope::ui
