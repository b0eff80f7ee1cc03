// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `sporades port` makes sources for Apple's platforms compile on Linux, and changes nothing else.
struct PortTests {
  /// A source, and what becomes of it.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let before: String
    let after: String
    var testDescription: String { name }

    init(_ name: String, _ before: String, _ after: String) {
      (self.name, self.before, self.after) = (name, before, after)
    }
  }

  static let attributes = [
    Case(
      "a line of its own", "  @objc(Person)  // why\n  public class Person {}\n",
      "  #if canImport(ObjectiveC)\n  @objc(Person)  // why\n  #endif\n  public class Person {}\n"),
    Case(
      "before the declaration",
      "@objc(Person) class Person : Base {\n\t@objc dynamic var a = 1\n}\n",
      "#if canImport(ObjectiveC)\n@objc(Person)\n#endif\nclass Person : Base {\n\t#if canImport(ObjectiveC)\n\t@objc\n\t#endif\n\tdynamic var a = 1\n}\n"
    ),
    Case(
      "behind another attribute",
      "class A {\n  @discardableResult @objc func a() -> Int { 1 }\n}\n",
      "class A {\n  @discardableResult\n  #if canImport(ObjectiveC)\n  @objc\n  #endif\n  func a() -> Int { 1 }\n}\n"
    ),
    Case(
      "behind modifiers", "class A {\n  public private(set) @objc(b) static var a = 1\n}\n",
      "class A {\n  #if canImport(ObjectiveC)\n  @objc(b)\n  #endif\n  public private(set) static var a = 1\n}\n"
    ),
    Case(
      "in a line between modifiers", "class A {\n  public\n  @objc\n  func a() {}\n}\n",
      "class A {\n  #if canImport(ObjectiveC)\n  @objc\n  #endif\n  public\n  func a() {}\n}\n"),
    Case(
      "a blank before the name", "@objc (Person) @objcMembers\nfinal public class A {}\n",
      "#if canImport(ObjectiveC)\n@objc (Person) @objcMembers\n#endif\nfinal public class A {}\n"),
    Case(
      "two of them", "@objc @objcMembers public class A {}\n",
      "#if canImport(ObjectiveC)\n@objc @objcMembers\n#endif\npublic class A {}\n"),
    Case(
      "within braces", "class A { @objc func a() {} }\n",
      "class A {\n#if canImport(ObjectiveC)\n@objc\n#endif\nfunc a() {} }\n"),
    Case(
      "a case named as a modifier is none", "enum E {\n  case open\n  @objc func a() {}\n}\n",
      "enum E {\n  case open\n  #if canImport(ObjectiveC)\n  @objc\n  #endif\n  func a() {}\n}\n"),
    Case(
      "enum and accessor", "@objc\nenum E: Int { case a; var b: Int {\n @objc(c) get { 1 } } }\n",
      "#if canImport(ObjectiveC)\n@objc\n#endif\nenum E: Int { case a; var b: Int {\n #if canImport(ObjectiveC)\n @objc(c)\n #endif\n get { 1 } } }\n"
    ),
    Case(
      "a protocol is for classes",
      "@objc public protocol P {\n  func a()\n}\n@objc protocol Q: P {}\n",
      "#if canImport(ObjectiveC)\n@objc\n#endif\npublic protocol P: AnyObject {\n  func a()\n}\n#if canImport(ObjectiveC)\n@objc\n#endif\nprotocol Q: P {}\n"
    ),
    Case(
      "lines of Windows", "@objc\r\nclass A {}\r\n",
      "#if canImport(ObjectiveC)\r\n@objc\r\n#endif\r\nclass A {}\r\n"),
    Case(
      "texts, comments and other platforms",
      "// @objc\n/* @objc */ let a = \"@objc\"\n#if os(iOS)\n@objc class A {}\n#endif\nlet b = \"\"\"\n  @objc\n  \"\"\"\n",
      "// @objc\n/* @objc */ let a = \"@objc\"\n#if os(iOS)\n@objc class A {}\n#endif\nlet b = \"\"\"\n  @objc\n  \"\"\"\n"
    ),
  ]

  static let names = [
    Case(
      "key paths",
      "class A: Base {\n  var name = \"\", other = A()\n  func a() { f(#keyPath(A.name), #keyPath(name), #keyPath(Shop.A.other.name)) }\n}\n",
      "class A: Base {\n  var name = \"\", other = A()\n  func a() { f(\"name\", \"name\", \"other.name\") }\n}\n"
    ),
    Case(
      "a key path in a text",
      "import CoreData\nlet a = \"\\(#keyPath(NSManagedObject.objectID)) == %@\"\n",
      "import CoreData\nlet a = \"\\(\"objectID\") == %@\"\n"),
    Case(
      "imports", "import Foundation\nimport os.log\n@preconcurrency import Combine\nlet a = 1\n",
      "import Foundation\n#if canImport(os)\nimport os.log\n#endif\n#if canImport(Combine)\n@preconcurrency import Combine\n#endif\nlet a = 1\n"
    ),
    Case(
      "Core Data that XCTest hands on",
      "#if DEBUG\nimport Glibc\n#endif\n@testable import Shop\nimport XCTest\nlet a: NSManagedObject? = nil\n",
      "#if DEBUG\nimport Glibc\n#endif\nimport CoreData\n@testable import Shop\nimport XCTest\nlet a: NSManagedObject? = nil\n"
    ),
    Case(
      "a module for interfaces hands on Foundation", "import UIKit\nlet a = Date()\n",
      "#if canImport(UIKit)\nimport UIKit\n#else\nimport Foundation\n#endif\nlet a = Date()\n"),
  ]

  static let casts = [
    Case(
      "casts of requests",
      "let a = request as! NSFetchRequest<A>\nlet b = try #require(\n  A\n    .all()\n    .fetchRequest() as? NSFetchRequest<A>)\nlet c = f(x!.b[0].madeRequest as! NSFetchRequest<any NSFetchRequestResult>, 1)\n",
      "let a = unsafeDowncast(request, to: NSFetchRequest<A>.self)\nlet b = try #require(\n  Optional(unsafeDowncast(A\n    .all()\n    .fetchRequest(), to: NSFetchRequest<A>.self)))\nlet c = f(unsafeDowncast(x!.b[0].madeRequest, to: NSFetchRequest<any NSFetchRequestResult>.self), 1)\n"
    )
  ]

  private static func port(_ text: String, _ words: String...) throws -> (
    text: String, run: CommandRun
  ) {
    let folder = try WorkFolder()
    let file = folder.path("A.swift")
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    let run = try CommandRun(["port", folder.url.path] + words)
    return (String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self), run)
  }

  @Test(arguments: attributes + names + casts + PortClassTests.cases)
  func isChanged(one: Case) throws {
    let (text, run) = try Self.port(one.before, "--write")
    #expect(text == one.after)
    #expect(run.status == 0, "\(run.output)")
    let (again, second) = try Self.port(text, "--check")
    #expect(again == text)
    #expect(second.status == 0 && second.output.isEmpty, "\(second.output)")
    #expect(try Self.port(one.before, "--check").run.status == (one.before == one.after ? 0 : 1))
  }

  /// The compiler parses both sides of the conditions. Those of Apple's platforms are tried with another word for them.
  @Test(arguments: ["", "true"])
  func theCompilerParsesWhatIsWritten(condition: String) throws {
    let folder = try WorkFolder()
    var paths: [String] = []
    for (place, one) in (Self.attributes + Self.names + Self.casts + PortClassTests.cases)
      .enumerated()
    {
      let text =
        condition.isEmpty
        ? one.after : one.after.replacing("canImport(ObjectiveC)", with: condition)
      paths.append(folder.path("\(place).swift"))
      try Data(text.utf8).write(to: URL(fileURLWithPath: paths[place]))
    }
    let (status, output) = try Self.compile(["-frontend", "-parse", "-swift-version", "5"] + paths)
    #expect(status == 0 && !output.contains("error:"), "\(output)")
  }

  /// Runs the compiler.
  static func compile(_ words: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["swiftc"] + words
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  static let left = [
    ("@objc protocol P: Q {\n  @objc optional func a()\n}\n", 2, "optional requirements"),
    ("let a = #selector(A.b)\n", 1, "#selector(A.b) needs Objective-C"),
    ("let a = Selector(\"b\")\n", 1, "Selectors need"),
    ("import SwiftUI\nstruct A: View {}\n", 1, "The file uses View"),
    ("import Combine\nlet a = \"\\(Just(1))\"\n", 1, "The file uses Just"),
    ("import MapKit\n", 1, "no module MapKit"),
    ("class A: NSObject {}\nlet a = #keyPath(A.b)\n", 2, "has no property b"),
    ("let a = #keyPath(Operation.isReady)\n", 1, "without “is”"),
    (
      "class A: Base {\n  @objc(c) public var b = 1\n}\nlet a = #keyPath(A.b)\n", 4,
      "another name in Objective-C"
    ),
    ("let a = #keyPath(a[0])\n", 1, "no plain path"),
    ("let a = b?.request as! NSFetchRequest<A>\n", 1, "write unsafeDowncast(request"),
    (
      "func f(_ request: NSPersistentStoreRequest) {\n  f(request as? NSFetchRequest<A>)\n}\n", 2,
      "as? NSFetchRequest<A>"
    ),
  ]

  @Test(arguments: left)
  func isLeftToTheUser(text: String, line: Int, sentence: String) throws {
    let (after, run) = try Self.port(text, "--write")
    #expect(run.status == 1)
    let found = run.output.split(separator: "\n").filter { $0.contains(": left to you: ") }
    #expect(found.count == 1)
    #expect(found.first?.contains("A.swift:\(line):") == true, "\(run.output)")
    #expect(found.first?.contains(sentence) == true, "\(run.output)")
    #expect(try Self.port(after, "--write").text == after)
  }

  @Test(arguments: [
    "let a = b(.optional)\nfunc c() {}\n", "a.isOptional = b.optional\nvar c = 1\n",
  ])
  func isNoRequirement(text: String) throws {
    let (after, run) = try Self.port(text, "--write")
    #expect(after == text)
    #expect(run.status == 0, "\(run.output)")
  }

  @Test func aListChangesNothing() throws {
    let text = "import os\n@objc class A {}\nlet b = #selector(c)\n"
    let (after, run) = try Self.port(text, "--json")
    #expect(after == text)
    #expect(run.status == 0)
    let answer: [String: Any] = try run.json()
    let items = try #require(answer["items"] as? [[String: Any]])
    #expect(items.map { $0["kind"] as? String } == ["import", "attribute", "selector"])
    #expect(items.map { $0["isLeft"] as? Bool } == [false, false, true])
    #expect(items.map { $0["line"] as? Int } == [1, 2, 3])
    #expect(items.map { $0["column"] as? Int } == [1, 1, 9])
  }

  @Test func modelsTellThePropertiesOfTheirClasses() throws {
    let folder = try WorkFolder()
    let model = folder.url.appending(path: "Shop.xcdatamodel")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    try Data(
      "<model><entity name=\"Order\" representedClassName=\"Order\"><attribute name=\"isPaid\" attributeType=\"Boolean\"/></entity></model>"
        .utf8
    ).write(to: model.appending(path: "contents"))
    let file = URL(fileURLWithPath: folder.path("A.swift"))
    try Data("let a = #keyPath(Order.isPaid), b = #keyPath(Order.sum)\n".utf8).write(to: file)
    let run = try CommandRun("port", folder.url.path, "--write")
    #expect(run.status == 1 && run.output.contains("Order has no property sum"), "\(run.output)")
    #expect(
      try String(contentsOf: file, encoding: .utf8)
        == "let a = \"isPaid\", b = #keyPath(Order.sum)\n")
  }

  @Test func aFileKeepsItsRightsAndItsOtherBytes() throws {
    let folder = try WorkFolder()
    let path = folder.path("A.swift")
    let tail: [UInt8] = [0x2F, 0x2F, 0xFF, 0xFE, 0x0A]
    try (Data("@objc\nclass A {}\n".utf8) + tail).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    #expect(try CommandRun("port", path, "--write").status == 0)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(
      bytes == Data("#if canImport(ObjectiveC)\n@objc\n#endif\nclass A {}\n".utf8) + Data(tail))
    let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(rights as? Int == 0o640)
  }

  @Test(arguments: [
    "@objc ", "public ", "@objc(", "#selector(", "class A: B { init", "import Combine\n",
    "#keyPath(a.", "x.addObserver(self, selector: #selector(a), name: ",
  ])
  func sourceWithoutEndIsReadToItsEnd(piece: String) throws {
    let run = try Self.port(String(repeating: piece, count: 20_000), "--json").run
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func checkAndWriteExcludeEachOther() throws {
    #expect(try Self.port("", "--check", "--write").run.status == 2)
  }
}
