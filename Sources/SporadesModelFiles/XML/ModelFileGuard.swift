// SPDX-License-Identifier: MIT
import SporadesModel

/// Checks the bytes of a model file before the reader sees them.
///
/// The guard refuses document type declarations, because entities that expand one another let a small file
/// fill the memory. It refuses encodings other than UTF-8, because they could hide such a declaration.
struct ModelFileGuard {
  static let otherEncoding = "is not UTF-8, the encoding of model files; save it as UTF-8."

  let file: String
  var form = XMLForm.model

  func check(_ bytes: [UInt8]) throws(ModelError) {
    if bytes.isEmpty { throw makeRefusal(.malformedFile, 1, "is empty; restore it or remove it.") }
    if bytes.count > ModelFileLimit.bytes {
      throw makeRefusal(
        .tooLarge, 1, "is larger than \(ModelFileLimit.bytes >> 20) MiB, which no model needs.")
    }
    if bytes.starts(with: "bplist".utf8) {
      throw makeRefusal(
        .malformedFile, 1,
        "is a binary property list and no text; name the contents file of a model.")
    }
    try checkEncoding(bytes)
    try checkDeclarations(bytes)
    try checkCharacters(bytes)
  }

  private func checkEncoding(_ bytes: [UInt8]) throws(ModelError) {
    var index = 0
    while index < bytes.count {
      // Text has no zero bytes in UTF-8, but ASCII characters have them in encodings of two bytes.
      guard let next = XMLCharacters.scalar(in: bytes, at: index), next.value != 0 else {
        throw makeRefusal(.malformedFile, 1, Self.otherEncoding)
      }
      index += next.length
    }
  }

  /// Refuses every `<!` that begins neither a comment nor character data.
  private func checkDeclarations(_ bytes: [UInt8]) throws(ModelError) {
    var line = 1
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\n") { line += 1 }
      guard byte == UInt8(ascii: "<"), index + 2 < bytes.count,
        bytes[index + 1] == UInt8(ascii: "!"), bytes[index + 2] != UInt8(ascii: "-"),
        bytes[index + 2] != UInt8(ascii: "[")
      else { continue }
      if let declaration = form.documentType, index < 512,
        bytes[index...].starts(with: declaration.utf8)
      {
        continue
      }
      throw makeRefusal(
        .malformedFile, line,
        "declares a document type or entities, which a model file never does; remove the declaration."
      )
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
      throw makeRefusal(
        .malformedFile, line,
        "contains a character that XML forbids; restore it from version control."
      )
    }
  }

  private func makeRefusal(_ code: ModelError.Code, _ line: Int, _ detail: String) -> ModelError {
    ModelError([
      .init(code, location: .init(file: file, line: line), "The model file \(detail)")
    ])
  }
}
