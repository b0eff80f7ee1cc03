// SPDX-License-Identifier: MIT
import FoundationEssentials

extension Value: CustomStringConvertible, CustomDebugStringConvertible {
  /// The value as text, of which a text is the text itself.
  public var description: String {
    if case .string(let text) = self { text } else { debugDescription }
  }

  /// The value as messages and logs show it, a text in quotes.
  public var debugDescription: String {
    switch self {
    case .null: "nil"
    case .boolean(let truth): "\(truth)"
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .string(let text): text.debugDescription
    case .date(let date): date.description
    case .data(let data): data.count == 1 ? "1 byte" : "\(data.count) bytes"
    case .uuid(let id): id.uuidString
    case .url(let url): url.absoluteString
    case .objectID(let id): id.description
    case .list(let values): "\(values)"
    }
  }
}
