// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesSQLite

extension LaunchSetup {
  /// Returns the description with the changes of the set-up.
  func applied(
    to description: PersistentStoreDescription, name: String, cache: CacheFolder
  ) throws -> PersistentStoreDescription {
    var description = description
    if case .usual = self {} else { description.sqliteOptions.standIn() }
    switch self {
    case .usual: break
    case .inMemory:
      description.type = .inMemory
      description.isReadOnly = false
    case .testMode where description.isFile:
      description.url = try cache.clearedStore(named: name)
      description.isReadOnly = false
      description.createsFile = true
    case .testMode: break
    }
    return description
  }
}
