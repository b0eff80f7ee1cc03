// SPDX-License-Identifier: MIT
package import FoundationEssentials
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesSQLite

/// The set-up of stores that the program's launch arguments choose.
///
/// `-InMemory 1` replaces the store of a container or a service by one in memory. `-TestMode 1` replaces its
/// file by one in a folder of the user's cache, and clears that folder before its first use. Neither touches the
/// user's files. `-InMemory` wins over `-TestMode`. Both act only where the program asks for it, because the
/// arguments may be those of its user. Stacks and coordinators ignore the set-up.
package enum LaunchSetup {
  case usual, inMemory, testMode

  /// The set-up for a service or a container that honors the launch arguments, or does not.
  package static func ofProcess(
    isHonored: Bool, arguments: [String] = CommandLine.arguments
  ) -> LaunchSetup {
    let asked = LaunchSetup(arguments: arguments)
    if isHonored { return asked }
    if asked != .usual { ignoredArguments.give() }
    return .usual
  }

  private static let ignoredArguments = Hint(
    "the launch arguments -InMemory and -TestMode have no effect here. Where they shall replace a store, set "
      + "honorsLaunchArguments in the options of the service, or of the container.")

  init(arguments: [String]) {
    self =
      LaunchArgument("-InMemory", in: arguments).isOn
      ? .inMemory : LaunchArgument("-TestMode", in: arguments).isOn ? .testMode : .usual
  }

  /// Opens the stack of a service over the file at the place, or over its stand-in. Only test mode looks for the
  /// cache, because Foundation reads the whole environment to return one variable.
  package func stack(
    at place: URL, _ model: ManagedObjectModel, _ classes: [ManagedObject.Type],
    _ options: SQLiteStoreOptions, _ cache: @autoclosure () -> CacheFolder
  ) throws -> DataStack {
    switch self {
    case .testMode where !SystemFile.isNullDevice(place.path):
      var options = options
      options.standIn()
      return try DataStack(
        sqlite: cache().standIn(for: place), model: model, classes: classes, options: options)
    case .usual, .testMode:
      return try DataStack(sqlite: place, model: model, classes: classes, options: options)
    case .inMemory: return try DataStack(inMemory: model, classes: classes)
    }
  }
}

/// The folder of test stores: `$XDG_CACHE_HOME/<app>/TestMode`. Without the variable, `~/.cache` stands in its
/// place.
package struct CacheFolder {
  let folder: URL
  /// The stand-ins of this process, by their folder and by the path of the replaced file.
  private static let standIns = Guarded<[String: [String: URL]]>([:])

  package init(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    application: String = StoreLocation().folder.lastPathComponent
  ) {
    let home = environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
    let base =
      environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/.cache"
    folder = URL(fileURLWithPath: base).appendingPathComponent(application)
      .appendingPathComponent("TestMode")
  }

  /// Returns the place of an empty store, and removes the files of an earlier run there.
  package func clearedStore(named name: String) throws -> URL {
    let manager = FileManager.default
    let own = folder.appendingPathComponent(name)
    if manager.fileExists(atPath: own.path) { try manager.removeItem(at: own) }
    try own.makePrivateFolder()
    return own.appendingPathComponent("\(name).sqlite")
  }

  /// Returns the place that stands in for another one as long as the process lives. The first call clears it.
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
