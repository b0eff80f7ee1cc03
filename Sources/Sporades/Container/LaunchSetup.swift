// SPDX-License-Identifier: MIT
import FoundationEssentials

/// Which set-up the program was started with.
///
/// `-InMemory 1` replaces every store by one in memory. `-TestMode 1` really persists, in a folder of
/// the user's cache that is cleared before its first use; files of the user are never touched.
/// Where both are given, `-InMemory` wins.
enum LaunchSetup {
  case usual, inMemory, testMode

  init(arguments: [String]) {
    func isOn(_ name: String) -> Bool {
      guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else {
        return false
      }
      return ["1", "yes", "true"].contains(arguments[index + 1].lowercased())
    }
    self = isOn("-InMemory") ? .inMemory : isOn("-TestMode") ? .testMode : .usual
  }

  /// What becomes of a description under the set-up.
  func applied(
    to description: PersistentStoreDescription, name: String, cache: CacheFolder
  ) throws -> PersistentStoreDescription {
    var description = description
    switch self {
    case .usual: break
    case .inMemory:
      description.type = .inMemory
      description.isReadOnly = false
    case .testMode where description.type == .sqlite:
      description.url = try cache.clearedStore(named: name)
      description.isReadOnly = false
      description.createsFile = true
    case .testMode: break
    }
    return description
  }
}

/// The folder of test stores: `$XDG_CACHE_HOME/<app>/TestMode`, with `~/.cache` where the variable
/// is not set.
struct CacheFolder {
  let folder: URL

  init(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    application: String = StoreLocation().folder.lastPathComponent
  ) {
    let home = environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
    let base =
      environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/.cache"
    folder = URL(fileURLWithPath: base).appendingPathComponent(application)
      .appendingPathComponent("TestMode")
  }

  /// The place of an empty store; what an earlier run left of it is removed.
  func clearedStore(named name: String) throws -> URL {
    let manager = FileManager.default
    let own = folder.appendingPathComponent(name)
    if manager.fileExists(atPath: own.path) { try manager.removeItem(at: own) }
    try manager.createDirectory(
      at: own, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return own.appendingPathComponent("\(name).sqlite")
  }
}
