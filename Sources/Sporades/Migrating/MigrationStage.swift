// SPDX-License-Identifier: MIT
public import SporadesGraph
import SporadesModel
import SporadesSQLite

/// The way from one version of a model to the next.
public struct MigrationStage: Sendable {
  /// The name of the stage in progress and errors.
  public var label: String
  let source: Version
  let destination: Version
  /// Nil if the changes are inferred, and nothing else happens.
  let code: Code?
  /// The program does not name the stage. It leads from the last version of a plan to the program's model.
  var isGuessed = false

  /// Code that works on the objects of a store. The objects are saved when it returns.
  public typealias ContextWork = @Sendable (ManagedObjectContext) throws -> Void

  /// The program's part in a stage.
  enum Code: Sendable {
    case custom(@Sendable () -> ContextCode)
    case rows([RowWork])
    case work(any StageWork)
  }

  /// Code on objects, made anew for each run of the stage, so that values of one run do not reach another.
  struct ContextCode: Sendable {
    var willMigrate: ContextWork?
    var didMigrate: ContextWork?
  }

  /// A version, and the classes of its objects.
  package struct Version: Sendable {
    let model: @Sendable () throws(ModelError) -> ManagedObjectModel
    /// Nil if the model must be read to know it.
    private let knownChecksum: String?
    let classes: [ManagedObject.Type]
    /// The name of the type that declares the version; nil for a model.
    private let schemaName: String?

    /// The version in an error: the name of its type, or the beginning of its checksum.
    func name(inConfiguration configuration: String?) -> String {
      if let schemaName { return schemaName }
      // `try?`, because the name goes into the error of something else. That a version cannot be read is an error of its own.
      let checksum = try? checksum(inConfiguration: configuration)
      return checksum.map { "the version with the checksum \($0.prefix(8))…" }
        ?? "an unreadable version"
    }

    package init(_ version: some ModelVersion) {
      let reference = version.reference
      model = { () throws(ModelError) in try reference.resolvedModel }
      knownChecksum = reference.versionChecksum
      classes = []
      schemaName = nil
    }

    package init(_ schema: any VersionedSchema.Type) {
      let classes = schema.entities
      self.classes = classes
      schemaName = "\(schema)"
      model = { () throws(ModelError) in try ManagedObjectModel(classes) }
      knownChecksum = nil
    }

    /// The checksum of the entities that a store keeps. A reference to a file is read only for a configuration.
    func checksum(inConfiguration name: String?) throws(ModelError) -> String {
      if name == nil, let knownChecksum { return knownChecksum }
      let model = try model()
      // A version without the configuration equals no store.
      return model.versionChecksum(inConfiguration: name) ?? ""
    }
  }

  /// The stage in an error: its label, and its versions.
  func name(inConfiguration configuration: String?) -> String {
    let versions =
      "from \(source.name(inConfiguration: configuration)) to \(destination.name(inConfiguration: configuration))"
    return label.isEmpty ? "stage \(versions)" : "stage \"\(label)\" \(versions)"
  }

  init(_ label: String, _ source: Version, _ destination: Version, _ code: Code? = nil) {
    self.label = label
    self.source = source
    self.destination = destination
    self.code = code
  }

  /// A stage whose work is not the keep's; nil if its changes are inferred. `isGuessed` says that the program does not name the
  /// stage.
  package init(
    _ label: String, from source: Version, to destination: Version, _ work: (any StageWork)?,
    isGuessed: Bool = false
  ) {
    self.init(label, source, destination, work.map { .work($0) })
    self.isGuessed = isGuessed
  }
}
