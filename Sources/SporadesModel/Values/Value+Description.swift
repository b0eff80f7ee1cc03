// SPDX-License-Identifier: MIT
import FoundationEssentials

// Messages and logs show a value as a person would write it.
extension Value: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String {
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
    case .list(let values): "[\(values.map(\.description).joined(separator: ", "))]"
    }
  }

  public var debugDescription: String { description }
}
