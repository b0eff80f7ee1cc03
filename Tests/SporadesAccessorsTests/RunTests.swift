// SPDX-License-Identifier: MIT
import SporadesAccessors
import Testing

/// Programs with the accessors do what their properties say.
struct RunTests {
  /// Types, each with two values.
  private static let kinds = [
    ("Int", "3", "4"), ("Int16", "-3", "4"), ("Int32", "5", "6"), ("Int64", "7", "8"),
    ("Bool", "true", "false"), ("Double", "1.5", "2.5"), ("Float", "1.25", "8"),
    ("String", "\"a\"", "\"b\""),
    ("Date", "Date(timeIntervalSince1970: 1)", "Date(timeIntervalSince1970: 2)"),
    ("Data", "Data([1])", "Data()"), ("UUID", "first", "second"),
    ("URL", "URL(fileURLWithPath: \"/a\")", "URL(fileURLWithPath: \"/b\")"),
    ("Decimal", "Decimal(1)", "Decimal(2)"),
    ("NSNumber", "NSNumber(value: 1)", "NSNumber(value: 2)"),
    ("NSString", "NSString(string: \"a\")", "NSString(string: \"b\")"), ("Level", ".low", ".high"),
    ("[String]", "[\"a\"]", "[]"), ("[String: Int]", "[\"a\": 1]", "[:]"),
    ("Set<Int>", "[1]", "[2]"),
    ("Note", "note", "other"), ("TimeInterval", "1", "2"),
  ]

  /// A hundred properties and what a program does with them.
  private static func program() -> (declarations: String, checks: String, count: Int) {
    var declarations = ""
    var checks = ""
    var count = 0
    for (place, kind) in kinds.enumerated() {
      let (type, one, two) = kind
      for (form, written) in [("plain", type), ("optional", "\(type)?"), ("forced", "\(type)!")] {
        let name = "\(form)\(place)"
        let level = ["", "public ", "private ", "fileprivate ", "public private(set) "][count % 5]
        declarations += "  @NSManaged \(level)var \(name): \(written)\n"
        checks += "    \(name) = \(one); check(\(name) == \(one), \"\(name)\")\n"
        checks +=
          "    self[keyPath: \\.\(name)] = \(two); check(\(name) == \(two), \"\(name) by key path\")\n"
        if form == "optional" {
          checks += "    \(name) = nil; check(\(name) == nil, \"\(name) nil\")\n"
        }
        count += 1
      }
    }
    for place in 0..<40 {
      declarations += "  @NSManaged var sum\(place): Int, text\(place): String\n"
      checks +=
        "    sum\(place) = \(place); sum\(place) += 2; check(sum\(place) == \(place + 2), \"sum\")\n"
      checks +=
        "    text\(place) = \"a\"; text\(place) += \"b\"; check(text\(place) == \"ab\", \"text\")\n"
      checks += "    text\(place).append(\"c\"); check(text\(place).count == 3, \"append\")\n"
      count += 2
    }
    return (declarations, checks, count)
  }

  @Test(arguments: [
    ["-Onone"], ["-O", "-wmo"], ["-Onone", "-wmo", "-enable-testing", "-swift-version", "6"],
  ])
  func values(flags: [String]) throws {
    let (declarations, checks, count) = Self.program()
    #expect(count > 100)
    let source = """
      import CoreData
      public enum Level: Int16 { case low, high }
      let first = UUID(), second = UUID()
      func check(_ isTrue: Bool, _ name: String) { print(isTrue ? "good" : "BAD \\(name)") }
      public class Note: NSManagedObject {
      \(declarations)
        @NSManaged open var title: String
        @NSManaged private var primitiveTitle: String?
        func run(_ note: Note, _ other: Note) {
      \(checks)
          title = "t"
          check(primitiveTitle == "t", "primitive")
        }
      }
      class Special: Note {
        @NSManaged override var title: String
        @NSManaged weak var note: Note?
      }
      class Shouting: Note {
        override var title: String {
          get { super.title.uppercased() }
          set { super.title = newValue }
        }
      }
      @main enum Program {
        static func main() {
          let note = Note()
          note.run(Note(), Note())
          let special = Special()
          special.run(note, Note())
          (special as Note).title = "s"
          check(special.title == "s", "override")
          special.note = note
          check(special.note === note, "weak")
          let shouting: Note = Shouting()
          shouting.title = "quiet"
          check(shouting.title == "QUIET", "computed override")
          shouting[keyPath: \\.title] += "er"
          check(shouting.title == "QUIETER", "key path of an override")
        }
      }

      """
    let compiler = try Compiler()
    try compiler.writeNote(source)
    let built = try compiler.run(
      "swiftc",
      [
        "-parse-as-library", "-module-name", "App", "-I", ".", "-L", ".", "-lCoreData",
        "Note.swift", "Accessors.swift", "-o", "program",
      ] + flags)
    #expect(built.status == 0)
    #expect(built.complaints == [])
    let output = try compiler.run("./program")
    #expect(output.status == 0)
    let lines = output.text.split(separator: "\n")
    #expect(lines.filter { $0 != "good" } == [])
    #expect(lines.count > 2 * count)
  }
}
