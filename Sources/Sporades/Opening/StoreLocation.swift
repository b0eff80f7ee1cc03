// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesSQLite
package import SporadesStore

/// The place of stores that have a name and no URL: `$XDG_DATA_HOME/<app>/<name>.sqlite`.
///
/// Without the variable, `~/.local/share` stands in its place.
public struct StoreLocation: Hashable, Sendable {
  /// The folder of the application's data.
  public let folder: URL

  /// Makes the location for an application; nil for the running program.
  public init(application: String? = nil) {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
    let base =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? "\(home)/.local/share"
    folder = URL(fileURLWithPath: base).appendingPathComponent(application ?? Self.program)
  }

  /// Returns the URL of the store with the name, and makes its folder, which only the owner may read.
  public func store(named name: String) throws -> URL {
    try StoreName.check(name)
    do throws(StoreError) { try folder.makePrivateFolder() } catch {
      throw StoreError(
        error.code,
        "\(error.detail) It follows from HOME and XDG_DATA_HOME. Set XDG_DATA_HOME, or pass the URL of a file."
      )
    }
    return folder.appendingPathComponent("\(name).sqlite")
  }

  private static var program: String {
    let path = CommandLine.arguments.first ?? "Sporades"
    return URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }
}

/// The name of a store, to which the location adds the folder and the ending.
package enum StoreName {
  /// Refuses a name that is empty or a path, with the call to use.
  package static func check(_ name: String) throws(StoreError) {
    guard let problem = problem(name) else { return }
    throw StoreError(
      .cannotOpen,
      "\"\(name)\" cannot name a store: \(problem) A name such as \"AppData\" makes AppData.sqlite in the "
        + "application's data folder.")
  }

  private static func problem(_ name: String) -> String? {
    if name.isEmpty { return "it is empty." }
    if name == ":memory:" {
      return "it is SQLite's word for memory. Write inMemory: with the classes or the model."
    }
    if name.contains("/") || name == "." || name == ".." {
      return "it is a path. For a file of your choice pass URL(fileURLWithPath: \"\(name)\")."
    }
    if name.hasPrefix("file:") {
      return "it is the text of a URL. Pass URL(fileURLWithPath:) with the path."
    }
    if name.utf8.contains(0) { return "it contains a character that no file's name has." }
    guard name.hasSuffix(".sqlite") else { return nil }
    return "the ending .sqlite is added to it. Write \"\(name.dropLast(7))\"."
  }
}

extension URL {
  /// Makes the folder and the missing folders above it. Only their owner may read them.
  func makePrivateFolder() throws(StoreError) {
    let error = SystemFile.makeFolder(path)
    guard error == 0 else {
      throw StoreError(
        .cannotOpen, "The folder \(path) cannot be made: \(SystemFile.message(error)).")
    }
  }
}
