// SPDX-License-Identifier: MIT
public import Foundation
public import SporadesModel

/// The entities of an application, which may be changed until a coordinator uses them.
open class NSManagedObjectModel: NSObject, NSCopying {
  private var ownEntities: [NSEntityDescription] = []
  private var configurationNames: [String: [String]] = [:]
  private var templates: [String: NSFetchRequest<any NSFetchRequestResult>] = [:]
  private var identifiers: Set<AnyHashable> = []
  /// The model as the library has it, from its first use on.
  private var built: ManagedObjectModel?

  /// Makes a model without entities.
  public override init() { super.init() }

  /// Makes a model of one that the library has read.
  public init(_ model: ManagedObjectModel) {
    super.init()
    let reader = DescriptionReader(model)
    ownEntities = reader.entities
    for entity in ownEntities { entity.owner = self }
    configurationNames = model.configurations
    identifiers = Set(model.versionIdentifiers.map { AnyHashable($0) })
    templates = model.fetchRequestTemplates.mapValues { NSFetchRequest($0, in: self) }
    built = model
  }

  /// The entities, each with a separate description.
  public var entities: [NSEntityDescription] {
    get { ownEntities }
    set {
      refuseChange()
      for entity in ownEntities { entity.owner = nil }
      ownEntities = newValue
      for entity in newValue { entity.owner = self }
    }
  }

  /// The entities by their names.
  public var entitiesByName: [String: NSEntityDescription] {
    Dictionary(ownEntities.map { ($0.name ?? "", $0) }) { first, _ in first }
  }

  /// The names of the configurations.
  public var configurations: [String] { configurationNames.keys.sorted() }

  /// The entities of a configuration; nil names all of them.
  public func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
    guard let configuration, configuration != "PF_DEFAULT_CONFIGURATION_NAME" else {
      return entities
    }
    let known = entitiesByName
    return configurationNames[configuration].map { $0.compactMap { known[$0] } }
  }

  /// Gives a configuration its entities.
  public func setEntities(
    _ entities: [NSEntityDescription], forConfigurationName configuration: String
  ) {
    refuseChange()
    configurationNames[configuration] = entities.map { $0.requiredName }
  }

  /// The names of this version of the model.
  public var versionIdentifiers: Set<AnyHashable> {
    get { identifiers }
    set {
      refuseChange()
      identifiers = newValue
    }
  }

  /// The requests that the model keeps, by their names.
  public var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
    templates
  }

  /// The request that the model keeps under a name.
  public func fetchRequestTemplate(
    forName name: String
  ) -> NSFetchRequest<any NSFetchRequestResult>? { templates[name] }

  /// Keeps a request under a name, or forgets the one that it has.
  public func setFetchRequestTemplate(
    _ request: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
  ) {
    refuseChange()
    templates[name] = request
  }

  /// A copy of the request under a name, with values in place of its variables.
  public func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    guard let request = templates[name]?.untypedCopy() else { return nil }
    request.predicate = request.predicate?.withSubstitutionVariables(variables)
    return request
  }

  /// The words for the names of the model in messages, which the application sets.
  public var localizationDictionary: [String: String]?

  // MARK: - The model of the library

  /// The model as the library has it. From the first call on, the entities cannot be changed.
  public func managedObjectModel() throws -> ManagedObjectModel {
    let model = try current()
    built = model
    return model
  }

  /// The model as it is now. The entities can still be changed.
  private func current() throws -> ManagedObjectModel {
    if let built { return built }
    do {
      return try ManagedObjectModel(
        entities: ownEntities.map { try $0.described() }, configurations: configurationNames,
        fetchRequestTemplates: try templates.mapValues { try $0.request() },
        versionIdentifiers: Set(identifiers.map { "\($0.base)" }))
    } catch {
      throw NSError.coreData(error)
    }
  }

  /// The model, for answers that cannot throw.
  func built(for purpose: String) -> ManagedObjectModel {
    do { return try managedObjectModel() } catch {
      trap("\(purpose): \(error.localizedDescription)")
    }
  }

  /// Whether a coordinator or a hash has used the model.
  var isInUse: Bool { built != nil }

  func refuseChange() {
    trap(
      unless: !isInUse,
      "A model was changed that a coordinator uses already. Change a copy of it, and make another coordinator."
    )
  }

  /// A copy that can be changed.
  open func copy(with zone: NSZone? = nil) -> Any {
    do {
      let copy = NSManagedObjectModel(try current())
      copy.built = nil
      return copy
    } catch {
      trap("The model cannot be copied: \(error.localizedDescription)")
    }
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectModel else { return false }
    if other === self { return true }
    // `try?`: a model with mistakes equals itself alone.
    guard let own = try? current(), let theirs = try? other.current() else {
      return false
    }
    return own == theirs
  }

  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(ownEntities.map(\.name))
    return hasher.finalize()
  }
}
