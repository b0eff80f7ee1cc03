// SPDX-License-Identifier: MIT
import SporadesArchives
import SporadesModel

/// Makes a mapping model of the objects in Xcode's mapping file.
///
/// Rules:
/// 1. Objects that the mapping model does not lead to are left-overs of Xcode, and are passed over.
/// 2. A property without an expression is automatic if its entity mapping generates expressions.
/// 3. The reader reports every problem of the file, each with its line.
struct MappingReader {
  private let file: String
  private let objects: [String: XMLStoreObject]
  private var problems: [ModelError.Problem] = []
  private var properties = 0

  private init(_ objects: [String: XMLStoreObject], file: String) {
    self.objects = objects
    self.file = file
  }

  static func read(_ root: ModelElement, file: String) throws(ModelError) -> MappingFile {
    guard root.name == "database" else {
      throw refusal(
        file, root.line,
        "contains <\(root.name)> and is no mapping model; name the xcmapping.xml of one")
    }
    var objects: [String: XMLStoreObject] = [:]
    for element in root.children("object") {
      guard let object = XMLStoreObject(element) else {
        throw refusal(file, element.line, "has an object without an id or a type; restore it")
      }
      guard objects.updateValue(object, forKey: object.id) == nil else {
        throw refusal(file, object.line, "has two objects \(object.id); restore it")
      }
    }
    let models = objects.values.filter { $0.type == "XDDEVMAPPINGMODEL" }
    guard models.count == 1, let model = models.first else {
      throw refusal(
        file, root.line, "has \(models.count) mapping models instead of one; restore it")
    }
    var reader = MappingReader(objects, file: file)
    let found = reader.read(model)
    guard reader.problems.isEmpty else { throw ModelError(reader.problems) }
    return found
  }

  private static func refusal(_ file: String, _ line: Int, _ detail: String) -> ModelError {
    ModelError([
      .init(
        .malformedFile, location: .init(file: file, line: line), "The mapping file \(detail).")
    ])
  }

  private mutating func report(_ object: XMLStoreObject, _ detail: String) {
    problems.append(
      .init(.malformedFile, location: .init(file: file, line: object.line), detail))
  }

  // MARK: - Objects

  private mutating func read(_ model: XMLStoreObject) -> MappingFile {
    let mappings = linked(model, "entitymappings", "XDDEVENTITYMAPPING").map { object in
      (object.integer("mappingnumber") ?? .max, readEntityMapping(object))
    }
    return MappingFile(
      mappings: MappingModel(mappings.sorted { $0.0 < $1.0 }.map(\.1)),
      sourcePath: model.text("sourcemodelpath"),
      destinationPath: model.text("destinationmodelpath"),
      source: readVersion(model, "sourcemodeldata"),
      destination: readVersion(model, "destinationmodeldata"))
  }

  private mutating func readVersion(_ model: XMLStoreObject, _ name: String) -> MappedVersion? {
    guard model.hasValue(name) else { return nil }
    return decode(model, name) { bytes throws(PropertyListError) in try MappedVersion(bytes) }
  }

  /// The objects that a relationship leads to. Of hostile files that name one object very often, only the
  /// first million are read.
  private mutating func linked(
    _ object: XMLStoreObject, _ name: String, _ type: String
  ) -> [XMLStoreObject] {
    var found: [XMLStoreObject] = []
    for id in object.ids(name) {
      properties += 1
      guard properties <= ModelFileLimit.elements else {
        if properties == ModelFileLimit.elements + 1 {
          report(object, "The mapping file has more mappings than any real one; shorten it.")
        }
        break
      }
      guard let other = objects[id], other.type == type else {
        report(object, "\(object.id) leads to \(id), which the file does not have; restore it.")
        continue
      }
      found.append(other)
    }
    return found
  }

  private mutating func readEntityMapping(_ object: XMLStoreObject) -> EntityMapping {
    let source = object.text("sourcename")
    let isAutomatic = object.flag("autogenerateexpression")
    var mapping = EntityMapping(
      object.text("name"), from: source, to: object.text("destinationname"),
      policy: object.text("migrationpolicyclassname"))
    mapping.kind = Self.kinds[object.text("mappingtypename") ?? ""] ?? .undefined
    if let source {
      mapping.sourceExpression = .sourceObjects(
        ofEntity: source, where: object.text("sourcefilterpredicatestring") ?? "TRUEPREDICATE")
    }
    if object.hasValue("userinfodata") {
      mapping.userInfo =
        decode(object, "userinfodata") { bytes throws(PropertyListError) in
          try MappingUnarchiver.notes(bytes)
        } ?? [:]
    }
    mapping.attributeMappings = linked(
      object, "attributemappings", "XDDEVATTRIBUTEMAPPING"
    ).map { readProperty($0, isAutomatic: isAutomatic && source != nil) }
    mapping.relationshipMappings = linked(
      object, "relationshipmappings", "XDDEVRELATIONSHIPMAPPING"
    ).map {
      readProperty(
        $0, isAutomatic: source != nil && (isAutomatic || $0.flag("autogenerateexpression")))
    }
    return mapping
  }

  private static let kinds: [String: EntityMapping.Kind] = [
    "Custom": .custom, "Add": .add, "Remove": .remove, "Copy": .copy, "Transform": .transform,
  ]

  // MARK: - Properties

  private mutating func readProperty(
    _ object: XMLStoreObject, isAutomatic: Bool
  ) -> PropertyMapping {
    guard let name = object.text("name") else {
      report(object, "\(object.id) maps a property without a name; restore it.")
      return PropertyMapping("")
    }
    return PropertyMapping(name, readExpression(object, isAutomatic: isAutomatic))
  }

  private mutating func readExpression(
    _ object: XMLStoreObject, isAutomatic: Bool
  ) -> MappingExpression? {
    if object.hasValue("valueexpressiondata") {
      return decode(object, "valueexpressiondata") { bytes throws(PropertyListError) in
        try MappingUnarchiver.expression(bytes)
      }
    }
    if let mapping = object.text("sourcemappingname") {
      // Xcode makes an expression of the two fields only if both are filled in.
      guard let path = object.text("sourcekeypath") else { return nil }
      do throws(FetchPredicateError) {
        return .destinationInstances(
          forEntityMappingNamed: mapping, of: try MappingExpression(format: path))
      } catch {
        report(object, "The key path \(path) cannot be read. \(error.detail)")
        return nil
      }
    }
    return isAutomatic ? .automatic : nil
  }

  private mutating func decode<Output>(
    _ object: XMLStoreObject, _ name: String,
    _ read: ([UInt8]) throws(PropertyListError) -> Output
  ) -> Output? {
    guard let bytes = object.bytes(name) else {
      report(object, "\(object.id).\(name) is not in base 64; restore the file.")
      return nil
    }
    do throws(PropertyListError) { return try read(bytes) } catch {
      report(object, "\(object.id).\(name) cannot be read: \(error.reason).")
      return nil
    }
  }
}
