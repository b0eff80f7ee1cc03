// SPDX-License-Identifier: MIT

/// The settings for a store that another version of the model wrote.
public struct MigrationOptions: Hashable, Sendable {
  /// Changes the store when it is opened. If this is false, such a store is refused.
  public var isAutomatic = true
  /// Finds out from the two models what becomes of each property. If this is false, only a given mapping or plan
  /// changes the store.
  public var infersMapping = true
  /// The known versions of the model, the oldest first. Renamed parts are followed through them. A store of a later
  /// version than the program's is refused.
  public var versions: [ManagedObjectModel] = []
  /// Which content a migration may remove. A migration that would remove other content is refused, and the error tells
  /// how much there is of what.
  public var losses = Losses.declared
  /// Leaves the values of removed attributes in the file for now, so that a large store opens sooner.
  /// `finishDeferredMigration()` of the store removes them.
  public var defersCleanup = false
  /// Keeps a copy of the store as it was, beside it: `Shop-before-1.sqlite`.
  public var keepsCopy = false
  /// Sets a store that cannot be migrated aside, as `Shop-before-1.sqlite`, and begins with an empty one. Meant for
  /// caches, whose content the program can get again.
  public var startsAnewIfImpossible = false
  /// The time to wait while another process migrates the store.
  public var patienceMilliseconds = 600_000
  /// Hears how far a migration is, and can cancel it.
  public var progress: MigrationProgress?

  /// Settings that migrate every store when it is opened.
  public init() {}

  /// A plan belongs to the options of the store.
  @available(
    *, unavailable,
    message: "A plan belongs to the store's options, beside migration: options.migrationPlan = plan"
  )
  public var plan: Any? {
    get { nil }
    set {}
  }

  /// The content of a store that a migration may remove: objects of entities and values of properties that the newer
  /// version lacks.
  public enum Losses: Hashable, Sendable {
    /// None.
    case refused
    /// Content that the program has removed on purpose: between two versions that it names both, in
    /// ``MigrationOptions/versions``,
    /// in a model file or in a plan. Or all, if the store as it was is kept, or is one that can be made anew.
    ///
    /// Where a program names its present entities alone, an entity that somebody forgot to list looks like one that was
    /// removed.
    case declared
    /// All that the newer version has no place for.
    case allowed
  }

  /// Whether a migration may remove content. `isDeclared` says that the program names both versions.
  package func allowsLosses(isDeclared: Bool) -> Bool {
    switch losses {
    case .refused: false
    case .declared: isDeclared || keepsCopy || startsAnewIfImpossible
    case .allowed: true
    }
  }

  /// Settings that refuse a store of another version.
  public static var off: MigrationOptions {
    var options = MigrationOptions()
    options.isAutomatic = false
    return options
  }
}
