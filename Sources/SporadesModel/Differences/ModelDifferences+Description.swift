// SPDX-License-Identifier: MIT

extension ModelDifferences: CustomStringConvertible {
  public var description: String { sentences.joined(separator: "\n") }

  /// The differences, each in a sentence. The ones that change version hashes come first within each entity.
  public var sentences: [String] {
    entities.flatMap(\.sentences) + traits.map { $0.sentence(of: "The model").text }
  }
}

extension EntityDifference: CustomStringConvertible {
  public var description: String { sentences.joined(separator: "\n") }

  fileprivate var sentences: [String] { parts.map(\.text) }

  /// The sentences about what changes the version hash.
  package var decisiveSentences: [String] {
    changesVersionHash ? parts.filter(\.isDecisive).map(\.text) : []
  }

  private var parts: [DifferenceSentence] {
    switch kind {
    case .added: return [.init("\(name) is a new entity.")]
    case .removed: return [.init("\(name) is gone.")]
    case .renamed, .changed: break
    }
    var parts: [DifferenceSentence] = []
    if kind == .renamed { parts.append(.init("\(name) was named \(old?.name ?? "").")) }
    let details =
      traits.map { ($0.changesVersionHash, $0.sentence(of: name)) }
      + properties.flatMap { property in
        property.sentences(of: name).map { (property.changesVersionHash, $0) }
      }
    parts += details.filter(\.0).map(\.1) + details.filter { !$0.0 }.map(\.1)
    if parts.isEmpty || changesVersionHash && !details.contains(where: \.0) && kind == .changed {
      parts.append(
        .init("\(name) has another version hash, because an entity that it inherits from has one."))
    }
    return parts
  }
}

/// A difference in words.
private struct DifferenceSentence {
  let text: String
  /// Version hashes change with this difference.
  let isDecisive: Bool

  init(_ text: String, isDecisive: Bool = true) {
    self.text = text + (isDecisive ? "" : " Version hashes stay.")
    self.isDecisive = isDecisive
  }
}

extension PropertyDifference: CustomStringConvertible {
  public var description: String { sentences(of: nil).map(\.text).joined(separator: "\n") }

  fileprivate func sentences(of entity: String?) -> [DifferenceSentence] {
    let subject = [entity, name].compactMap(\.self).joined(separator: ".")
    let details = traits.map { $0.sentence(of: subject) }
    func alone(_ text: String) -> DifferenceSentence {
      .init("\(subject) \(text).", isDecisive: changesVersionHash)
    }
    switch kind {
    case .added: return [alone("is new: \(new?.spelling ?? "")")]
    case .removed: return [alone("is gone")]
    case .renamed: return [alone("was named \(old?.name ?? "")")] + details
    case .changed: return details
    }
  }
}

extension TraitDifference: CustomStringConvertible {
  public var description: String { "\(trait): \(old) → \(new)" }

  fileprivate func sentence(of subject: String) -> DifferenceSentence {
    .init(
      "\(subject): the \(trait) changes from \(old) to \(new).", isDecisive: changesVersionHash)
  }
}

extension PropertyDescription {
  /// The property as ``VersionLock`` spells it.
  fileprivate var spelling: String {
    switch self {
    case .attribute(let attribute): attribute.hashedSpelling
    case .relationship(let relationship): relationship.hashedSpelling
    case .fetchedProperty(let fetched): "a fetch of \(fetched.request.entityName)"
    }
  }
}
