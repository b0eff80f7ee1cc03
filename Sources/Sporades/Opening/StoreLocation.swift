// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesSQLite
import SporadesStore

/// Where stores lie that are given a name and no place: `$XDG_DATA_HOME/<app>/<name>.sqlite`, with
/// `~/.local/share` where the variable is not set.
public struct StoreLocation: Hashable, Sendable {
  /// The folder of the application's data.
  public let folder: URL

  /// The folder of the application with the given name; the running program's where none is given.
  public init(application: String? = nil) {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
    let base =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? "\(home)/.local/share"
    folder = URL(fileURLWithPath: base).appendingPathComponent(application ?? Self.program)
  }

  /// The place of the store with the name; its folder is made, for its owner alone.
  public func store(named name: String) throws -> URL {
    try folder.makePrivateFolder()
    return folder.appendingPathComponent("\(name).sqlite")
  }

  private static var program: String {
    let path = CommandLine.arguments.first ?? "Sporades"
    return URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }
}

extension URL {
  /// Makes the folder, and those it lies in where there are none, for their owner alone.
  func makePrivateFolder() throws(StoreError) {
    let error = SystemFile.makeFolder(path)
    guard error == 0 else {
      throw StoreError(
        .cannotOpen, "The folder \(path) cannot be made: \(SystemFile.message(error)).")
    }
  }
}
