// SPDX-License-Identifier: MIT

extension Declarations {
  /// Takes a comment such as `// @NSManaged type: class Shapes.Color`.
  mutating func take(_ note: SwiftScanner.Note, file: Int) {
    let parts = note.text.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, parts[0].split(separator: " ") == ["@NSManaged", "type"] else { return }
    let words = parts[1].split(separator: " ")
    let path = words.last?.split(separator: ".").map(String.init) ?? []
    guard words.count == 2, let kind = NominalKind(word: String(words[0])), path.count >= 2 else {
      findings.append(
        finding(
          "The comment “\(note.text)” cannot be read.",
          "Write it as “// @NSManaged type: class Module.Name”, with class, struct, enum or protocol.",
          file: file, at: note.start))
      return
    }
    told.append(ToldType(kind: kind, path: path))
  }
}
