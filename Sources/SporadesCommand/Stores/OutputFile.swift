// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesModelFiles
import SporadesSQLite

/// Puts a file that the program made in its place.
enum OutputFile {
  /// Throws if something lies there that the command line does not allow to replace, or that the verb reads.
  static func check(_ path: String, replaces: Bool, reading source: String) throws(CommandError) {
    let read = ([""] + SystemFile.sidecars).compactMap { SystemFile.identity(source + $0) }
    if let own = SystemFile.identity(path), read.contains(own) {
      throw .failed("\(path) is what is read, and stays as it is. Choose another name.")
    }
    try check(path, replaces: replaces)
  }

  /// Checks the place of a new store. A log there would be taken for the store's.
  static func check(store path: String, replaces: Bool, reading source: String) throws(CommandError)
  {
    for name in ([""] + SystemFile.sidecars).map({ path + $0 }) {
      try check(name, replaces: replaces, reading: source)
    }
  }

  private static func check(_ path: String, replaces: Bool) throws(CommandError) {
    guard !replaces, SystemFile.kind(path, followsLinks: false) != .none else { return }
    throw .failed(
      "\(path) is there already, and stays as it is. Choose another name, or replace it with --replace."
    )
  }

  /// Writes a text as a whole or not at all.
  static func write(_ text: String, to path: String, replaces: Bool) throws {
    try check(path, replaces: replaces)
    let kind = SystemFile.kind(path)
    guard kind == .none || kind == .file else {
      throw CommandError.failed("\(path) is no file, and is not replaced. Choose another name.")
    }
    try FileWriting.write(
      .file(Array(text.utf8)), to: URL(fileURLWithPath: path), replacing: replaces)
  }
}
