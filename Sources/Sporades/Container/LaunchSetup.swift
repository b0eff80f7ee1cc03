// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGraph
import SporadesModel

/// Which set-up the program was started with.
///
/// `-InMemory 1` replaces every store of containers and services by one in memory. `-TestMode 1`
/// really persists, in a folder of the user's cache that is cleared before its first use; files of
/// the user are never touched. Where both are given, `-InMemory` wins. Stacks and coordinators open
/// what they are told to.
enum LaunchSetup {
  case usual, inMemory, testMode

  static var ofProcess: LaunchSetup { LaunchSetup(arguments: CommandLine.arguments) }

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

  /// The stack of a service over the file at the place, or over what stands in for it. Where the
  /// cache lies is asked only in test mode: the answer is in the environment, all of which Foundation
  /// reads to give one variable.
  func stack(
    at place: URL, _ model: ManagedObjectModel, _ classes: [ManagedObject.Type],
    _ cache: @autoclosure () -> CacheFolder
  ) throws -> DataStack {
    switch self {
    case .usual: try DataStack(sqlite: place, model: model, classes: classes)
    case .inMemory: try DataStack(inMemory: model, classes: classes)
    case .testMode:
      try DataStack(sqlite: cache().standIn(for: place), model: model, classes: classes)
    }
  }
}

/// The folder of test stores: `$XDG_CACHE_HOME/<app>/TestMode`, with `~/.cache` where the variable
/// is not set.
struct CacheFolder {
  let folder: URL
  /// The places that stand in for others in this process, by folder and the other's path.
  private static let standIns = Guarded<[String: [String: URL]]>([:])

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
    try own.makePrivateFolder()
    return own.appendingPathComponent("\(name).sqlite")
  }

  /// The place that stands in for another one as long as the process lives: empty at first, and what
  /// was left there when the other is opened again.
  func standIn(for place: URL) throws -> URL {
    let path = place.standardizedFileURL.path
    return try Self.standIns.withLock { all in
      let known = all[folder.path] ?? [:]
      if let url = known[path] { return url }
      let name = place.deletingPathExtension().lastPathComponent
      let taken = Set(known.values.map { $0.deletingPathExtension().lastPathComponent })
      var own = name
      var number = 1
      while taken.contains(own) {
        number += 1
        own = "\(name)-\(number)"
      }
      let url = try clearedStore(named: own)
      all[folder.path, default: [:]][path] = url
      return url
    }
  }
}
