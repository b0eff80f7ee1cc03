// SPDX-License-Identifier: MIT

/// One object in an outside index.
///
/// An index keeps one item for each ``identifier``. An item replaces the one with its identifier.
public struct IndexItem: Hashable, Sendable, Codable, Identifiable {
  /// The URI of the object, which never changes: `x-coredata://STORE/Article/p12`.
  public let identifier: String
  /// The name of the object's entity.
  public let entityName: String
  /// The group of the item, such as an account; nil for none.
  public let domainIdentifier: String?
  /// The number of the re-indexing in which the index got the item, or after which it did. See
  /// ``IndexBatch/removesEditionsBefore``.
  public let edition: Int64
  /// The values of the object.
  public let attributes: IndexAttributes

  /// Describes an object.
  public init(
    identifier: String, entityName: String, domainIdentifier: String? = nil, edition: Int64,
    attributes: IndexAttributes
  ) {
    self.identifier = identifier
    self.entityName = entityName
    self.domainIdentifier = domainIdentifier
    self.edition = edition
    self.attributes = attributes
  }

  /// The identifier.
  public var id: String { identifier }
}
