// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel
import SporadesSQL
public import SporadesStore

/// The model of a store that is opened without the program's model.
///
/// A store of Apple's frameworks since iOS 9 carries its model within itself. Where it carries none, or one that its
/// hashes or tables contradict, the model is inferred from the tables. The store can then be read and not written.
public struct StoreModel: Sendable {
  /// The place where the model was found.
  public enum Source: Hashable, Sendable {
    /// The store carries the model, and its hashes and tables agree with it.
    case cached
    /// The store's tables. The sentence says why the store's own model was not taken.
    case tables(reason: String)
  }

  /// The model of the store.
  public let model: ManagedObjectModel
  /// The place where the model was found.
  public let source: Source
  /// The configuration of the model whose entities the store holds; nil for all entities.
  public let configuration: String?
  /// The parts of the carried model or of the tables that the model lacks.
  public let warnings: [ModelWarning]

  /// Finds the model of the store in a file. The call only reads the file, and creates no file beside it.
  public init(ofStoreAt url: URL) throws(StoreError) {
    let path = try url.storePath
    guard try StoreContent.isFile(path) else {
      throw StoreError(.cannotOpen, "There is no store at \(path).")
    }
    if let error = StoreError.text(path) { throw error }
    self = try UntouchedFile(path).read { (connection) throws(StoreError) in
      do throws(StoreError) { return try StoreModel(connection, path) } catch {
        throw error.located(at: path)
      }
    }
  }

  private init(_ connection: Connection, _ path: String) throws(StoreError) {
    connection.limit.allow(Self.steps)
    let identity = try StoreContent(on: connection).identity(at: path)
    let objection: String
    do throws(StoreError) {
      guard let reading = try CachedModel.read(on: connection, source: path) else {
        try self.init(inferredOn: connection, reason: "The store carries no model.")
        return
      }
      switch try CachedModelCheck(reading.model, identity).outcome(connection) {
      case .agrees(let configuration):
        self.init(reading, .cached, configuration)
        return
      case .differs(let sentence): objection = sentence
      }
    } catch  where error.code == .corrupt || error.code == .unsupported {
      objection = error.detail
    }
    try self.init(inferredOn: connection, reason: objection)
  }

  private init(inferredOn connection: Connection, reason: String) throws(StoreError) {
    let names = CoreDataLayout.names
    let reading = try ModelInference.read(TableCatalog(connection, names))
    // Every table, column and number of the model must be found again.
    _ = try ExistingLayout(connection, CoreDataLayout(reading.model, holding: nil)).layout()
    self.init(reading, .tables(reason: reason), nil)
  }

  private init(_ reading: ModelReading, _ source: Source, _ configuration: String?) {
    (model, warnings) = (reading.model, reading.warnings)
    self.source = source
    self.configuration = configuration
  }

  /// A limit of some seconds.
  private static let steps = 1_000_000_000

  /// Whether the store can only be read. A save could break what the tables do not tell: rules of the program's model,
  /// both sides of relationships, and large values outside of the file.
  public var isReadOnly: Bool { refusalOfWrites != nil }

  /// The sentence for a write; nil if the store can be written.
  private var refusalOfWrites: String? {
    guard case .tables(let reason) = source else { return nil }
    return
      "was opened by its tables alone and can only be read. \(reason) To write, open it with the model of "
      + "the program."
  }

  /// The options for opening the store with this model.
  package func options(_ options: SQLiteStoreOptions) -> SQLiteStoreOptions {
    var options = options
    options.createsFile = false
    options.configuration = options.configuration ?? configuration
    if let refusal = refusalOfWrites {
      options.isReadOnly = true
      options.checksModel = false
      options.refusalOfWrites = refusal
    }
    return options
  }
}

/// Compares the model that a store carries with the hashes and the tables of the store.
struct CachedModelCheck {
  enum Outcome {
    case agrees(configuration: String?)
    /// The sentence names the difference.
    case differs(String)
  }

  private let model: ManagedObjectModel
  private let identity: StoreIdentity

  init(_ model: ManagedObjectModel, _ identity: StoreIdentity) {
    self.model = model
    self.identity = identity
  }

  func outcome(_ connection: Connection) throws(StoreError) -> Outcome {
    let candidates = [nil] + model.configurations.keys.inOrder()
    let found = candidates.first { name in
      StoreCompatibility(of: identity.metadata, with: model, configuration: name) == .same
    }
    guard let configuration = found else { return .differs(describeHashes()) }
    do throws(StoreError) {
      let held = try StoreConfiguration(configuration, of: model).entities
      _ = try ExistingLayout(connection, CoreDataLayout(model, holding: held)).layout()
    } catch  where error.isDifference {
      return .differs("The model that the store carries disagrees with its tables. \(error.detail)")
    }
    return .agrees(configuration: configuration)
  }

  private func describeHashes() -> String {
    switch StoreCompatibility(of: identity.metadata, with: model) {
    case .different(let difference):
      "The model that the store carries is not the one that wrote it: \(difference)."
    case .newer(let version):
      "The store's hashes have version \(version), so that the model it carries cannot be compared with them."
    case .unknown, .same: "The store carries a model and does not say which model wrote it."
    }
  }
}

extension StoreError {
  /// The tables and a model do not fit together.
  fileprivate var isDifference: Bool {
    switch code {
    case .incompatibleModel, .corrupt: true
    default: false
    }
  }
}
