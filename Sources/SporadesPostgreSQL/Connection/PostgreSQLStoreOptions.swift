// SPDX-License-Identifier: MIT
public import SporadesModel
public import SporadesStore

/// The settings of a store on PostgreSQL.
public struct PostgreSQLStoreOptions: Sendable {
  /// The schema that holds the store's tables. It is made where it is missing.
  public var schema: String
  /// The servers that take reads.
  public var reads: PostgreSQLReads
  /// The largest number of connections for reads to each server. One more writes.
  public var readerCount: Int
  /// Connections that the store shares with others; nil for a store that has its own. It then keeps none, reads from the primary,
  /// and has no use for `readerCount` and `signalsCommits`.
  public var connections: PostgreSQLConnections?
  /// How long the store waits for a connection.
  public var connectTimeout: Duration
  /// How long the store tries to connect again after its connection was lost, and to write again after a deadlock.
  public var reconnectTimeout: Duration
  /// The longest time that the server spends on one statement; nil for the server's own limit. Opening the store has none of
  /// its own.
  public var statementTimeout: Duration?

  /// The distance between two looks for the commits of other processes, while somebody wants to hear of them.
  public var pollInterval: Duration

  /// Stores have the server tell each other of their commits, so that they are heard of within milliseconds and not at the next
  /// look. Each store that listens then has one more connection. It helps only where those who commit have it on, too.
  public var signalsCommits = false

  /// The treatment of a store that another version of the model wrote. By default, the store is changed when it is opened.
  /// Its `keepsCopy` and `startsAnewIfImpossible` are for files.
  public var migration = MigrationOptions()

  /// Whether the store keeps a history of its saves, which other programs and later runs can read. Programs that have the
  /// store open when it gets one commit nothing any more until they open it again.
  public var persistentHistory = HistoryTracking.asInFile
  /// The identifier of the program's bundle, which the history names; nil if the program has none.
  public var bundleIdentifier: String?

  /// The plan by which a store of another version is migrated; nil infers the changes from the two versions.
  package var stages: ServerStages?
  /// The tables of another module beside those of the rows; nil for none.
  package var companions: (any ServerCompanions)?

  /// Refuses what needs connections of the store's own.
  func check() throws(StoreError) {
    guard connections != nil, signalsCommits || reads != .primary else { return }
    let refused = signalsCommits ? "signalsCommits" : "reads: .replicas"
    throw StoreError(
      .unsupported,
      "\(schema): \(refused) takes connections of the store's own, and stores that share theirs have none. Open the store without "
        + "\(refused), or without connections.")
  }

  /// Describes a store.
  public init(
    schema: String = "public", reads: PostgreSQLReads = .primary, readerCount: Int = 4,
    connectTimeout: Duration = .seconds(10),
    reconnectTimeout: Duration = .seconds(30), statementTimeout: Duration? = nil,
    pollInterval: Duration = .milliseconds(100)
  ) {
    self.schema = schema
    self.reads = reads
    self.readerCount = readerCount
    self.connectTimeout = connectTimeout
    self.reconnectTimeout = reconnectTimeout
    self.statementTimeout = statementTimeout
    self.pollInterval = pollInterval
  }
}

/// What a plan does with a store on a server. SporadesServerStages makes it, so that programs without plans contain none of it.
package final class ServerStages: Sendable {
  package typealias Address = (address: String, options: PostgreSQLStoreOptions)
  package typealias Migrating =
    @Sendable (ServerConnection, Address, ManagedObjectModel) throws(StoreError) -> Void
  package typealias Forecasting =
    @Sendable (ServerConnection, Address, ManagedObjectModel) throws(StoreError) ->
    MigrationForecast

  package let plan: any AnyObject & Sendable
  let migrate: Migrating
  let forecast: Forecasting
  /// The checksums of the plan's versions before a model.
  let earlier: @Sendable (ManagedObjectModel) -> [String]

  package init(
    plan: any AnyObject & Sendable, migrate: @escaping Migrating,
    forecast: @escaping Forecasting,
    earlier: @escaping @Sendable (ManagedObjectModel) -> [String]
  ) {
    (self.plan, self.migrate, self.forecast, self.earlier) = (plan, migrate, forecast, earlier)
  }
}
