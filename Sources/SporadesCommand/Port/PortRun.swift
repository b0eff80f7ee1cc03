// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesAccessors
import SporadesModel
import SporadesModelFiles

/// One run of the verb `port` over a folder.
struct PortRun {
  /// A file with something to do.
  struct File {
    let source: PortSource
    let items: [PortItem]
  }

  private(set) var files: [File] = []
  private(set) var failures: [String]
  /// Sentences about models that could not be read.
  private var remarks: [String] = []
  private let fileCount: Int
  private let facts: PortFacts

  /// Edits that touch each other are made one after the other. No line has more of them, and those that move into one class are
  /// as many as the items.
  private static let mostRounds = 16

  /// Reads the folder, and finds what is to do.
  init(_ path: String) throws {
    var sources: [PortSource] = []
    let folder = try SwiftFolder(path) { bytes, path in
      sources.append(PortSource(path: path, bytes: bytes))
    }
    guard folder.fileCount > 0 || !folder.failures.isEmpty else {
      throw CommandError.failed("There is no file of Swift source in \(path).")
    }
    failures = folder.failures
    fileCount = folder.fileCount
    var models: [ManagedObjectModel] = []
    for path in folder.models {
      do throws(ModelError) {
        models.append(try ModelFile.read(URL(fileURLWithPath: path)).model)
      } catch {
        remarks.append("The model \(path) cannot be read, so its classes are not known: \(error)")
      }
    }
    facts = PortFacts(sources, models: models)
    for source in sources {
      let items = Self.items(of: source, facts)
      if !items.isEmpty { files.append(File(source: source, items: items)) }
    }
  }

  /// What is to do in a file, in the order of its lines.
  private static func items(of source: PortSource, _ facts: PortFacts) -> [PortItem] {
    let items =
      source.importItems(facts) + source.attributeItems() + source.keyPathItems(facts)
      + source.selectorItems() + source.initializerItems(facts) + source.castItems()
      + source.overrideItems()
    return items.sorted { $0.start < $1.start }
  }

  /// Changes the files, and answers the paths of those that changed.
  func write() throws -> [String] {
    var changed: [String] = []
    for file in files {
      var bytes = file.source.bytes
      var items = file.items
      for _ in 0..<(items.count + Self.mostRounds) where items.contains(where: { !$0.isLeft }) {
        bytes = items.applied(to: bytes)
        items = Self.items(of: PortSource(path: file.source.path, bytes: bytes), facts)
      }
      guard bytes != file.source.bytes else { continue }
      try replace(file.source.path, with: bytes)
      changed.append(file.source.path)
    }
    return changed
  }

  private func replace(_ path: String, with bytes: [UInt8]) throws {
    let manager = FileManager.default
    let rights = try manager.attributesOfItem(atPath: path)[.posixPermissions]
    try FileWriting.write(.file(bytes), to: URL(fileURLWithPath: path), replacing: true)
    if let rights { try manager.setAttributes([.posixPermissions: rights], ofItemAtPath: path) }
  }

  // MARK: - Answers

  func print(to output: Output, asJSON: Bool, changed: [String]) throws {
    let items = files.flatMap { file in file.items.map { (file.source, $0) } }
    if asJSON {
      return try output.print(
        .object([
          ("files", .count(fileCount)), ("items", .list(items.map(Self.json))),
          ("changed", .texts(changed)), ("remarks", .texts(remarks)),
          ("failures", .texts(failures)),
        ]))
    }
    for (source, item) in items {
      let (line, column) = source.lines.position(of: item.start)
      let word = item.isLeft ? "left to you" : "change"
      try output.printLine(
        TextTable.harmless("\(source.path):\(line):\(column): \(word): \(item.sentence)"))
    }
    for failure in remarks + failures { output.say(TextTable.harmless(failure)) }
    let left = items.count { $0.1.isLeft }
    output.say(
      "Files read: \(fileCount). Changes: \(items.count - left). Left to you: \(left). Files written: \(changed.count)."
    )
  }

  private static func json(_ source: PortSource, _ item: PortItem) -> JSON {
    let (line, column) = source.lines.position(of: item.start)
    return .object([
      ("file", .text(source.path)), ("line", .count(line)), ("column", .count(column)),
      ("kind", .text(item.kind.rawValue)), ("isLeft", .bool(item.isLeft)),
      ("sentence", .text(item.sentence)),
    ])
  }
}
