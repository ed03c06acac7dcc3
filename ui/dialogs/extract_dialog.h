// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_preview.h"
#include "model/data/frame/facts.h"
#include "model/data/stage.h"
#include "ui/dialogs/extract_request.h"
#include "ui/dialogs/path_field.h"

#include <QDialog>
#include <QList>
#include <QString>
#include <QTimer>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace headscope
{
class Fields;
}

namespace headscope::ui
{

class DialogService;
class DocumentsTable;
class ExtractOptions;
class ModelAsks;
class NoteArea;

/// Asks for a model, texts and what their columns are, layers, stages, the cache to write, and the options of the
/// command line. Opened again it still holds what was typed into it. Nothing in it moves while it is filled: room is
/// reserved for what appears and disappears. It reads no file: what it shows of models and texts is asked for by
/// signals.
class ExtractDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param dialogs  must outlive the dialog
    /// @param declare  collects the options of the command, bound to a value that it keeps
    ExtractDialog(DialogService& dialogs, std::function<void(Fields&)> declare, QWidget* parent);

    void setModel(const QString& path);
    void setTexts(const QString& path);
    void chooseAllLayers();
    /// Models that can be chosen by their names.
    void setModelOffers(const QList<PathField::OfferGroup>& groups);
    /// What the model is and how much memory it needs, under its field; empty: nothing is known.
    /// @param isProblem  it is a reason why the model cannot be used
    void setModelCard(const QString& card, bool isProblem);
    [[nodiscard]] QString modelCard() const;
    /// All that the model's files ask for, and what is done with it, behind a button below the card; empty: nothing is
    /// known, and there is no button.
    void setModelAsks(const FactLines& asks);
    /// What the model does where an option says "auto".
    void setModelDefaults(const ModelDefaults& defaults);

    /// The first rows of the texts that previewWanted() asked for.
    void setPreview(std::shared_ptr<const DocumentPreview> preview);
    /// Why they cannot be read.
    void setPreviewFault(const Error& error);

    [[nodiscard]] DocumentsTable& documents() const { return *m_documents; }
    [[nodiscard]] ExtractOptions& options() const { return *m_options; }
    void setOptionsShown(bool shown);

    [[nodiscard]] ExtractRequest request() const;
    /// Why the request cannot be run as it is; "" when it can.
    [[nodiscard]] QString problem() const;

Q_SIGNALS:
    void extractRequested(const headscope::ui::ExtractRequest& request);
    /// The command line that does the same is wanted on the clipboard.
    void copyRequested(const headscope::ui::ExtractRequest& request);
    /// Another model that exists was named, and typing has paused: its card is wanted.
    void modelChosen(const QString& path);
    /// Other texts that exist were named, or other rows of them: setPreview() or setPreviewFault() is wanted.
    /// @param lines  each line of a plain text is a document
    /// @param limit  largest number of documents to read; 0 = all
    /// @param separator  of a table, as the command line names it; "": found in the rows
    void previewWanted(const QString& path, bool lines, std::int64_t limit, const QString& separator);

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// In the order of their boxes.
    static constexpr std::array kStagesOffered{Stage::HeadOutput, Stage::ProjectedSegment, Stage::OutputSegment,
                                               Stage::Contribution};

    QGridLayout* addPage(QVBoxLayout* layout);
    void addModel(QGridLayout* grid);
    void addField(QGridLayout* grid, const QString& title, QWidget* field);
    void addDocuments(QGridLayout* grid);
    void addLayers(QGridLayout* grid);
    void addStages(QGridLayout* grid);
    void addOptions(QGridLayout* grid);
    void addButtons(QVBoxLayout* layout);
    [[nodiscard]] QString layersProblem(const QString& layers) const;
    void proposeOutput();
    void refresh();
    void askCard();
    void askPreview();
    [[nodiscard]] QString previewKey() const;
    /// Of a file or folder that is not there.
    [[nodiscard]] static QString missingText(const QString& path);

    DialogService& m_dialogs;
    QScrollArea* m_scroll = nullptr;
    PathField* m_model = nullptr;
    NoteArea* m_card = nullptr;
    QToolButton* m_asksShown = nullptr;
    ModelAsks* m_asks = nullptr;
    QTimer m_cardDelay;
    QString m_cardOf; ///< the model that the card was asked for
    ModelDefaults m_defaults;
    PathField* m_texts = nullptr;
    DocumentsTable* m_documents = nullptr;
    QTimer m_previewDelay;
    QString m_previewOf; ///< what the preview was asked for
    QComboBox* m_layers = nullptr;
    QLineEdit* m_layerList = nullptr;
    QList<QCheckBox*> m_stages;
    PathField* m_output = nullptr;
    bool m_outputIsProposal = true;
    QCheckBox* m_overwrite = nullptr;
    QToolButton* m_more = nullptr;
    std::function<void(Fields&)> m_declare;
    ExtractOptions* m_options = nullptr;
    NoteArea* m_problem = nullptr;
    QPushButton* m_copy = nullptr;
    QPushButton* m_start = nullptr;
    bool m_isFitted = false; ///< to the screen
};

} // namespace headscope::ui
