// SPDX-License-Identifier: MIT
import SporadesModel

/// Refuses what no model file may contain before the reader sees it.
///
/// Document type declarations go first, because entities that expand one another are how small
/// files fill memory; other encodings than UTF-8 go, because they could hide such a declaration.
struct ModelFileGuard {
  static let otherEncoding = "is not UTF-8, the encoding of model files; save it as UTF-8."

  let file: String

  func check(_ bytes: [UInt8]) throws(ModelError) {
    if bytes.isEmpty { throw refusal(.malformedFile, 1, "is empty; restore it or remove it.") }
    if bytes.count > ModelFileLimit.bytes {
      throw refusal(
        .tooLarge, 1, "is larger than \(ModelFileLimit.bytes >> 20) MiB, which no model needs.")
    }
    if bytes.starts(with: "bplist".utf8) {
      throw refusal(
        .malformedFile, 1,
        "is a binary model: compiled, or made before Xcode 4. Save the model with a newer Xcode and"
          + " give its .xcdatamodeld.")
    }
    try checkEncoding(bytes)
    try checkDeclarations(bytes)
    try checkCharacters(bytes)
  }

  private func checkEncoding(_ bytes: [UInt8]) throws(ModelError) {
    var index = 0
    while index < bytes.count {
      // No text has zeros, but ASCII in encodings of two bytes has.
      guard let next = XMLCharacters.scalar(in: bytes, at: index), next.value != 0 else {
        throw refusal(.malformedFile, 1, Self.otherEncoding)
      }
      index += next.length
    }
  }

  /// Comments and character data are all that may begin with `<!`.
  private func checkDeclarations(_ bytes: [UInt8]) throws(ModelError) {
    var line = 1
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\n") { line += 1 }
      guard byte == UInt8(ascii: "<"), index + 2 < bytes.count,
        bytes[index + 1] == UInt8(ascii: "!"), bytes[index + 2] != UInt8(ascii: "-"),
        bytes[index + 2] != UInt8(ascii: "[")
      else { continue }
      throw refusal(
        .malformedFile, line,
        "declares a document type or entities, which model files never do; remove the declaration.")
    }
  }

  private func checkCharacters(_ bytes: [UInt8]) throws(ModelError) {
    var line = 1
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\n") { line += 1 }
      guard byte < 0x20 || byte == 0xEF else { continue }
      if let next = XMLCharacters.scalar(in: bytes, at: index), XMLCharacters.isAllowed(next.value)
      {
        continue
      }
      throw refusal(
        .malformedFile, line, "holds a character that XML forbids; restore it from version control."
      )
    }
  }

  private func refusal(_ code: ModelError.Code, _ line: Int, _ detail: String) -> ModelError {
    ModelError([
      .init(code, location: .init(file: file, line: line), "The model file \(detail)")
    ])
  }
}
