// SPDX-License-Identifier: MIT
import FoundationEssentials

extension Value {
  /// The value with folded text, also in a list.
  func folded(_ options: FetchPredicate.TextOptions) -> Value {
    guard TextFolding.folds(options) else { return self }
    return switch self {
    case .string(let text): .string(TextFolding.fold(text, options))
    case .url(let url): .string(TextFolding.fold(url.absoluteString, options))
    case .list(let items): .list(items.map { $0.folded(options) })
    default: self
    }
  }
}
