// SPDX-License-Identifier: MIT

/// A version of a model, written down in source code, so that a test notices every change that stores would
/// notice.
///
/// ```swift
/// @Test func theModelIsTheReleasedOne() throws {
///   try VersionLock([
///     "Owner 447b1b091833a67a: name String?, pets ->>Pet? inverse owner",
///     "Pet d13aa0b6f6004a70: age Integer16, owner ->Owner? inverse pets",
///   ]).check(AppData.model)
/// }
/// ```
///
/// Begin with `VersionLock([])`: the test fails and prints the lock to paste. It prints it again when the model
/// differs, below the list of differences. A line holds an entity: its name, the beginning of its version hash,
/// and what the hash is made of. Parts that the hash leaves out, such as defaults and indexes, are not locked.
public struct VersionLock: Hashable, Sendable {
  /// The lines, one for each entity.
  public let lines: [String]

  /// Takes the lines of a lock from source code.
  public init(_ lines: [String]) { self.lines = lines }

  /// Makes the lock of a model.
  public init(of model: ManagedObjectModel) {
    lines = model.entities.inByteOrder { $0.name }.map { entity in
      LockedEntity(entity, hash: model.entityVersionHashesByName[entity.name] ?? []).line
    }
  }

  /// The lock as Swift source, to be pasted into a test.
  public var source: String {
    guard !lines.isEmpty else { return "VersionLock([])" }
    return "VersionLock([\n" + lines.map { "  \($0.debugDescription),\n" }.joined() + "])"
  }

  /// Throws an error that lists what differs between the lock and the model, if anything does.
  public func check(_ model: ManagedObjectModel) throws(VersionLockError) {
    let current = VersionLock(of: model)
    guard Set(lines) != Set(current.lines) || lines.count != current.lines.count else { return }
    throw VersionLockError(differences: differences(to: current), lock: current)
  }

  // MARK: - Differences

  private func differences(to current: VersionLock) -> [String] {
    var sentences: [String] = []
    var locked: [String: LockedEntity] = [:]
    for line in lines {
      guard let entity = LockedEntity(line) else {
        sentences.append("The line \(line.debugDescription) of the lock cannot be read.")
        continue
      }
      if locked.updateValue(entity, forKey: entity.name) != nil {
        sentences.append("The lock has two lines for \(entity.name).")
      }
    }
    let entities = current.lines.compactMap { LockedEntity($0) }
    for entity in entities {
      if let before = locked.removeValue(forKey: entity.name) {
        sentences += entity.differences(from: before)
      } else if !lines.isEmpty {
        sentences.append("\(entity.name) is a new entity.")
      }
    }
    return sentences + locked.keys.inOrder().map { "\($0) is gone." }
  }
}

/// The model is not the one that a lock describes.
public struct VersionLockError: DescribedError, Hashable, Sendable {
  /// The differences, each in a sentence; empty for a lock without lines.
  public let differences: [String]
  /// The lock of the model as it is now.
  public let lock: VersionLock

  public var description: String {
    let reason =
      differences.isEmpty
      ? "The model has no lock yet. Paste this one:"
      : "The model differs from its lock, and stores of the locked version will not open with it:\n"
        + differences.map { "- \($0)\n" }.joined()
        + "Undo the change. If it is meant, add a version and paste this lock:"
    return "\(reason)\n\n\(lock.source)\n"
  }
}

/// A line of a lock in its parts.
private struct LockedEntity {
  let name: String
  private let hash: String
  private let own: String
  private let properties: [(name: String, text: String)]

  init(_ entity: EntityDescription, hash: [UInt8]) {
    name = entity.name
    self.hash = hash.prefix(8).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    own = entity.hashedSpelling
    let attributes = entity.attributes.filter { !$0.isTransient }.map {
      (name: $0.name, text: $0.hashedSpelling)
    }
    let relationships = entity.relationships.filter { !$0.isTransient }.map {
      (name: $0.name, text: $0.hashedSpelling)
    }
    properties = (attributes + relationships).inByteOrder { $0.name }
  }

  /// Reads a line; nil if it is none.
  init?(_ line: String) {
    let halves = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
    let words = (halves.first ?? "").split(separator: " ", maxSplits: 2)
    guard halves.count == 2 || line.hasSuffix(":"), words.count >= 2 else { return nil }
    name = String(words[0])
    let isBare = halves.count == 1
    func text(_ word: Substring) -> String {
      String(isBare && word.last == ":" ? word.dropLast() : word)
    }
    hash = text(words[1])
    own = words.count == 3 ? text(words[2]) : ""
    properties = (isBare ? [] : halves[1].split(separator: ", ")).map { part in
      let words = part.split(separator: " ", maxSplits: 1)
      return (String(words[0]), words.count == 2 ? String(words[1]) : "")
    }
  }

  var line: String {
    let head = [name, hash, own].filter { !$0.isEmpty }.joined(separator: " ")
    let parts = properties.map { "\($0.name) \($0.text)" }
    return "\(head):\(parts.isEmpty ? "" : " ")\(parts.joined(separator: ", "))"
  }

  func differences(from old: LockedEntity) -> [String] {
    var sentences: [String] = []
    if old.own != own {
      let (before, after) = (old.own.isEmpty ? "nothing" : old.own, own.isEmpty ? "nothing" : own)
      sentences.append("\(name): what the entity itself says changes from \(before) to \(after).")
    }
    var left = Dictionary(old.properties.map { ($0.name, $0.text) }) { first, _ in first }
    for (property, text) in properties {
      guard let before = left.removeValue(forKey: property) else {
        sentences.append("\(name).\(property) is new: \(text).")
        continue
      }
      if before != text {
        sentences.append("\(name).\(property) changes from \(before) to \(text).")
      }
    }
    sentences += left.keys.inOrder().map { "\(name).\($0) is gone." }
    if sentences.isEmpty, old.hash != hash {
      sentences.append(
        "\(name) has another version hash, because an entity that it inherits from has one.")
    }
    return sentences
  }
}
