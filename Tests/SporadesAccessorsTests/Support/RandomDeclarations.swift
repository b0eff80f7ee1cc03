// SPDX-License-Identifier: MIT

/// Makes Swift files full of managed declarations, the same ones for the same seed.
struct RandomDeclarations {
  struct File {
    let name: String
    let text: String
  }

  private var state: UInt64
  private(set) var count = 0
  /// The code that uses the members of the file at hand.
  private var uses = ""

  init(seed: UInt64) { state = seed }

  mutating func below(_ limit: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
  }

  mutating func pick(_ list: [String]) -> String { list[below(list.count)] }

  // MARK: - Types

  /// Types that dictionaries and sets take as keys.
  private static let hashable = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "Bool", "Double", "Float", "String",
    "Date", "Data", "UUID", "URL", "Decimal", "Character", "Locale", "IndexPath", "TimeInterval",
    "CGFloat", "NSNumber", "NSString", "NSDecimalNumber", "NSSet", "Note", "Tag", "Outer.Inner",
    "Tag.Kind", "Calendar.Component", "AnyHashable", "Identifier", "Foundation.Date", "Größe",
    "NSObject", "ObjectIdentifier", "Substring", "TimeZone", "Calendar.Identifier",
  ]

  private static let others = [
    "NSOrderedSet", "NSArray", "NSDictionary", "NSAttributedString", "IndexSet", "CGRect",
    "NSRange",
    "Any", "AnyObject", "any Shape", "any Shape & Sized", "any Sized & Codable", "any Error",
    "any NSCoding", "any Shape & AnyObject", "NSManagedObject", "NSManagedObjectContext", "Payload",
    "Outer.Holder<Int>", "Outer.Holder<Tag>.Slot", "Box<String>", "Box<Box<Note>>", "Note.Type",
    "any Shape.Type", "Any.Type", "AnyClass", "Measurement<UnitLength>", "Range<Int>",
    "Callback", "Result<Int, any Error>", "KeyPath<Note, Int>", "Codable", "DispatchQueue",
    "NSObject & Shape", "any Shape & NSObject", "CharacterSet", "Notification.Name",
    "UnsafeMutablePointer<Int8>", "any Base & Derived", "(any Shape).Type", "Tag & Shape",
    "AsyncStream<Int>.Continuation", "Table", "JSONDecoder", "SortDescriptor<Note>",
  ]

  mutating func type(_ depth: Int = 0) -> String {
    switch below(depth > 2 ? 7 : 20) {
    case 0...4: return pick(Self.hashable)
    case 5...6: return pick(Self.others)
    case 7...9: return "(\(type(depth + 1)))?"
    case 10: return "[\(type(depth + 1))]"
    case 11: return "[\(pick(Self.hashable)): \(type(depth + 1))]"
    case 12: return "Set<\(pick(Self.hashable))>"
    case 13: return "(\(type(depth + 1)), second: \(type(depth + 1)), \(type(depth + 1)))"
    case 14: return function(depth)
    case 15: return "Optional<\(type(depth + 1))>"
    case 16: return "Array<\(type(depth + 1))>"
    case 17: return "Box<\(type(depth + 1))>"
    case 18: return "Dictionary<\(pick(Self.hashable)), \(type(depth + 1))>"
    default: return "Outer.Holder<\(type(depth + 1))>.Slot"
    }
  }

  private mutating func function(_ depth: Int) -> String {
    let attribute = pick(["", "", "@Sendable ", "@MainActor @Sendable "])
    let effect = pick(["", "", " throws", " throws(Failure)"])
    var parameters: [String] = []
    for _ in 0..<below(3) { parameters.append(parameter(depth)) }
    if below(8) == 0 { parameters.append("Int...") }
    let result = below(3) == 0 ? pick(["Void", "()"]) : type(depth + 1)
    return "\(attribute)(\(parameters.joined(separator: ", ")))\(effect) -> \(result)"
  }

  private mutating func parameter(_ depth: Int) -> String {
    switch below(8) {
    case 0: "inout \(pick(Self.hashable))"
    case 1: "[Int]"
    case 2: "_ name: \(type(depth + 1))"
    case 3: "() -> Int"
    case 4: "@escaping () -> Int"
    default: "(\(type(depth + 1)))"
    }
  }

  // MARK: - Names

  private mutating func name() -> String {
    let word = pick([
      "name", "noteContent", "contentNote_App", "NoteTag", "date2Date", "größe", "日本語", "url",
      "URLList", "isOK", "_hidden", "app_Model_app", "kind", "Kind", "tagNoteKindOuter", "x", "$",
    ])
    count += 1
    return word == "$" ? "dollar$\(count)" : "\(word)\(count)"
  }

  // MARK: - Declarations

  private mutating func property(in isExtension: Bool) -> (text: String, use: String) {
    let name = name()
    let level = pick(["", "public ", "private ", "fileprivate ", "internal ", "package "])
    let order = below(4)
    let modifier = isExtension ? "" : pick(["", "", "final ", "dynamic "])
    let setter =
      level == "public " && below(4) == 0 ? pick(["private(set) ", "internal(set) "]) : ""
    var type = type()
    let isObject = ["Note", "Tag", "Outer.Inner"].contains(type)
    let isWeak = isObject && below(2) == 0
    if isWeak { type += "?" }
    if below(9) == 0, !isWeak { type = "(\(type))!" }
    let words = "\(level)\(setter)\(modifier)\(isWeak ? "weak " : "")var \(name): \(type)"
    let text =
      order == 0
      ? "@NSManaged /* one */\n  \(words)"
      : order == 1 ? "@NSManaged @nonobjc \(words)" : "@NSManaged \(words)"
    return ("  \(text)", "    \(name) = { \(name) }()")
  }

  private mutating func method() -> (text: String, use: String) {
    let word = "Tags\(count)"
    count += 1
    let level = pick(["", "public ", "private "])
    let forms = [
      ("addTo\(word)(_ value: Note)", "addTo\(word)(make())"),
      ("removeFrom\(word)(_ values: NSSet)", "removeFrom\(word)(make())"),
      ("addTo\(word)(_ values: Set<Tag>)", "addTo\(word)(make())"),
      ("insertInto\(word)(_ value: Tag, at idx: Int)", "insertInto\(word)(make(), at: 1)"),
      ("removeFrom\(word)(at indexes: NSIndexSet)", "removeFrom\(word)(at: make())"),
      ("removeFrom\(word)(at idx: Int)", "removeFrom\(word)(at: 1)"),
      ("replace\(word)(at idx: Int, with value: Note)", "replace\(word)(at: 1, with: make())"),
      (
        "replace\(word)(at indexes: NSIndexSet, with values: [Note])",
        "replace\(word)(at: make(), with: make())"
      ),
    ]
    let form = forms[below(forms.count)]
    return ("  @NSManaged \(level)func \(form.0)", "    \(form.1)")
  }

  /// Members of a class. Methods at the end of the file use each of them, so that none is left out of the object file.
  private mutating func members(_ number: Int, of holder: String, isExtension: Bool) -> String {
    var lines: [String] = []
    var uses: [String] = []
    for _ in 0..<number {
      let (text, use) = below(8) == 0 ? method() : property(in: isExtension)
      lines.append(text)
      uses.append(use)
    }
    count += 1
    self.uses +=
      "extension \(holder) {\n  func use\(count)() {\n" + uses.joined(separator: "\n")
      + "\n  }\n}\n"
    return lines.joined(separator: "\n") + "\n"
  }

  private mutating func takeUses() -> String {
    defer { uses = "" }
    return uses
  }

  /// Files with so many classes of each kind.
  mutating func files(_ size: Int = 8) -> [File] {
    var files = [File(name: "Types.swift", text: Self.types)]
    for (place, holder) in ["Note", "Tag", "Outer.Inner", "Größe", "NSManagedObject"].enumerated() {
      let level = pick(["", "private ", "fileprivate "])
      files.append(
        File(
          name: "Part\(place)+Extension.swift",
          text: """
            import CoreData
            extension \(holder) {
            \(members(40, of: holder, isExtension: true))}
            \(level)extension \(holder) {
            \(members(20, of: holder, isExtension: true))}

            """ + takeUses()))
    }
    for place in 0..<size {
      files.append(
        File(
          name: "Class\(place).swift",
          text: """
            import CoreData
            public class Class\(place): NSManagedObject {
            \(members(35, of: "Class\(place)", isExtension: false))
              class NestedClass\(place): NSManagedObject {
                enum Class\(place)Kind: Int { case one }
                @NSManaged var kind: Class\(place)Kind, kinds: [Class\(place)Kind: NestedClass\(place)]
            \(members(25, of: "Class\(place).NestedClass\(place)", isExtension: false))  }
            }
            extension Outer.Deep {
              class Inside\(place): NSManagedObject {
            \(members(20, of: "Outer.Deep.Inside\(place)", isExtension: false))  }
            }
            extension Data {
              class InData\(place): NSManagedObject {
                struct Value { var one = 1 }
                @NSManaged var value: Value, values: [Value]
            \(members(12, of: "Data.InData\(place)", isExtension: false))  }
            }

            """ + takeUses()))
    }
    return files
  }

  private static let types = """
    import CoreData
    public protocol Shape {}
    public protocol Sized {}
    public protocol Base {}
    public protocol Derived: Base {}
    public enum Failure: Error { case one }
    public struct Box<T> { var value: T }
    public struct Payload { var a = 1 }
    public typealias Identifier = UUID
    public typealias Table = [String: [Identifier]]
    public typealias Callback = (Identifier, Note) throws -> Void
    public class Note: NSManagedObject {}
    public class Tag: Note { public enum Kind: String { case a } }
    public class Größe: NSManagedObject {}
    public class Outer {
      public class Inner: NSManagedObject {}
      public struct Holder<T> { public struct Slot { var value: T } }
      public class Deep {}
    }
    public func make<T>() -> T { fatalError() }

    """
}
