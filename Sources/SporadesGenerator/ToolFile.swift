// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGenerating
import SporadesModel
import SporadesModelFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Writes files and lines for a build system.
enum ToolFile {
  /// Writes lines beside the answers. Build systems show them.
  static func say(_ lines: [String]) {
    let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
    // The result is ignored, because there is no further place for a word about it.
    _ = unsafe bytes.withUnsafeBytes { unsafe systemWrite(2, $0.baseAddress, $0.count) }
  }

  /// Puts a word before each line, by which a build system knows its weight.
  static func marked(_ word: String, _ text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map { "\(word): \($0)" }
  }

  /// The lines of an error, with the places in models as compilers write them.
  static func lines(of error: any Error) -> [String] {
    guard let error = error as? ModelError else { return marked("error", "\(error)") }
    return error.problems.flatMap { problem in
      guard let place = problem.location else { return marked("error", problem.description) }
      let subject = [problem.entity, problem.property].compactMap(\.self).joined(separator: ".")
      let sentence = subject.isEmpty ? problem.detail : "\(subject): \(problem.detail)"
      return ["\(place.file):\(place.line):1: error: \(sentence)"]
    }
  }

  /// Writes a file unless it has the text already. A file that stays the same is not compiled again.
  static func write(_ text: String, to path: String) throws {
    let (place, bytes) = (URL(fileURLWithPath: path), Data(text.utf8))
    // `try?`, because there may be no file yet.
    if (try? Data(contentsOf: place)) != bytes { try bytes.write(to: place) }
  }

  /// Writes the classes of a model of Sporades.
  static func writeClasses(ofModel model: String, to file: String) throws {
    let url = URL(fileURLWithPath: model)
    let reading = try ModelFile.read(url)
    let (generated, remarks) = try Generation.singleFile(
      of: reading.model, named: url.deletingPathExtension().lastPathComponent)
    for remark in remarks { say(marked("warning", remark)) }
    try write(generated.text, to: file)
  }
}

/// The system's call.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(file, bytes, count)
}
