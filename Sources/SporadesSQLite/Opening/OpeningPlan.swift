// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// The third stage of opening: the plan for the file at a path. Making a plan changes nothing.
package enum OpeningPlan: Sendable {
  /// Create a file, and a store in it.
  case makeFile
  /// Create the tables of a store in a database without tables.
  case makeTables
  /// Open the store unchanged.
  case open(StoreIdentity)
  /// Change the store to the program's version of the model, and open it.
  case migrate(StoreIdentity)
  case refuse(StoreError)

  /// Inspects a file and returns a plan. The file and its folder stay as ``StoreContent/read(at:)`` leaves
  /// them.
  package static func read(
    at path: String, _ model: ManagedObjectModel, _ options: SQLiteStoreOptions
  ) throws(StoreError) -> OpeningPlan {
    let content = try StoreContent.read(at: path)
    if case .nothing = content {
    } else if let error = options.lackOfPermission(at: path) {
      return .refuse(error)
    }
    return OpeningPlan(for: content, at: path, model, options)
  }

  /// A nil path stands for a database in memory, which is created even if the options forbid new files.
  package init(
    for content: StoreContent, at path: String?, _ model: ManagedObjectModel,
    _ options: SQLiteStoreOptions
  ) {
    let makesStore = !options.isReadOnly && (options.createsFile || path == nil)
    let place = path ?? "The database in memory"
    self =
      switch content {
      case .nothing where makesStore: .makeFile
      case .nothing:
        .refuse(
          StoreError(
            .cannotOpen,
            "There is no store at \(place), and the options forbid creating one."))
      case .empty: makesStore ? .makeTables : .refuse(.emptyFile(place))
      case .unreadable(let error): .refuse(error)
      case .store(let identity): Self.plan(for: identity, at: path, model, options)
      }
  }

  private static func plan(
    for identity: StoreIdentity, at path: String?, _ model: ManagedObjectModel,
    _ options: SQLiteStoreOptions
  ) -> OpeningPlan {
    let compatibility = StoreCompatibility(
      of: identity.metadata, with: model, configuration: options.configuration)
    guard options.checksModel, compatibility != .same else { return .open(identity) }
    let migrates =
      path != nil && !options.isReadOnly && options.migration.isAutomatic
      && !identity.isOfAnotherConfiguration(of: model)
    if case .different = compatibility, migrates, options.migrationPlan != nil {
      return .migrate(identity)
    }
    if case .different = compatibility, migrates, options.migration.infersMapping {
      return FormerModel.downgrade(identity, to: model, options).map { .refuse($0) }
        ?? .migrate(identity)
    }
    // `try?`, because the refusal names the entities without the carried model, too.
    let carried = path.flatMap { try? CachedModel.read(at: $0)?.model }
    return compatibility.refusal(of: model, carried: carried).map { .refuse($0) } ?? .open(identity)
  }

  /// The error, if the plan is a refusal.
  package var refusal: StoreError? { if case .refuse(let error) = self { error } else { nil } }
}

extension StoreIdentity {
  /// Whether the store has the rows of some configuration of the model. Such a store is of the same version, and
  /// opening it with another configuration is a mistake that would remove rows.
  fileprivate func isOfAnotherConfiguration(of model: ManagedObjectModel) -> Bool {
    ([nil] + model.configurations.keys.inOrder()).contains {
      StoreCompatibility(of: metadata, with: model, configuration: $0) == .same
    }
  }
}

extension OpeningPlan: CustomStringConvertible {
  package var description: String {
    switch self {
    case .makeFile: "create a file with a store"
    case .makeTables: "create a store in the empty file"
    case .open(let identity): "open the store \(identity.identifier) unchanged"
    case .migrate(let identity): "change the store \(identity.identifier) to the model, and open it"
    case .refuse(let error): "refuse: \(error.detail)"
    }
  }
}

extension SQLiteStoreOptions {
  /// The reason that an existing file cannot be opened for writing; nil if it can, or if it is opened for
  /// reading only.
  func lackOfPermission(at path: String) -> StoreError? {
    guard !isReadOnly, !SystemFile.isWritable(path) else { return nil }
    return StoreError(
      .cannotOpen, "This process may not write the store at \(path). Open it for reading only.")
  }
}
