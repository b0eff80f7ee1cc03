// SPDX-License-Identifier: MIT
import SporadesAccessors

/// `#keyPath(Person.name)` becomes the text that it stands for.
extension PortSource {
  /// The items for the key paths of the file, in interpolations too.
  func keyPathItems(_ facts: PortFacts) -> [PortItem] {
    [tokens, inner].flatMap { tokens in
      tokens.indices.compactMap { keyPathItem(tokens, $0, facts) }
    }
  }

  private func keyPathItem(_ tokens: [SwiftToken], _ place: Int, _ facts: PortFacts) -> PortItem? {
    guard tokens[place].isSign("#"), place + 2 < tokens.count,
      tokens[place + 1].keyword == "keyPath", tokens[place + 2].isSign("(")
    else { return nil }
    let start = tokens[place].start
    var names: [String] = []
    var next = place + 3
    while next + 1 < tokens.count, let name = tokens[next].name {
      names.append(name)
      next += 1
      guard tokens[next].isSign(".") else { break }
      next += 1
    }
    guard next < tokens.count, tokens[next].isSign(")"), !names.isEmpty else {
      return PortItem(
        .keyPath, at: start,
        "#keyPath needs Objective-C, and this one is no plain path. Write the text of the path in its place."
      )
    }
    let path = Self.path(of: names)
    if let problem = problem(names.dropLast(path.count), path, facts) {
      return PortItem(
        .keyPath, at: start,
        "#keyPath(\(names.joined(separator: "."))) needs Objective-C. \(problem) Write the text of the path in its place."
      )
    }
    let text = "\"\(path.joined(separator: "."))\""
    return PortItem(
      .keyPath, at: start,
      "#keyPath(\(names.joined(separator: "."))) needs Objective-C: the text \(text) takes its place.",
      [PortItem.Edit(range: start..<tokens[next].end, text: text)])
  }

  /// The names behind those of types, which begin with a large letter.
  private static func path(of names: [String]) -> [String] {
    var path = names[...]
    while path.count > 1, path.first?.first?.isUppercase == true { path.removeFirst() }
    return Array(path)
  }

  /// The reason for which the text could differ from what the compiler would write; nil for none.
  private func problem(
    _ types: ArraySlice<String>, _ path: [String], _ facts: PortFacts
  ) -> String? {
    if let name = path.first(where: facts.renamed.contains) {
      return "\(name) has another name in Objective-C."
    }
    guard let type = types.last, type != "Self", let first = path.first else { return nil }
    switch facts.has(first, in: type) {
    case .yes: return nil
    case .no: return "The class \(type) has no property \(first) in these files and models."
    case .unknown:
      // Properties of Objective-C can have the name without the word, as `deleted` for `isDeleted`.
      let isFlag = first.hasPrefix("is") && first.dropFirst(2).first?.isUppercase == true
      return isFlag
        ? "The class \(type) is not in these files, and Objective-C can know \(first) without “is”."
        : nil
    }
  }
}
