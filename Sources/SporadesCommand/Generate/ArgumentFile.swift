// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesSQLite

/// The file in the working folder that keeps the arguments of `generate`, as mogenerator has it.
enum ArgumentFile {
  static let name = ".mogenerator-args"

  /// The largest number of bytes that a list of arguments has.
  private static let bytes = 1 << 16

  /// The arguments in the file; nil if there is no file.
  static func arguments() throws(CommandError) -> [String]? {
    guard SystemFile.kind(name) != .none else { return nil }
    guard SystemFile.kind(name) == .file, (SystemFile.size(name) ?? 0) <= bytes else {
      throw .failed("\(name) is no file with a list of arguments.")
    }
    let words: [String]
    do {
      words = try JSONDecoder().decode(
        [String].self, from: Data(contentsOf: URL(fileURLWithPath: name)))
    } catch {
      throw .failed(
        "\(name) holds no list of arguments; write an array of texts in JSON: [\"Shop.xcdatamodeld\", \"--output\", \"Model\"]."
      )
    }
    return translated(words)
  }

  /// The words with this program's names of mogenerator's options.
  private static func translated(_ words: [String]) -> [String] {
    words.flatMap { word -> [String] in
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count == 2 ? String(parts[1]) : nil
      switch parts.first {
      case "--swift", "-S", "--v2", "-2": return []
      // The model stands without a name.
      case "--model", "-m": return value.map { [$0] } ?? []
      case "--output-dir", "-O": return named("--output", value)
      case "--machine-dir", "-M": return named("--machine-dir", value)
      case "--human-dir", "-H": return named("--human-dir", value)
      case "--configuration", "-C": return named("--configuration", value)
      case "--baseClass": return named("--base-class", value)
      case "--templatePath": return named("--template-path", value)
      case "--list-source-files": return ["--list"]
      default: return [word]
      }
    }
  }

  private static func named(_ option: String, _ value: String?) -> [String] {
    [value.map { "\(option)=\($0)" } ?? option]
  }
}
