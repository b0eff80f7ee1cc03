// SPDX-License-Identifier: MIT

extension ModelDifferences: CustomStringConvertible {
  public var description: String { sentences.joined(separator: "\n") }

  /// The differences, each in a sentence. The ones that change version hashes come first within each entity.
  public var sentences: [String] {
    entities.flatMap(\.sentences) + traits.map { $0.sentence(of: "The model") }
  }
}

extension EntityDifference: CustomStringConvertible {
  public var description: String { sentences.joined(separator: "\n") }

  fileprivate var sentences: [String] {
    switch kind {
    case .added: return ["\(name) is a new entity."]
    case .removed: return ["\(name) is gone."]
    case .renamed, .changed: break
    }
    var sentences: [String] = []
    if kind == .renamed { sentences.append("\(name) was named \(old?.name ?? "").") }
    let parts =
      traits.map { ($0.changesVersionHash, $0.sentence(of: name)) }
      + properties.flatMap { property in
        property.sentences(of: name).map { (property.changesVersionHash, $0) }
      }
    sentences += parts.filter(\.0).map(\.1) + parts.filter { !$0.0 }.map(\.1)
    if sentences.isEmpty || changesVersionHash && !parts.contains(where: \.0) && kind == .changed {
      sentences.append(
        "\(name) has another version hash, because an entity that it inherits from has one.")
    }
    return sentences
  }
}

extension EntityDifference {
  /// The sentences about what changes the version hash.
  package var decisiveSentences: [String] {
    guard changesVersionHash else { return [] }
    return sentences.filter { !$0.hasSuffix(TraitDifference.remark) }
  }
}

extension PropertyDifference: CustomStringConvertible {
  public var description: String { sentences(of: nil).joined(separator: "\n") }

  fileprivate func sentences(of entity: String?) -> [String] {
    let subject = [entity, name].compactMap(\.self).joined(separator: ".")
    let remark = changesVersionHash ? "" : TraitDifference.remark
    switch kind {
    case .added: return ["\(subject) is new: \(new?.spelling ?? "").\(remark)"]
    case .removed: return ["\(subject) is gone.\(remark)"]
    case .renamed:
      return ["\(subject) was named \(old?.name ?? "").\(remark)"]
        + traits.map { $0.sentence(of: subject) }
    case .changed: return traits.map { $0.sentence(of: subject) }
    }
  }
}

extension TraitDifference: CustomStringConvertible {
  public var description: String { "\(trait): \(old) → \(new)" }

  /// The end of a sentence about what no store depends on.
  fileprivate static let remark = " Version hashes stay."

  fileprivate func sentence(of subject: String) -> String {
    "\(subject): the \(trait) changes from \(old) to \(new)."
      + (changesVersionHash ? "" : Self.remark)
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
