// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `sporades port` gives managed classes the initializer that contexts call, and observers a block.
struct PortClassTests {
  static let cases = [
    PortTests.Case(
      "a private initializer becomes required",
      "public final class A: NSManagedObject {\n  override private init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {\n    super.init(entity: entity, insertInto: context)\n  }\n}\n",
      "public final class A: NSManagedObject {\n  required override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {\n    super.init(entity: entity, insertInto: context)\n  }\n}\n"
    ),
    PortTests.Case(
      "private comes first",
      "class A: NSManagedObject {\n  @objc\n  private override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {\n    super.init(entity: entity, insertInto: context)\n  }\n}\n",
      "class A: NSManagedObject {\n  #if canImport(ObjectiveC)\n  @objc\n  #endif\n  required override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {\n    super.init(entity: entity, insertInto: context)\n  }\n}\n"
    ),
    PortTests.Case(
      "a class gets the initializer",
      "class Base: NSManagedObject {}\nopen class A: Base {\n    init(context: NSManagedObjectContext, name: String) {\n        super.init(entity: Self.entity(), insertInto: context)\n    }\n}\n",
      "class Base: NSManagedObject {}\nopen class A: Base {\n    init(context: NSManagedObjectContext, name: String) {\n        super.init(entity: Self.entity(), insertInto: context)\n    }\n\n    public required override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {\n        super.init(entity: entity, insertInto: context)\n    }\n}\n"
    ),
    PortTests.Case(
      "classes without initializers, and those of others",
      "class A: NSManagedObject {\n  var a = 1\n  convenience init(x: Int) { self.init() }\n}\nclass B<T: C>: NSObject {\n  init(x: Int) {}\n  let y = A.init(x: 1)\n}\n",
      "class A: NSManagedObject {\n  var a = 1\n  convenience init(x: Int) { self.init() }\n}\nclass B<T: C>: NSObject {\n  init(x: Int) {}\n  let y = A.init(x: 1)\n}\n"
    ),
    PortTests.Case(
      "overrides of an extension move into the class",
      "public class A: NSManagedObject {\n  var a = 1\n}\n\npublic extension A {\n  var b: Int { 2 }\n\n  /// The entity.\n  override class func entity() -> NSEntityDescription {\n    other { $0 }\n  }\n\n  @objc\n  override func awakeFromFetch() { super.awakeFromFetch() }  // why\n\n  func c() {}\n}\n",
      "public class A: NSManagedObject {\n  var a = 1\n\n  /// The entity.\n  public override class func entity() -> NSEntityDescription {\n    other { $0 }\n  }\n\n  #if canImport(ObjectiveC)\n  @objc\n  #endif\n  public override func awakeFromFetch() { super.awakeFromFetch() }  // why\n}\n\npublic extension A {\n  var b: Int { 2 }\n\n  func c() {}\n}\n"
    ),
    PortTests.Case(
      "overrides before their class, and in one line",
      "extension O.A { override var b: Int { 1 } }\nextension A {\n  override open subscript(a: Int) -> Int { get { 1 } }\n}\nenum O {\n  class A: B {}\n}\n",
      "extension O.A { }\nextension A {\n}\nenum O {\n  class A: B {\noverride var b: Int { 1 }\n\n  override open subscript(a: Int) -> Int { get { 1 } }\n  }\n}\n"
    ),
    PortTests.Case(
      "an observer",
      "final class A {\n  init() {\n    NotificationCenter.default.addObserver(\n      self, selector: #selector(A.changed(note:)), name: .some(\"a\", 1), object: nil)\n  }\n  deinit { NotificationCenter.default.removeObserver(self) }\n  @objc func changed(note: Notification) {}\n}\n",
      "final class A {\n  init() {\n    #if canImport(ObjectiveC)\n    NotificationCenter.default.addObserver(\n      self, selector: #selector(A.changed(note:)), name: .some(\"a\", 1), object: nil)\n    #else\n    do {\n      // The block stays when the object has gone, and does nothing then.\n      nonisolated(unsafe) weak let observer = self\n      _ = NotificationCenter.default.addObserver(forName: .some(\"a\", 1), object: nil, queue: nil) {\n        observer?.changed(note: $0)\n      }\n    }\n    #endif\n  }\n  deinit { NotificationCenter.default.removeObserver(self) }\n  #if canImport(ObjectiveC)\n  @objc\n  #endif\n  func changed(note: Notification) {}\n}\n"
    ),
  ]

  @Test(arguments: [
    "extension A {\n  override func a() {}\n}\n",
    "class A<T>: B {}\nextension A where T: C {\n  override var a: Int { 1 }\n}\n",
  ])
  func anOverrideWhoseClassIsElsewhereIsLeft(text: String) throws {
    let items = try Self.items(text)
    #expect(items.count == 1 && items[0]["kind"] as? String == "override")
    #expect(items[0]["isLeft"] as? Bool == true)
  }

