// SPDX-License-Identifier: MIT
import SporadesAccessors

/// Imports of modules that Linux lacks get a condition, where nothing in the file uses them.
extension PortSource {
  /// The items for the imports of the file.
  func importItems(_ facts: PortFacts) -> [PortItem] {
    let places = tokens.indices.filter { word($0) == "import" && head(before: $0).start <= $0 }
    let imported = Set(places.compactMap { module(at: $0)?.name })
    let used: [String: [String]] = imported.reduce(into: [:]) { used, module in
      if let words = ModuleWords.of(module) { used[module] = self.used(words, module, facts) }
    }
    return places.compactMap { importItem($0, imported, used) }
      + [coreDataItem(places, imported, facts)].compactMap(\.self)
  }

  /// The import of Core Data, which interfaces and XCTest hand on where Apple has them.
  private func coreDataItem(
    _ places: [Int], _ imported: Set<String>, _ facts: PortFacts
  ) -> PortItem? {
    let plain = places.first {
      tokens[$0].condition == nil && isFirst(head(before: $0).start) && module(at: $0) != nil
    }
    guard !imported.contains("CoreData"), let plain,
      let first = used(.coreData, "CoreData", facts).first
    else { return nil }
    let start = tokens[head(before: plain).start].start
    return PortItem(
      .module, at: start,
      "The file uses \(first) and does not import CoreData, which XCTest and others hand on where Apple has them: it gets the import.",
      [.insert("\(indent(start))import CoreData\(newline)", at: lineStart(start))])
  }

  /// The module of an import, and the last token of its path.
  private func module(at place: Int) -> (name: String, last: Int)? {
    let kinds: Set<String> = [
      "struct", "class", "enum", "protocol", "typealias", "func", "var", "let",
    ]
    var first = place + 1
    if let word = word(first), kinds.contains(word), name(first + 1) != nil { first += 1 }
    guard let name = name(first) else { return nil }
    var last = first
    while isSign(".", last + 1), self.name(last + 2) != nil { last += 2 }
    return (name, last)
  }

  private func importItem(
    _ place: Int, _ imported: Set<String>, _ used: [String: [String]]
  ) -> PortItem? {
    guard !isSign(".", place - 1), let (module, last) = module(at: place),
      LinuxSource.lacks(module: module)
    else { return nil }
    let start = tokens[place].start
    guard let used = used[module] else {
      return PortItem(
        .module, at: start,
        "Linux has no module \(module). Put #if canImport(\(module)) around the import and what uses it."
      )
    }
    let first = head(before: place).start
    guard used.isEmpty, isFirst(first), isLast(last) else {
      let list =
        used.isEmpty ? "The line has other code." : "The file uses \(used.joined(separator: ", "))."
      return PortItem(
        .module, at: start,
        "Linux has no module \(module). \(list) Put #if canImport(\(module)) around the import and what uses it."
      )
    }
    let indent = indent(tokens[first].start)
    // Modules for user interfaces hand on Foundation.
    let isFoundationMissing = imported.isDisjoint(with: ["Foundation", "CoreData"])
    let other =
      isFoundationMissing ? "\(newline)\(indent)#else\(newline)\(indent)import Foundation" : ""
    return PortItem(
      .module, at: start,
      "Linux has no module \(module), and nothing in the file seems to use it: a condition goes around the import.",
      [
        .insert("\(indent)#if canImport(\(module))\(newline)", at: lineStart(tokens[first].start)),
        .insert("\(other)\(newline)\(indent)#endif", at: lineEnd(tokens[last].end)),
      ])
  }

  /// The words of the module in the file, in their order, without those that the folder declares.
  private func used(_ words: ModuleWords, _ module: String, _ facts: PortFacts) -> [String] {
    var seen: Set<String> = [module]
    let names = (tokens + inner).compactMap(\.keyword)
    return Array(
      names.filter {
        words.contains($0) && !facts.typeNames.contains($0) && seen.insert($0).inserted
      }.prefix(5))
  }
}
