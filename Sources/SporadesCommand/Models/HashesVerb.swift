// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesModelFiles

extension Verb {
  static let hashes = Verb(
    name: "hashes", group: .models, summary: "Print the version hashes of a model",
    operands: [.model],
    options: [
      VerbOption(name: "all", text: "Print those of all versions in a folder of versions."),
      VerbOption(name: "base64", text: "Print base64 instead of hexadecimal digits."),
    ],
    details: [
      "Stores recognise their model by one hash for each entity. The checksum is that of all entities together.",
      "For a store, the list also tells whether its own hash of each entity equals that of the model it carries. "
        + "The verb ends with 1 if one of them differs. A model that was inferred from the tables has no hash to "
        + "compare, so the store's own hashes are printed.",
    ],
    examples: [
      "sporades hashes App.xcdatamodeld --all",
      "sporades hashes app.sqlite --json | jq -r '.versions[0].checksum'",
    ]
  ) { invocation in
    let path = invocation.word(Operand.model.name)
    let versions = try GivenModel.versions(at: path) ?? []
    let chosen = invocation.has("all") ? versions : versions.filter(\.isCurrent)
    let lists =
      try chosen.isEmpty
      ? [HashList(GivenModel(path))]
      : chosen.map { HashList(try $0.model(), named: $0.name, isCurrent: $0.isCurrent) }
    if invocation.isJSON {
      let fields: [(String, JSON)] = [
        ("model", .text(path)), ("versions", .list(lists.map(\.json))),
      ]
      try invocation.output.print(JSON.object(fields))
    } else {
      for (place, list) in lists.enumerated() {
        if place > 0 { try invocation.output.printLine("") }
        try list.print(to: invocation.output, inBase64: invocation.has("base64"))
      }
    }
    return lists.contains(where: \.differs) ? .foundSomething : .done
  }
}

/// The hashes of one version of a model.
private struct HashList {
  /// One entity's hash, and what the store says of it.
  private struct Line {
    let entity: String
    /// The hash of the model, or that of the store where the model has none.
    let hash: [UInt8]
    let answer: Answer?
  }

  /// How the hash of a store and that of its model relate.
  private enum Answer: String {
    case equal, differs
    case onlyInModel = "only in the model"
    case onlyInStore = "only in the store"
    case notCompared = "not compared"
  }

  private let name: String
  private let isCurrent: Bool?
  private let identifiers: [String]
  private let checksum: String
  private let lines: [Line]
  private let origin: GivenStore.Origin?

  init(_ model: ManagedObjectModel, named name: String, isCurrent: Bool) {
    self.name = name
    self.isCurrent = isCurrent
    identifiers = model.versionIdentifiers.inOrder().filter { !$0.isEmpty }
    checksum = model.versionChecksum
    origin = nil
    lines = model.entityVersionHashesByName.inOrder.map {
      Line(entity: $0.key, hash: $0.value, answer: nil)
    }
  }

  init(_ given: GivenModel) {
    name = GivenModel.name(of: given.path)
    isCurrent = nil
    identifiers = given.model.versionIdentifiers.inOrder().filter { !$0.isEmpty }
    origin = given.store?.origin
    let hashes = given.model.entityVersionHashesByName
    guard let store = given.store else {
      checksum = given.model.versionChecksum
      lines = hashes.inOrder.map { Line(entity: $0.key, hash: $0.value, answer: nil) }
      return
    }
    checksum = ManagedObjectModel.checksum(of: store.hashes)
    if case .inferred = store.origin {
      lines = store.hashes.inOrder.map {
        Line(entity: $0.key, hash: $0.value, answer: .notCompared)
      }
      return
    }
    let held = given.model.entities(inConfiguration: store.configuration) ?? given.model.entities
    let names = Set(held.map(\.name)).union(store.hashes.keys)
    lines = names.inOrder().map { entity in
      let (own, stored) = (hashes[entity], store.hashes[entity])
      let answer: Answer =
        switch (own, stored) {
        case (nil, _): .onlyInStore
        case (_, nil): .onlyInModel
        default: own == stored ? .equal : .differs
        }
      return Line(entity: entity, hash: own ?? stored ?? [], answer: answer)
    }
  }

  /// The store has other hashes than the model it carries.
  var differs: Bool {
    lines.contains { line in
      line.answer.map { $0 != .equal && $0 != .notCompared } ?? false
    }
  }

  var json: JSON {
    let entities = lines.map { line -> (String, JSON) in
      var fields: [(String, JSON)] = [
        ("hex", .text(line.hash.hexadecimal)),
        ("base64", .text(Data(line.hash).base64EncodedString())),
      ]
      if let answer = line.answer { fields.append(("store", .text(answer.rawValue))) }
      return (line.entity, .object(fields))
    }
    return .object([
      ("name", .text(name)), ("current", isCurrent.map(JSON.bool) ?? .null),
      ("identifiers", .texts(identifiers)), ("checksum", .text(checksum)),
      ("modelSource", .optional(origin?.word)), ("entities", .object(entities)),
    ])
  }

  func print(to output: Output, inBase64: Bool) throws {
    let terminal = output.terminal
    func fact(_ title: String, _ text: String) throws {
      try output.printLine(terminal.bold(title.padded(to: 11)) + TextTable.harmless(text))
    }
    try fact(origin == nil ? "Version" : "Store", name + (isCurrent == true ? " (current)" : ""))
    if !identifiers.isEmpty { try fact("Identifier", identifiers.joined(separator: ", ")) }
    try fact("Checksum", checksum)
    if case .inferred(let reason)? = origin {
      try fact("Model", "inferred from the tables. \(reason)")
    }
    let hasAnswers = lines.contains { $0.answer != nil }
    var table = hasAnswers ? TextTable("Entity", "Hash", "Store") : TextTable("Entity", "Hash")
    for line in lines {
      let hash = inBase64 ? Data(line.hash).base64EncodedString() : line.hash.hexadecimal
      table.add([line.entity, hash] + (hasAnswers ? [line.answer?.rawValue ?? ""] : []))
    }
    // People copy hashes, so a narrow terminal breaks the lines and does not shorten them.
    for line in table.lines(terminal.unlimited) { try output.printLine(line) }
  }
}

extension Terminal {
  /// The same terminal without a number of columns.
  fileprivate var unlimited: Terminal {
    Terminal(
      showsOutput: showsOutput, showsMessages: showsMessages, hasColour: hasColour, width: nil)
  }
}

extension [UInt8] {
  /// Two hexadecimal digits for each byte.
  fileprivate var hexadecimal: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
