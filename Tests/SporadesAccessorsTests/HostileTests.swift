// SPDX-License-Identifier: MIT
import SporadesAccessors
import Testing

/// No text ends the program or takes it long.
struct HostileTests {
  private static func read(_ text: String) {
    _ = AccessorFile.make(module: "App", sources: [SwiftSource(name: "A.swift", text: text)])
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "(", "[", "<", "{", "((Int) -> ", "Box<", "[Int: ", "(Int, ", "?", ".Type", "&", "@a ",
      "any ",
      "#if A\n", "#if A\n#else\n", "#elseif B\n", "class A { ", "extension A.B { ", "\"\\(", "/*",
      "/", "#/",
      "`", "\"\"\"", "typealias A = B; ", "typealias A = (A, A); ", "var a, ", "@NSManaged ", "a.",
      "!(",
      "protocol A: A {} ", "class A: A { @NSManaged var x: A.B.C } ", "extension A: A {} ", "\r",
      "é",
    ])
  func repeated(_ part: String) {
    for count in [1, 40, 1500] {
      let run = String(repeating: part, count: count)
      Self.read(run)
      Self.read("class A: NSManagedObject { @NSManaged var x: \(run)")
      Self.read("class A: NSManagedObject { \(run) @NSManaged var x: Int }")
    }
  }

  @Test func manyNames() {
    var text = ""
    for place in 0..<1000 {
      text += "class A\(place): NSManagedObject { @NSManaged var a\(place): A\(place)? }\n"
      text += "extension A\(place).B { class C {} }\n"
    }
    Self.read(text)
  }

  @Test(arguments: 0..<20) func damaged(_ seed: Int) {
    var random = RandomDeclarations(seed: UInt64(seed))
    var bytes = random.files(1).flatMap { Array($0.text.utf8) }
    for _ in 0..<40 {
      let place = random.below(bytes.count)
      switch random.below(3) {
      case 0: bytes[place] = UInt8(random.below(256))
      case 1: bytes.removeSubrange(place..<min(bytes.count, place + random.below(30)))
      default: bytes.insert(contentsOf: Array("(\"{/[`#@".utf8), at: place)
      }
    }
    Self.read(String(decoding: bytes, as: UTF8.self))
  }
}
