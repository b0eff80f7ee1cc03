// SPDX-License-Identifier: MIT
package import SporadesModel

/// The versions in a program's list, the oldest first. One of them is the program's own.
package struct KnownVersions {
  package let versions: [ManagedObjectModel]
  /// The place of the first version with the hashes of the program's; nil if none has them.
  package let place: Int?
  private let model: ManagedObjectModel

  package init(_ versions: [ManagedObjectModel], of model: ManagedObjectModel) {
    self.versions = versions
    self.model = model
    place = versions.firstIndex { $0.versionChecksum == model.versionChecksum }
  }

  /// The number of versions before the program's. A program that does not list its own lists earlier ones alone.
  package var end: Int { place ?? versions.count }

  /// The versions from one of them to the program's, without the first. Those with the program's hashes belong to them, because
  /// they may have renaming identifiers that the program has removed since.
  package func following(_ start: Int) -> [ManagedObjectModel] {
    let later = versions[(start + 1)...]
    guard let end = later.firstIndex(where: isLikeOwn) else { return Array(later) }
    return later[..<end] + later[end...].prefix(while: isLikeOwn)
  }

  private func isLikeOwn(_ version: ManagedObjectModel) -> Bool {
    version.versionChecksum == model.versionChecksum
  }

  /// The checksums of the versions before the program's, as a store of a configuration has them.
  package func earlierChecksums(inConfiguration name: String?) -> [String] {
    versions[..<end].compactMap { $0.versionChecksum(inConfiguration: name) }
  }
}
