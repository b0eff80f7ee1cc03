// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

// Values as JSON, for attributes of `Codable` types.
extension ImportValue {
  /// The value in JSON, as Foundation's decoder reads it without options: dates as seconds since 2001, bytes in base64.
  var json: [UInt8] {
    get throws(CoercionRefusal) {
      var bytes: [UInt8] = []
      try append(to: &bytes)
      return bytes
    }
  }

  private func append(to bytes: inout [UInt8]) throws(CoercionRefusal) {
    switch self {
    case .null: bytes += "null".utf8
    case .boolean(let truth): bytes += (truth ? "true" : "false").utf8
    case .number(let text) where JSONNumber.kind(of: text) != nil: bytes += text.utf8
    case .number(let text), .text(let text): JSONText.append(Array(text.utf8)[...], to: &bytes)
    case .value(let value): try Self.append(value, to: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        try value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .record(let record):
      bytes.append(UInt8(ascii: "{"))
      for (index, pair) in record.pairs.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONText.append(Array(pair.key.utf8)[...], to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        try pair.value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func append(
    _ value: SporadesModel.Value, to bytes: inout [UInt8]
  ) throws(CoercionRefusal) {
    switch value {
    case .integer(let number): JSONText.append(number, to: &bytes)
    case .double(let number) where number.isFinite: bytes += "\(number)".utf8
    case .decimal(let number) where number.isFinite: bytes += "\(number)".utf8
    case .date(let date): bytes += "\(date.timeIntervalSinceReferenceDate)".utf8
    case .data(let data): try ImportValue.text(data.base64EncodedString()).append(to: &bytes)
    case .uuid(let uuid): try ImportValue.text(uuid.uuidString).append(to: &bytes)
    case .url(let url): try ImportValue.text(url.absoluteString).append(to: &bytes)
    case .null, .boolean, .string, .list: try ImportValue(value).append(to: &bytes)
    case .double, .decimal, .objectID: throw CoercionRefusal("\(value) is no value of JSON.")
    }
  }
}

extension CoercionRefusal {
  /// The refusal of JSON that an attribute's type does not take.
  init(_ error: any Error) {
    guard let error = error as? DecodingError else {
      self.init(error.ownDescription)
      return
    }
    let (path, detail): ([any CodingKey], String) =
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        (context.codingPath, context.debugDescription)
      case .keyNotFound(let key, let context):
        (context.codingPath + [key], "the key is missing.")
      @unknown default: ([], "\(error)")
      }
    let names = path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
    let place = names.isEmpty ? "" : " at \(names.joined(separator: "."))"
    self.init("the value does not fit the type of the attribute\(place): \(detail)")
  }
}
