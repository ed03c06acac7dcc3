// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/figures/figure_paper.h"
#include "viz/export/panels/annotation.h"

#include <QImage>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <vector>

class QWidget;

namespace headscope::ui
{

/// A question with its answers; the first answer is the safe one (Escape).
struct Question
{
    QString title;
    QString text;
    QStringList answers;
    /// For a question that may change while it is open: the current text, or nothing when it has become pointless,
    /// which counts as the first answer.
    std::function<std::optional<QString>()> textNow = {};
};

/// How large a picture of a view is on paper; its height follows from what is shown.
struct FigureSize : FigurePaper
{
    std::vector<viz::Annotation> annotations{}; ///< what is written onto it
};

/// A figure as it will be on paper.
struct FigurePicture
{
    QImage image{};
    QSizeF sizeMm{80, 40};
    double leastTextPt = 0; ///< height of its smallest text; 0: not known
    QString caption{};
    QRectF contentMm{}; ///< what places of annotations are shares of
};

/// Makes the picture of a figure in the background and hands it over, or says why there is none; a new call drops the
/// one before. Null: there is none.
using FigurePainter =
    std::function<void(const FigureSize& size, std::function<void(const Result<FigurePicture>& picture)> then)>;

/// Every dialog the program asks goes through here, so that tests can answer. Dialogs never block:
/// the answer comes by a call back on the GUI thread, and not at all when the user gives none.
class DialogService
{
public:
    virtual ~DialogService() = default;
    virtual void openFile(QWidget* parent, const QString& title, const QString& folder, const QString& filter,
                          std::function<void(const QString& path)> then) = 0;
    virtual void openFolder(QWidget* parent, const QString& title, const QString& folder,
                            std::function<void(const QString& path)> then) = 0;
    virtual void saveFile(QWidget* parent, const QString& title, const QString& proposal, const QString& filter,
                          std::function<void(const QString& path)> then) = 0;
    /// `then` gets the index of the chosen answer; Escape counts as the first.
    virtual void ask(QWidget* parent, const Question& question, std::function<void(int answer)> then) = 0;
    /// How wide and fine a picture shall be, after its file was chosen.
    /// @param paint  shows it at its size while that is chosen; may be null
    virtual void figureSize(QWidget* parent, const FigureSize& proposal, const FigurePainter& paint,
                            std::function<void(const FigureSize& size)> then) = 0;
};

/// The dialogs of the desktop.
class DesktopDialogs : public DialogService
{
public:
    void openFile(QWidget* parent, const QString& title, const QString& folder, const QString& filter,
                  std::function<void(const QString& path)> then) override;
    void openFolder(QWidget* parent, const QString& title, const QString& folder,
                    std::function<void(const QString& path)> then) override;
    void saveFile(QWidget* parent, const QString& title, const QString& proposal, const QString& filter,
                  std::function<void(const QString& path)> then) override;
    void ask(QWidget* parent, const Question& question, std::function<void(int answer)> then) override;
    void figureSize(QWidget* parent, const FigureSize& proposal, const FigurePainter& paint,
                    std::function<void(const FigureSize& size)> then) override;
};

} // namespace headscope::ui
