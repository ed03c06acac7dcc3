// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;

namespace headscope::ui
{

/// Gives the columns of a ranking (RankingModel) their widths in a table of this width: no heading is cut, as narrow as
/// it may be; documents take what is left, and labels go where the documents would have too little.
/// @param rows    results of the longer list
/// @param labels  whether documents have any
void fitRankingColumns(QTableView& table, int width, int rows, bool labels);

} // namespace headscope::ui
