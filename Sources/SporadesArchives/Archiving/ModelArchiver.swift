// SPDX-License-Identifier: MIT
package import SporadesModel

/// Makes the archive of a model: what Apple's tools compile a model to, and what stores keep.
///
/// Rules:
/// 1. Every class and field is one that archives of Apple's frameworks show. A part whose archived form no
///    such archive shows is left out, and ``omissions`` names it. None of these decides the form of stores.
/// 2. In a store's archive, an entity has its own properties and those it inherits, and a relationship leads to
///    its inverse in the entity that it names as its destination. In a compiled file, each property is in the
///    entity that declares it.
package struct ModelArchiver {
  typealias Reference = KeyedArchiveWriter.Reference

  /// Where the archive lies.
  package enum Form {
    /// In a store, as the framework keeps its model.
    case stored
    /// In a `.mom` file, as Xcode's compiler makes it.
    case compiled
  }

  /// The parts that were left out.
  package private(set) var omissions: [ModelWarning] = []

  let model: ManagedObjectModel
  let form: Form
  var writer = KeyedArchiveWriter()
  private(set) var entities: [String: Reference] = [:]
  var properties: [PropertyPlace: Reference] = [:]
  private(set) var modelReference = Reference.nothing
  private(set) var noNotes = Reference.nothing

  /// A property of an entity, its own or inherited.
  struct PropertyPlace: Hashable {
    let entity: String
    let property: String
  }

  private init(_ model: ManagedObjectModel, _ form: Form) {
    self.model = model
    self.form = form
  }

  /// The archive of a model, and the parts that it leaves out.
  package static func archive(
    _ model: ManagedObjectModel, form: Form = .stored
  ) -> (bytes: [UInt8], omissions: [ModelWarning]) {
    var archiver = ModelArchiver(model, form)
    let root = archiver.archive()
    return (archiver.writer.bytes(root: root), archiver.omissions)
  }

  /// The archive in the compressed form in which a store keeps it.
  package static func deflated(_ model: ManagedObjectModel) throws(PropertyListError) -> [UInt8] {
    try DeflatedBytes.deflate(archive(model).bytes)
  }

  // MARK: - Model

  private mutating func archive() -> Reference {
    modelReference = writer.reserve()
    noNotes = writer.dictionary([], .dictionary)
    let sorted = model.entities.inByteOrder { $0.name }
    for entity in sorted {
      entities[entity.name] = writer.reserve()
      for property in storedNames(of: entity) {
        properties[PropertyPlace(entity: entity.name, property: property)] = writer.reserve()
      }
    }
    for entity in sorted { archive(entity) }
    var fields: [PropertyListTree.Entry] = [
      .init("NSEntities", form == .stored ? knownKeys(sorted) : plainKeys(sorted)),
      .init("NSFetchRequestTemplates", archiveTemplates()),
      .init("NSVersionIdentifiers", archiveIdentifiers()),
    ]
    if !model.configurations.isEmpty {
      fields.append(.init("NSConfigurations", archiveConfigurations()))
    }
    writer.fill(modelReference, ArchivedClass("NSManagedObjectModel"), fields)
    return modelReference
  }

  /// The entities in a dictionary whose keys are known before its values.
  private mutating func knownKeys(_ sorted: [EntityDescription]) -> Reference {
    let keys = writer.list(sorted.map { writer.text($0.name) }, .array)
    let mapping = writer.object(
      ArchivedClass("NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy"),
      [
        .init("length", .integer(Int64(sorted.count))), .init("version", .integer(1)),
        .init("keys", keys),
      ])
    let values = writer.list(sorted.map { entities[$0.name] ?? .nothing }, .array)
    return writer.object(
      ArchivedClass(
        "NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary"),
      [
        .init("version", .integer(1)), .init("searchMapping", mapping), .init("values", values),
        .init("emptyToken", writer.text("__empty_slot_token_4c24_98dc_ac1e_b773__")),
      ])
  }

  private mutating func plainKeys(_ sorted: [EntityDescription]) -> Reference {
    var entries: [(key: Reference, value: Reference)] = []
    for entity in sorted {
      entries.append((writer.text(entity.name), entities[entity.name] ?? .nothing))
    }
    return writer.dictionary(entries)
  }

  private mutating func archiveIdentifiers() -> Reference {
    writer.list(model.versionIdentifiers.inOrder().map { writer.text($0) }, .set)
  }

  private mutating func archiveConfigurations() -> Reference {
    var entries: [(key: Reference, value: Reference)] = []
    for (name, members) in model.configurations.inOrder {
      let members = writer.list(members.map { entities[$0] ?? .nothing }, .set)
      entries.append((writer.text(name), members))
    }
    return writer.dictionary(entries)
  }

  private mutating func archiveTemplates() -> Reference {
    guard !model.fetchRequestTemplates.isEmpty else { return .nothing }
    var entries: [(key: Reference, value: Reference)] = []
    for (name, request) in model.fetchRequestTemplates.inOrder {
      guard let request = archive(request, nil, name) else { continue }
      entries.append((writer.text(name), request))
    }
    return writer.dictionary(entries)
  }

  // MARK: - Lookups

  /// The names of the attributes and relationships that the archive has within an entity.
  private func storedNames(of entity: EntityDescription) -> [String] {
    let family = owners(of: entity)
    let names =
      family.flatMap(\.attributes).map(\.name) + family.flatMap(\.relationships).map(\.name)
    return names.inByteOrder()
  }

  /// The entity and the entities it inherits from.
  func family(of entity: EntityDescription) -> [EntityDescription] {
    let parent = entity.superentityName.flatMap { model.entitiesByName[$0] }
    return (parent.map(family) ?? []) + [entity]
  }

  /// The entities whose properties the archive has within an entity.
  func owners(of entity: EntityDescription) -> [EntityDescription] {
    form == .stored ? family(of: entity) : [entity]
  }

  /// The property of an entity, its own or an inherited one.
  func property(_ name: String, of entity: String) -> Reference? {
    if let place = properties[PropertyPlace(entity: entity, property: name)] { return place }
    guard form == .compiled, let above = model.entitiesByName[entity]?.superentityName else {
      return nil
    }
    return property(name, of: above)
  }

  mutating func omit(
    _ code: ModelError.Code, _ entity: String?, _ property: String?, _ detail: String
  ) {
    omissions.append(.init(code, entity: entity, property: property, detail))
  }

  /// The notes of an author.
  mutating func archive(notes: [String: String]) -> Reference {
    guard !notes.isEmpty else { return noNotes }
    let entries = notes.inOrder.map {
      (writer.text($0.key), writer.text($0.value))
    }
    return writer.dictionary(entries, .dictionary)
  }
}
