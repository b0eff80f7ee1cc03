// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Sporades
import Testing

@Entity final class Car: ManagedObject {
  var plate: String = ""
  @Relationship(inverse: \Driver.car) var driver: Driver?
}

@Entity final class Driver: ManagedObject {
  var name: String = ""
  var car: Car?
}

/// The example opens files of Apple's frameworks without a model, and leaves them unharmed. The fixtures lie beside the
/// project; where the folder is absent, only the file that the example makes itself is tried.
@Suite struct FromTheAppTests {
  @Test func makesAFileOfItsOwnWithoutAPath() throws {
    let run = try ExampleRun([])
    #expect(run.output == "Dog 1\nPet 1\nTag 2\nUser 3\nunharmed\n")
    #expect(run.errors == "")
    #expect(run.status == 0)
  }

  @Test(arguments: ExampleRun.stores)
  func leavesAForeignFileUnharmed(_ path: String) throws {
    let run = try ExampleRun([ExampleRun.fixtures + "/" + path])
    #expect(run.output.hasSuffix("\nunharmed\n"), "\(run.errors)")
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func aLinkThatTheAppLeftWithOneSideIsANote() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // try? because the system clears the folder some day.
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("Cars.sqlite")
    let store = try SQLiteStore(
      url: url, model: try ManagedObjectModel([Car.self, Driver.self]))
    try DataStack(store: store, classes: [Car.self, Driver.self]).newContext().performAndWait {
      Car.create(in: $0).driver = Driver.create(in: $0)
      try $0.save()
    }
    try store.close()
    try execute("UPDATE ZDRIVER SET ZCAR = NULL", on: url)
    let run = try ExampleRun([url.path])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "Car 1\nDriver 1\nunharmed\n")
    #expect(
      run.errors
        == "FromTheApp: The app's file has one side of a link: Car.driver leads from Car/p1 to Driver/p1, and car does "
        + "not lead back.\n")
  }

  private func execute(_ sql: String, on url: URL) throws {
    var handle: OpaquePointer?
    defer { unsafe sqlite3_close_v2(handle) }
    try #require(unsafe sqlite3_open(url.path, &handle) == SQLITE_OK)
    try #require(unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
  }

  @Test func saysWhatIsWrong() throws {
    let missing = try ExampleRun(["/nowhere/Missing.sqlite"])
    #expect(missing.status == 1)
    #expect(missing.errors == "FromTheApp: There is no file at /nowhere/Missing.sqlite.\n")
    let text = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("This is no database, but a sentence that is long enough.".utf8).write(to: text)
    let wrong = try ExampleRun([text.path])
    #expect(wrong.status == 1)
    #expect(wrong.output == "")
    #expect(wrong.errors.contains("no SQLite database"), "\(wrong.errors)")
    let folder = try ExampleRun([FileManager.default.temporaryDirectory.path])
    #expect(folder.status == 1)
    #expect(folder.errors.hasSuffix(" is no file.\n"), "\(folder.errors)")
    let usage = try ExampleRun(["one", "two"])
    #expect(usage.status == 1)
    #expect(usage.errors.contains("FromTheApp [STORE]"))
  }
}

/// A run of the example to its end.
struct ExampleRun {
  let output: String
  let errors: String
  let status: Int32

  init(_ arguments: [String]) throws {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = Self.executable
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // The sentences on the second stream are few, and fit into its buffer.
    self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }

  static var fixtures: String {
    if let path = ProcessInfo.processInfo.environment["SPORADES_FIXTURES"] {
      return path + "/stores"
    }
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return package.deletingLastPathComponent().appendingPathComponent("shared/fixtures/stores").path
  }

  /// The stores below the fixtures; empty where there are no fixtures.
  static var stores: [String] {
    let paths = FileManager.default.enumerator(atPath: fixtures)?.compactMap { $0 as? String } ?? []
    return paths.filter { ["sqlite", "db", "moody"].contains(($0 as NSString).pathExtension) }
      .sorted()
  }

  /// The program lies in the same folder as the test bundle.
  private static var executable: URL {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent("FromTheAppProbe")
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
      folder.deleteLastPathComponent()
    }
    return URL(fileURLWithPath: "FromTheAppProbe")
  }
}
