// SPDX-License-Identifier: MIT
import SporadesModel

/// Refuses what no model file may contain before a parser sees it.
///
/// Document type declarations go first, because entities that expand one another are how small
/// files fill memory; other encodings than UTF-8 go, because they could hide such a declaration.
struct ModelFileGuard {
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
  }

  private func checkEncoding(_ bytes: [UInt8]) throws(ModelError) {
    let problem = "is not UTF-8, the encoding of model files; save it as UTF-8."
    if bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil {
      throw refusal(.malformedFile, 1, problem)
    }
    guard let declared = declaredEncoding(bytes) else { return }
    if !["utf-8", "utf8", "us-ascii", "ascii"].contains(declared.lowercased()) {
      throw refusal(.malformedFile, 1, problem)
    }
  }

  /// What the XML declaration, if there is one, says the encoding is.
  private func declaredEncoding(_ bytes: [UInt8]) -> String? {
    let start = String(decoding: bytes.prefix(200), as: UTF8.self)
    guard let xml = start.firstRange(of: "<?xml"),
      let end = start[xml.upperBound...].firstRange(of: "?>"),
      let name = start[xml.upperBound..<end.lowerBound].firstRange(of: "encoding")
    else { return nil }
    let rest = start[name.upperBound..<end.lowerBound].drop { $0.isWhitespace || $0 == "=" }
    guard let quote = rest.first else { return nil }
    return String(rest.dropFirst().prefix { $0 != quote })
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

  private func refusal(_ code: ModelError.Code, _ line: Int, _ detail: String) -> ModelError {
    ModelError([
      .init(code, location: .init(file: file, line: line), "The model file \(detail)")
    ])
  }
}
