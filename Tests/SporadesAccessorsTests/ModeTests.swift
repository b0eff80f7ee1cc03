// SPDX-License-Identifier: MIT
import SporadesAccessors
import Testing

/// The written file compiles without a warning in the modes that packages use.
struct ModeTests {
  private static let features = [
    "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature",
    "InternalImportsByDefault", "-enable-upcoming-feature", "MemberImportVisibility",
  ]

  /// A file with every level of access; each mode has its own way to import and to isolate.
  private static func source(_ word: String, _ isolation: String) -> String {
    """
    \(word)import CoreData
    public enum Kind: Int16 { case one }
    public protocol Shape {}
    \(isolation)open class Note: NSManagedObject {
      @NSManaged open var title: String
      @NSManaged public final var kind: Kind
      @NSManaged public private(set) var date: Date?
      @NSManaged public internal(set) var shape: (any Shape)?
      @NSManaged package var owner: NSManagedObject?
      @NSManaged var notes: NSSet?
      @NSManaged weak var parent: Note?
      @NSManaged private var secret: Data
      @NSManaged fileprivate var hidden: NSNumber
      @NSManaged public func addToNotes(_ value: Note)
      @NSManaged public func addToNotes(_ values: NSSet)
      @NSManaged private func insertIntoNotes(_ values: [Note], at indexes: NSIndexSet)
      @NSManaged @MainActor var onMain: Int
      @NSManaged nonisolated var anywhere: Int
      func use() { secret = Data(); hidden = 1; date = nil; insertIntoNotes([], at: NSIndexSet()) }
    }
    @available(*, deprecated) \(isolation)class Old: NSManagedObject {
      @NSManaged public var old: Old?
      \(isolation)class Nested: NSManagedObject { @NSManaged var name: String! }
    }
    \(isolation)extension Note {
      @NSManaged public var other: UUID?
      #if DEBUG
        @NSManaged public var debug: URL?
      #else
        @NSManaged public var debug: Decimal
      #endif
      #if canImport(ObjectiveC)
        @objc(addOthers:) @NSManaged public func addOthers(_ value: NSSet)
      #else
        @NSManaged public func addOthers(_ value: NSSet)
      #endif
    }
    \(isolation)extension NSManagedObject { @NSManaged var everywhere: Int }

    """
  }

  static let modes: [(name: String, word: String, isolation: String, flags: [String])] = [
    ("5", "", "", ["-swift-version", "5"]),
    ("debug", "", "", ["-Onone", "-enable-testing", "-DDEBUG", "-g"]),
    ("release", "", "", ["-O", "-wmo"]),
    ("6", "public ", "", ["-swift-version", "6", "-strict-memory-safety"] + features),
    ("6 release", "public ", "", ["-swift-version", "6", "-O", "-wmo"] + features),
    ("complete", "", "", ["-swift-version", "5", "-strict-concurrency=complete"]),
    ("evolution", "", "", ["-enable-library-evolution", "-O", "-wmo", "-enable-testing"]),
    ("levels without features", "public ", "", ["-swift-version", "5"]),
    ("main actor", "", "@MainActor ", ["-swift-version", "6", "-Onone", "-wmo"]),
    (
      "main actor by default", "public ", "nonisolated ",
      ["-swift-version", "6", "-default-isolation", "MainActor"] + features
    ),
    (
      "later", "public ", "",
      [
        "-swift-version", "6", "-enable-upcoming-feature", "NonisolatedNonsendingByDefault",
        "-enable-upcoming-feature", "InferIsolatedConformances", "-Xfrontend",
        "-function-sections", "-Xfrontend", "-internalize-at-link", "-Osize", "-wmo",
      ] + features
    ),
  ]

  @Test(arguments: modes.indices) func compiles(_ place: Int) throws {
    let mode = Self.modes[place]
    var source = Self.source(mode.word, mode.isolation)
    if mode.isolation == "@MainActor " {
      source = source.replacing("@MainActor extension", with: "extension")
    }
    let compiler = try Compiler()
    try compiler.writeNote(source)
    let built = try compiler.run(
      "swiftc",
      [
        "-emit-library", "-emit-module", "-Xfrontend", "-sil-verify-all", "-parse-as-library",
        "-package-name", "p", "-module-name", "App", "-I", ".", "-L", ".", "-lCoreData",
        "-Xlinker", "-z", "-Xlinker", "defs", "-o", "libApp.so", "Note.swift", "Accessors.swift",
      ] + mode.flags)
    #expect(built.status == 0, "\(mode.name)")
    #expect(built.complaints == [], "\(mode.name)")
  }

  @Test func aCompilerThatNamesOtherwiseShowsTheSentence() throws {
    let source = Self.source("", "")
    let compiler = try Compiler()
    try compiler.writeNote(source) { $0.replacing("vg\") get", with: "vG\") get") }
    let built = try compiler.run(
      "swiftc", "-emit-library", "-parse-as-library", "-package-name", "p", "-module-name", "App",
      "-I", ".", "-L", ".", "-lCoreData", "-Xlinker", "-z", "-Xlinker", "defs", "Note.swift",
      "Accessors.swift")
    #expect(built.status != 0)
    let sentence = "this_Swift_version_names_symbols_differently__please_update_Sporades"
    #expect(built.text.contains(sentence))
  }
}
