// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>
#include <QTimer>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace headscope::ui
{

class DialogService;

/// What to extract, as `headscope-engine extract` takes it.
struct ExtractRequest
{
    QString model;
    QString texts;
    QString layers; ///< "last", "all" or "0,15,31"
    QString stages; ///< "1,2,3"
    QString output;
    bool overwrite = false; ///< the cache exists and may be replaced
};

/// Asks for a model, texts, layers, stages and the cache to write. Opened again it still holds what
/// was typed into it.
class ExtractDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param dialogs  must outlive the dialog
    ExtractDialog(DialogService& dialogs, QWidget* parent);

    void setModel(const QString& path);
    void setTexts(const QString& path);
    void chooseAllLayers();
    /// What the model is and how much memory it needs, under its field; empty: nothing is known.
    /// @param isProblem  it is a reason why the model cannot be used
    void setModelCard(const QString& card, bool isProblem);
    [[nodiscard]] QString modelCard() const;
    [[nodiscard]] ExtractRequest request() const;
    /// Why the request cannot be run as it stands; "" when it can.
    [[nodiscard]] QString problem() const;

Q_SIGNALS:
    void extractRequested(const headscope::ui::ExtractRequest& request);
    /// Another model that exists was named, and typing has paused: its card is wanted.
    void modelChosen(const QString& path);

private:
    QLineEdit* addPath(const QString& name, const QString& label, const QString& hint);
    void choosePath(QLineEdit* field, const QString& label, bool folder);
    void proposeOutput();
    void refresh();
    void askCard();

    DialogService& m_dialogs;
    QLineEdit* m_model = nullptr;
    QLabel* m_card = nullptr;
    QTimer m_cardDelay;
    QString m_cardOf; ///< the model that the card was asked for
    QLineEdit* m_texts = nullptr;
    QComboBox* m_layers = nullptr;
    QLineEdit* m_layerList = nullptr;
    QList<QCheckBox*> m_stages;
    QLineEdit* m_output = nullptr;
    bool m_outputIsProposal = true;
    QCheckBox* m_overwrite = nullptr;
    QLabel* m_problem = nullptr;
    QPushButton* m_start = nullptr;
};

} // namespace headscope::ui
