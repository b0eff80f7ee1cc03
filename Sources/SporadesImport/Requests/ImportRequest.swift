// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesModel
public import SporadesStore

/// An import: which records become objects of which class, and what else happens.
///
/// ```swift
/// var request = ImportRequest(User.self, from: .json(file))
/// request.uniquedBy = ["email"]
/// request.missing = .delete(where: \.team == team)
/// let report = try await service.import(request)
/// ```
public struct ImportRequest<Object: ManagedObject>: Sendable {
  /// The records.
  public var source: ImportSource
  /// Which key becomes which property.
  public var mapping = ImportMapping<Object>()
  /// The attributes that tell objects apart: a record changes the object with its values, or makes one. Nil takes the
  /// note `relatedByAttribute` of the entity, or its first uniqueness constraint, or an attribute named after the
  /// entity (`userID`). Without any of these, and with an empty list, each record makes an object.
  public var uniquedBy: [String]?
  /// The fate of a row with a mistake, and of the others.
  public var failures = FailureRule.refuseRow
  /// The meaning of a null in a record.
  public var nulls = NullRule.clear
  /// The treatment of a row whose object has all its values already.
  public var unchanged = UnchangedRule.skip
  /// The treatment of several rows with the same key.
  public var duplicates = DuplicateRule.lastWins
  /// The fate of objects that the input does not have.
  public var missing = MissingRule.keep
  /// Reads, checks and counts everything, and writes nothing. The objects of the whole input are in memory at once.
  public var isDryRun = false
  /// Decides which records take part, before an object is looked for.
  public var filter: (@Sendable (ImportRecord) -> Bool)?
  /// The bounds of single records.
  public var limits = RecordLimits()
  /// The number of rows that are saved together, and whose objects are in memory at once.
  public var rowsPerSave = 8000
  /// The largest number of refused rows that ``ImportReport/failures`` describes.
  public var describedFailures = 1000
  /// The durability of the saves; nil takes the service's.
  public var durability: Durability?
  /// The author that the history names for the saves: `transactionAuthor` of their contexts.
  public var author: String?
  let entityName: String?

  /// Asks for the import of records as objects of a class.
  public init(_ type: Object.Type, from source: ImportSource) {
    self.source = source
    entityName = nil
  }

  /// The fate of a row with a mistake, and of the others.
  public enum FailureRule: Hashable, Sendable {
    /// The row is refused and reported. The others go in.
    case refuseRow
    /// One bad row refuses all: nothing is written. The objects of the whole input are in memory at once.
    case refuseAll
  }

  /// The meaning of a null in a record.
  public enum NullRule: Hashable, Sendable {
    /// It clears the property.
    case clear
    /// It leaves the property as it is.
    case keep
  }

  /// The treatment of a row whose object has all its values already.
  public enum UnchangedRule: Hashable, Sendable {
    /// The object is not written.
    case skip
    /// The object is written as if it had changed: its version grows, and observers hear of it.
    case write
  }

  /// The treatment of several rows with the same key. The last two rules remember all keys of the input.
  public enum DuplicateRule: Hashable, Sendable {
    /// Each row changes the object, so the last one counts.
    case lastWins
    /// Only the first row counts. The others are skipped.
    case firstWins
    /// Every row but the first is refused.
    case refuse
  }

  /// The fate of objects that the input does not have. Nothing is deleted if a row was refused.
  public enum MissingRule: Sendable {
    /// They stay.
    case keep
    /// Objects of the entity that satisfy a condition are deleted, with their delete rules.
    case delete(where: FetchPredicate)

    /// Objects that satisfy a condition are deleted, with their delete rules.
    public static func delete(where predicate: TypedPredicate<Object>) -> MissingRule {
      .delete(where: predicate.predicate)
    }

    /// All objects of the entity that the input does not have are deleted, with their delete rules.
    public static var deleteAll: MissingRule { .delete(where: .constant(true)) }
  }
}

extension ImportRequest where Object == ManagedObject {
  /// Asks for the import of records as objects of an entity, which needs no class.
  public init(entityNamed name: String, from source: ImportSource) {
    self.source = source
    entityName = name
  }
}

/// A request without its class, as the steps of an import read it.
struct ImportSettings: Sendable {
  let source: ImportSource
  let rules: MappingRules
  let uniquedBy: [String]?
  let refusesAll: Bool
  let keepsNulls: Bool
  let writesUnchanged: Bool
  let duplicates: Duplicates
  let deletesMissing: FetchPredicate?
  let isDryRun: Bool
  let filter: (@Sendable (ImportRecord) -> Bool)?
  let limits: RecordLimits
  let rowsPerSave: Int
  let describedFailures: Int
  let durability: Durability?
  let author: String?

  enum Duplicates: Sendable { case lastWins, firstWins, refuse }
}

extension ImportRequest {
  /// The settings of the request. It throws if they have a number that no import can have.
  func settings() throws(ImportError) -> ImportSettings {
    guard rowsPerSave > 0, limits.size > 0, limits.size <= 1 << 30, limits.depth > 0,
      limits.depth <= 512, describedFailures >= 0
    else {
      throw ImportError(
        .request,
        "rowsPerSave must be 1 or more, limits.size from 1 to 1 GiB, limits.depth from 1 to 512, and describedFailures "
          + "0 or more.")
    }
    var deleted: FetchPredicate?
    if case .delete(let predicate) = missing { deleted = predicate }
    return ImportSettings(
      source: source, rules: mapping.rules, uniquedBy: uniquedBy,
      refusesAll: failures == .refuseAll, keepsNulls: nulls == .keep,
      writesUnchanged: unchanged == .write, duplicates: duplicates.plain, deletesMissing: deleted,
      isDryRun: isDryRun, filter: filter, limits: limits, rowsPerSave: rowsPerSave,
      describedFailures: describedFailures, durability: durability,
      author: author)
  }
}

extension ImportRequest.DuplicateRule {
  fileprivate var plain: ImportSettings.Duplicates {
    switch self {
    case .lastWins: .lastWins
    case .firstWins: .firstWins
    case .refuse: .refuse
    }
  }
}
