// SPDX-License-Identifier: MIT
package import SporadesModel

/// The checksums in a store's metadata of the versions of the model that are earlier than the store's: those that it had, and
/// those that a program listed.
package enum StoreLineage {
  package static let key = "SporadesModelLineage"

  package static func checksums(_ metadata: [String: MetadataValue]) -> [String] {
    guard case .list(let entries)? = metadata[key] else { return [] }
    return entries.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  /// The versions before a store's, with those that it leaves.
  package static func entry(
    _ metadata: [String: MetadataValue], _ left: [String], to own: String?
  ) -> MetadataValue {
    var all: [String] = []
    for version in checksums(metadata) + left where version != own && !all.contains(version) {
      all.append(version)
    }
    return .list(all.map { .string($0) })
  }
}
