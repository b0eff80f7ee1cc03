// SPDX-License-Identifier: MIT

/// Tells how the entities and properties of an older version of a model continue in a newer one.
///
/// Parts are found by their renaming identifiers in both versions, then by their name, as
/// ``ManagedObjectModel/differences(from:)`` finds them. If the versions between the two are known, each step between them is followed, so that a part
/// that was renamed several times is found. A part that one of these versions lacks ends there, even if a later
/// version has one of the same name: the result is that of migrating step by step.
///
/// The members of a composite attribute are attributes with a path: `address.street`. A member continues an
/// attribute outside of the composite, or the reverse, if the renaming identifier of one names the path of the other.
/// A composite with a single member also continues an attribute with the name of the composite.
public struct ModelEvolution: Sendable {
  /// The older version.
  public let old: ManagedObjectModel
  /// The newer version.
  public let new: ManagedObjectModel
  private let whole: EvolutionStep
  private let successors: [String: String]
  /// Parts whose renaming identifiers let several parts continue one, or one several.
  package let doubts: [Doubt]

  /// Parts of which nobody can say which one continues which. They are not paired.
  package struct Doubt: Sendable {
    /// The newer entity of properties; nil for entities.
    package let entity: String?
    package let old: [String]
    package let new: [String]

    /// The reason against a migration that would have to guess.
    package var sentence: String {
      func list(_ names: [String]) -> String {
        names.map { name in entity.map { "\($0).\(name)" } ?? name }.joined(separator: " and ")
      }
      let reason =
        old.count > 1
        ? "\(list(old)) of the older version have one renaming identifier, so that \(list(new)) could continue each of them."
        : "\(list(new)) have one renaming identifier, so that each could continue \(list(old))."
      return
        "\(reason) Give each part an identifier of its own. A part without one has its name as identifier."
    }
  }

  /// Compares two versions. `versions` lists the versions between them, the oldest first.
  public init(
    from old: ManagedObjectModel, through versions: [ManagedObjectModel] = [],
    to new: ManagedObjectModel
  ) {
    (self.old, self.new) = (old, new)
    var runs = AlikeVersions.runs(of: [old] + versions + [new])
    if runs.count == 1 { runs = [AlikeVersions([old]), AlikeVersions([new])] }
    let steps = zip(runs, runs.dropFirst()).map { EvolutionStep(from: $0.last, to: $1) }
    whole = steps.dropFirst().reduce(steps[0]) { $0.followed(by: $1) }
    doubts = steps.flatMap(\.doubts)
    successors = Dictionary(
      whole.entities.map { ($0.value.name, $0.key) }
    ) { first, _ in first }
  }

  /// The older entity that an entity of the newer version continues; nil if the entity is new.
  public func source(ofEntity new: String) -> String? { whole.entities[new]?.name }

  /// The newer entity that continues an entity of the older version; nil if the entity is gone.
  public func successor(ofEntity old: String) -> String? { successors[old] }

  /// The path of the older attribute that an attribute of an entity continues, own or inherited. Nil if the
  /// attribute is new, or was not stored.
  public func source(ofAttribute path: String, in newEntity: String) -> String? {
    whole.entities[newEntity]?.attributes[path]
  }

  /// The name of the older relationship that a relationship of an entity continues, own or inherited.
  public func source(ofRelationship name: String, in newEntity: String) -> String? {
    whole.entities[newEntity]?.relationships[name]
  }
}

/// The parts of one version by what they were in an earlier one.
private struct EvolutionStep {
  /// The former entity, and its properties by their present names.
  struct Source {
    let name: String
    let attributes: [String: String]
    let relationships: [String: String]
  }

  typealias Doubt = ModelEvolution.Doubt
  let entities: [String: Source]
  private(set) var doubts: [Doubt] = []

  init(from old: ManagedObjectModel, to new: AlikeVersions) {
    let renaming = Renaming(
      old.entities, new.entities, name: \.name, identifier: \.renamingIdentifier)
    doubts = renaming.doubts.map { Doubt(entity: nil, old: $0.old, new: $0.new) }
    var entities: [String: Source] = [:]
    for case (let before?, let after?) in renaming.pairs {
      guard let before = old.shape(named: before.name),
        let after = new.last.shape(named: after.name)
      else { continue }
      let attributes = AttributePairs(
        before.attributes.map(\.description), new.attributes(of: after))
      let relationships = Renaming(
        before.relationships.map(\.description).filter { !$0.isTransient },
        new.relationships(of: after).filter { !$0.isTransient },
        name: \.name, identifier: \.renamingIdentifier)
      entities[after.name] = Source(
        name: before.name, attributes: attributes.sources,
        relationships: Self.sources(relationships.pairs))
      doubts += (attributes.doubts + relationships.doubts.map { ($0.old, $0.new) }).map {
        Doubt(entity: after.name, old: $0.old, new: $0.new)
      }
    }
    self.entities = entities
  }

