// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel
import SporadesSQLite
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
    let found = try StoredModel.find(inStoreAt: url.storePath) { (catalog) throws(StoreError) in
      try ModelInference.read(catalog)
    }
    switch found {
    case .carried(let reading, let configuration): self.init(reading, .cached, configuration)
    case .inferred(let reading, let reason): self.init(reading, .tables(reason: reason), nil)
    }
  }

  private init(_ reading: ModelReading, _ source: Source, _ configuration: String?) {
    (model, warnings) = (reading.model, reading.warnings)
    self.source = source
    self.configuration = configuration
  }

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
  func options(_ options: SQLiteStoreOptions) -> SQLiteStoreOptions {
    var options = options
    options.createsFile = false
    options.configuration = options.configuration ?? configuration
    if let refusal = refusalOfWrites {
      options.isReadOnly = true
      options.checksModel = false
      options.leavesNoTrace = true
      options.refusalOfWrites = refusal
    }
    return options
  }
}