  private static func items(_ text: String) throws -> [[String: Any]] {
    let folder = try WorkFolder()
    try Data(text.utf8).write(to: folder.url.appending(path: "A.swift"))
    let answer: [String: Any] = try CommandRun("port", folder.url.path, "--json").json()
    return try #require(answer["items"] as? [[String: Any]])
  }

  private static func observer(_ method: String, _ call: String, also: String = "") -> String {
    "final class A {\n  \(method)\n  func start() {\n    \(call)\n  }\n\(also)}\n"
  }

  private static let plain =
    "center.addObserver(self, selector: #selector(changed), name: nil, object: nil)"

  @Test(arguments: [
    observer(
      "func changed() {}",
      "center.addObserver(other, selector: #selector(changed), name: nil, object: nil)"),
    observer("func changed() {}", "let x = " + plain), observer("", plain),
    observer("func changed(a: Int, b: Int) {}", plain),
    observer("func changed() async {}", plain),
    "class A {\n  func changed() {}\n  static func all() throws -> [Int] {\n    if a { b {\n      \(plain)\n    } }\n  }\n}\n",
    observer("func changed() {}\n  func changed(_ a: Notification) {}", plain),
    observer("func changed() {}", plain, also: "  func stop() { center.removeObserver(self) }\n"),
  ])
  func anObserverThatABlockCannotReplaceIsLeft(text: String) throws {
    let items = try Self.items(text)
    #expect(items.count == 1)
    #expect(items.first?["isLeft"] as? Bool == true, "\(items)")
    #expect(items.first?["kind"] as? String == "selector")
  }

  @Test func aPropertyWithoutAValueIsNamed() throws {
    let items = try Self.items(
      "class A: NSManagedObject {\n  @NSManaged var a: Int\n  var b: Int?\n  lazy var c: Int = 1\n  var d: Int { 1 }\n  let e: Int\n  init(x: Int) {}\n}\n"
    )
    #expect(items.count == 1)
    #expect(items.first?["isLeft"] as? Bool == true)
    #expect((items.first?["sentence"] as? String)?.contains("a value for e") == true, "\(items)")
  }

  /// The initializers and the block compile over a base class as that of the module CoreData is, and the block does what
  /// the selector does.
  @Test(arguments: ["5", "6"])
  func theChangedSourceRuns(language: String) throws {
    let folder = try WorkFolder()
    let base = """
      import Foundation
      public class NSEntityDescription { public init() {} }
      public class NSManagedObjectContext {}
      open class NSManagedObject {
        public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {}
        public class func make(_ type: NSManagedObject.Type) -> NSManagedObject {
          type.init(entity: NSEntityDescription(), insertInto: nil)
        }
      }
      """
    let program = """
      import Foundation
      public final class Note: NSManagedObject {
        var text = "made"
        init(text: String) {
          super.init(entity: NSEntityDescription(), insertInto: nil)
          self.text = text
        }
        override private init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
          super.init(entity: entity, insertInto: context)
        }
      }
      open class Other: NSManagedObject {
        init(x: Int) { super.init(entity: NSEntityDescription(), insertInto: nil) }
      }
      final class Watcher {
        private var count = 0
        init() {
          NotificationCenter.default.addObserver(
            self, selector: #selector(heard(_:)), name: Notification.Name("a"), object: nil)
        }
        @objc private func heard(_ note: Notification) {
          count += 1
          print("heard", count)
        }
      }
      @main enum Program {
        static func main() {
          print((NSManagedObject.make(Note.self) as? Note)?.text ?? "", Note(text: "own").text)
          print(NSManagedObject.make(Other.self) is Other)
          var watcher: Watcher? = Watcher()
          NotificationCenter.default.post(name: Notification.Name("a"), object: nil)
          watcher = nil
          NotificationCenter.default.post(name: Notification.Name("a"), object: nil)
          print(watcher == nil)
        }
      }

      """
    let paths = ["Base.swift", "Program.swift"].map(folder.path)
    for (path, text) in zip(paths, [base, program]) {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
    #expect(try CommandRun("port", paths[1], "--write").status == 0)
    let module = try PortTests.compile([
      "-emit-module", "-emit-library", "-static", "-module-name", "CoreData", "-parse-as-library",
      "-emit-module-path", folder.path("CoreData.swiftmodule"), "-o", folder.path("libCoreData.a"),
      paths[0],
    ])
    #expect(module.status == 0, "\(module.output)")
    let (status, output) = try PortTests.compile([
      "-parse-as-library", "-swift-version", language, "-o", folder.path("program"), "-I",
      folder.url.path, "-L", folder.url.path, "-lCoreData", paths[1],
    ])
    #expect(status == 0, "\(output)")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: folder.path("program"))
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(String(decoding: bytes, as: UTF8.self) == "made own\ntrue\nheard 1\ntrue\n")
  }
}
