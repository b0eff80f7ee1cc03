// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesXcode

/// Opens a database that an app wrote, without the app's model, and shows that it stays whole.
///
/// The program works on a copy. It counts the objects of each entity, changes and deletes one of each and takes the
/// change back, and checks that both sides of every relationship agree, or differ as the app left them. The original must
/// stay as it was.
@main struct FromTheApp {
  static func main() {
    do {
      let arguments = CommandLine.arguments.dropFirst()
      guard arguments.count <= 1, arguments.first?.hasPrefix("-") != true else {
        throw Finding("Name one database, or none: FromTheApp [STORE]")
      }
      try run(arguments.first)
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  private static func run(_ path: String?) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("FromTheApp-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // try? because the folder holds copies alone, and the system clears it some day.
    defer { try? FileManager.default.removeItem(at: folder) }
    let original: URL
    if let path {
      original = URL(fileURLWithPath: path)
    } else {
      original = folder.appendingPathComponent("Library.sqlite")
      try Library.make(at: original)
    }
    let files = StoreFiles(original)
    let kept = try files.copy(to: folder.appendingPathComponent("kept"))
    let copy = try files.copy(to: folder.appendingPathComponent("copy"))
    try check(copy.store)
    guard files.areEqual(to: kept) else {
      throw Finding("The original at \(original.path) is not as it was before.")
    }
    print("unharmed")
  }

  private static func check(_ copy: URL) throws {
    let stack = try DataStack(openingStoreAt: copy)
    let visit = Visit(stack)
    let counts = try visit.counts()
    for name in counts.keys.sorted() { print("\(name) \(counts[name] ?? 0)") }
    let before = try visit.findDisagreements()
    if let first = before.first(where: { !$0.isOneToOne }) {
      throw Finding("Two sides of a relationship differ: \(first.sentence)")
    }
    // Some apps left it so. A change of either object makes both sides agree.
    for known in before { complain("The app's file has one side of a link: \(known.sentence)") }
    if stack.store.isReadOnly {
      complain("The file is only read: \(try StoreModel(ofStoreAt: copy).source)")
    } else {
      try visit.changeAndRestore()
      let known = Set(before)
      if let first = try visit.findDisagreements().first(where: { !known.contains($0) }) {
        throw Finding("Two sides of a relationship differ after changes: \(first.sentence)")
      }
      guard try visit.counts() == counts else {
        throw Finding(
          "The entities have other numbers of objects after changes that were taken back.")
      }
    }
    try stack.store.close()
  }

  static func complain(_ text: String) {
    FileHandle.standardError.write(Data("FromTheApp: \(text)\n".utf8))
  }
}

/// Something is not as it should be.
struct Finding: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