  private init(entities: [String: Source]) { self.entities = entities }

  private static func sources(
    _ pairs: [(old: RelationshipDescription?, new: RelationshipDescription?)]
  ) -> [String: String] {
    var sources: [String: String] = [:]
    for case (let before?, let after?) in pairs { sources[after.name] = before.name }
    return sources
  }

  /// The step from the beginning of this one to the end of the next one.
  func followed(by next: EvolutionStep) -> EvolutionStep {
    EvolutionStep(
      entities: next.entities.compactMapValues { later in
        entities[later.name].map { earlier in
          Source(
            name: earlier.name,
            attributes: later.attributes.compactMapValues { earlier.attributes[$0] },
            relationships: later.relationships.compactMapValues { earlier.relationships[$0] })
        }
      })
  }
}

/// The stored attributes of an entity, with the members of composites, by the paths of their sources.
private struct AttributePairs {
  /// The paths in the older version by those in the newer one.
  private(set) var sources: [String: String] = [:]
  /// Paths of which nobody can say which one continues which.
  private(set) var doubts: [(old: [String], new: [String])] = []

  init(_ old: [AttributeDescription], _ new: [AttributeDescription]) {
    let (old, new) = (old.filter { !$0.isTransient }, new.filter { !$0.isTransient })
    match(old, new, under: ("", ""))
    matchMoved(old, new)
  }

  /// Pairs the attributes of one level, and then the members of those that are composites in both versions.
  private mutating func match(
    _ old: [AttributeDescription], _ new: [AttributeDescription],
    under prefixes: (old: String, new: String)
  ) {
    let renaming = Renaming(old, new, name: \.name, identifier: \.renamingIdentifier)
    doubts += renaming.doubts.map { doubt in
      (doubt.old.map { prefixes.old + $0 }, doubt.new.map { prefixes.new + $0 })
    }
    for case (let before?, let after?) in renaming.pairs {
      let paths = (old: prefixes.old + before.name, new: prefixes.new + after.name)
      if before.type == .composite, after.type == .composite {
        match(before.elements, after.elements, under: (paths.old + ".", paths.new + "."))
      } else if let source = Self.onlyLeaf(of: before, at: paths.old),
        let path = Self.onlyLeaf(of: after, at: paths.new)
      {
        sources[path] = source
      }
    }
  }

  /// Pairs attributes that moved into a composite or out of one.
  private mutating func matchMoved(_ old: [AttributeDescription], _ new: [AttributeDescription]) {
    let inDoubt = (old: Set(doubts.flatMap(\.old)), new: Set(doubts.flatMap(\.new)))
    let paired = Set(sources.values)
    let former = Self.leaves(of: old).filter {
      !paired.contains($0.path) && !inDoubt.old.contains($0.path)
    }
    var left = Set(former.map(\.path))
    for (path, attribute) in Self.leaves(of: new)
    where sources[path] == nil && !inDoubt.new.contains(path) {
      guard let source = attribute.renamingIdentifier, left.remove(source) != nil else { continue }
      sources[path] = source
    }
    let open = Set(Self.leaves(of: new).map(\.path)).subtracting(inDoubt.new)
    for (path, attribute) in former where left.contains(path) {
      guard let successor = attribute.renamingIdentifier, open.contains(successor),
        sources[successor] == nil
      else { continue }
      sources[successor] = path
    }
  }

  private static func leaves(
    of attributes: [AttributeDescription], under prefix: String = ""
  ) -> [(path: String, attribute: AttributeDescription)] {
    attributes.flatMap { attribute in
      attribute.type == .composite
        ? leaves(of: attribute.elements, under: "\(prefix)\(attribute.name).")
        : [(prefix + attribute.name, attribute)]
    }
  }

  /// The path of a plain attribute, or of the single member of a composite.
  private static func onlyLeaf(of attribute: AttributeDescription, at path: String) -> String? {
    guard attribute.type == .composite else { return path }
    let leaves = leaves(of: attribute.elements, under: path + ".")
    return leaves.count == 1 ? leaves[0].path : nil
  }
}
