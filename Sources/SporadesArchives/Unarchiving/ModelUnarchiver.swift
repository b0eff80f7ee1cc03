// SPDX-License-Identifier: MIT
package import SporadesModel

/// Makes a model of the archive that Apple's tools compile it to, and that stores keep.
///
/// Rules:
/// 1. The reader makes no instance of a class. It takes the fields that it knows, and never looks at objects
///    of other classes.
/// 2. A part that decides the form of stores and cannot be read is a problem. Any other part that cannot be
///    read is left out with a warning.
/// 3. Entities and properties come in the order of their names: an archive keeps no other.
package struct ModelUnarchiver {
  /// The largest number of bytes of an archive. The largest real one is a hundredth of that.
  package static let byteLimit = 64 << 20
  /// The largest depth of composites.
  static let depthLimit = 32

  var warnings: [ModelWarning] = []

  private init() {}

  /// Reads an archive. `source` names it in errors: the path of a file or store.
  package static func read(_ bytes: [UInt8], source: String) throws(ModelError) -> ModelReading {
    let reading: Result<ModelReading, ModelError>
    do throws(PropertyListError) {
      var reader = ModelUnarchiver()
      reading = try reader.read(try KeyedArchive(bytes).root)
    } catch {
      throw refusal(error, source)
    }
    return try reading.get()
  }

  /// Reads the compressed archive that a store keeps.
  package static func read(
    deflated bytes: [UInt8], source: String
  ) throws(ModelError) -> ModelReading {
    let archive: [UInt8]
    do throws(PropertyListError) {
      archive = try DeflatedBytes.inflate(bytes, limit: byteLimit)
    } catch {
      throw refusal(error, source)
    }
    return try read(archive, source: source)
  }

  private static func refusal(_ error: PropertyListError, _ source: String) -> ModelError {
    ModelError([
      .init(.malformedFile, "The model in \(source) cannot be read: \(error.reason).")
    ])
  }

  // MARK: - Model

  private mutating func read(
    _ model: ArchivedValue
  ) throws(PropertyListError) -> Result<ModelReading, ModelError> {
    guard try model.className == "NSManagedObjectModel" else {
      throw PropertyListError("it contains the class \(try model.className) and no model")
    }
    var entities: [EntityDescription] = []
    for (_, entity) in try Self.entries(model["NSEntities"]) {
      entities.append(try read(entity: entity))
    }
    entities = entities.inByteOrder { $0.name }
    let repair = ModelRepair(
      entities: entities, configurations: try readConfigurations(model),
      templates: try readTemplates(model))
    warnings += repair.warnings
    let identifiers = try Self.texts(model["NSVersionIdentifiers"])
    return Result { () throws(ModelError) in
      ModelReading(
        model: try ManagedObjectModel(
          entities: repair.entities, configurations: repair.configurations,
          fetchRequestTemplates: repair.templates, versionIdentifiers: Set(identifiers)),
        warnings: warnings)
    }
  }

  private func readConfigurations(
    _ model: ArchivedValue
  ) throws(PropertyListError) -> [String: [String]] {
    var configurations: [String: [String]] = [:]
    for (name, members) in try Self.entries(model["NSConfigurations"])
    where name != ManagedObjectModel.defaultConfigurationName {
      var names: [String] = []
      for member in try members.items ?? [] {
        names.append(try Self.text(member.field("NSEntityName")))
      }
      configurations[name] = names.inByteOrder()
    }
    return configurations
  }

  private mutating func readTemplates(
    _ model: ArchivedValue
  ) throws(PropertyListError) -> [String: FetchRequest] {
    var templates: [String: FetchRequest] = [:]
    for (name, request) in try Self.entries(model["NSFetchRequestTemplates"]) {
      templates[name] = try read(request: request, nil, name, orElse: "The template is left out.")
    }
    return templates
  }

  // MARK: - Fields

  mutating func warn(
    _ code: ModelError.Code, _ entity: String?, _ property: String?, _ detail: String
  ) {
    warnings.append(.init(code, entity: entity, property: property, detail))
  }

  package static func text(_ value: ArchivedValue) throws(PropertyListError) -> String {
    guard let text = try value.text else {
      throw PropertyListError("a name is of the class \(try value.className) and no text")
    }
    return text
  }

  package static func optionalText(_ value: ArchivedValue?) throws(PropertyListError) -> String? {
    guard let value else { return nil }
    return try text(value)
  }

  package static func integer<Number: FixedWidthInteger>(
    _ value: ArchivedValue?, orElse missing: Number
  ) throws(PropertyListError) -> Number {
    guard let value else { return missing }
    guard let number = value.integer.flatMap({ Number(exactly: $0) }) else {
      throw PropertyListError("a field that counts holds no whole number of its size")
    }
    return number
  }

  package static func flag(_ value: ArchivedValue?) throws(PropertyListError) -> Bool {
    try integer(value, orElse: Int64(0)) != 0
  }

  /// The entries of a dictionary with texts as keys. There are none where the field is missing.
  static func entries(
    _ value: ArchivedValue?
  ) throws(PropertyListError) -> [(name: String, value: ArchivedValue)] {
    guard let value else { return [] }
    guard let entries = try value.entries else {
      throw PropertyListError("a dictionary is of the class \(try value.className)")
    }
    var named: [(name: String, value: ArchivedValue)] = []
    for entry in entries { named.append((try text(entry.key), entry.value)) }
    return named
  }

  /// The items of a list. There are none where the field is missing.
  package static func items(_ value: ArchivedValue?) throws(PropertyListError) -> [ArchivedValue] {
    guard let value else { return [] }
    guard let items = try value.items else {
      throw PropertyListError("a list is of the class \(try value.className)")
    }
    return items
  }

  static func texts(_ value: ArchivedValue?) throws(PropertyListError) -> [String] {
    var texts: [String] = []
    for item in try items(value) { texts.append(try text(item)) }
    return texts
  }
}
