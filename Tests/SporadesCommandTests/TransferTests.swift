// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// Objects of entities without unique values on their way through files, and what the program says of them.
@Suite struct TransferTests {
  private let folder: WorkFolder
  private let shop: ShopStore

  init() throws {
    folder = try WorkFolder()
    shop = try ShopStore(in: folder)
  }

  @Test func linksGoByAnAttributeThatAnOptionNames() throws {
    let file = folder.path("orders.csv")
    let plain = try CommandRun("export", shop.path, "Order", "--to", file)
    #expect(plain.status == 1 && plain.errors.contains("--related RELATIONSHIP=ATTRIBUTE"))
    let related = ["--related", "customer=name", "--delimiter", ";"]
    let export = try CommandRun(
      ["export", shop.path, "Order", "--to", file, "--replace"] + related)
    #expect(export.status == 0, "\(export.errors)")
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("number;total;customer"))

    let target = folder.path("Copy.sqlite")
    #expect(try CommandRun("copy", shop.path, target).status == 0)
    let wrong = try CommandRun("import", target, "Order", file)
    #expect(wrong.status == 2 && wrong.errors.contains("--delimiter \";\""))
    let run = try CommandRun(["import", target, "Order", file, "--key", "number"] + related)
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(run.output.contains("0 made"))
  }

  @Test func keysThatFitNoPropertyAreAFinding() throws {
    let file = folder.path("strange.json")
    try Data(#"[{"name": "a", "body": "b"}]"#.utf8).write(to: URL(fileURLWithPath: file))
    let run = try CommandRun("import", shop.path, "Customer", file, "--dry-run")
    #expect(run.status == 1 && run.output.contains("unknown keys: body"))
  }

  @Test func adviceIsInTheWordsOfTheCommandLine() throws {
    let group = try CommandRun(
      "query", shop.path, "Order grouped by customer showing customer.name, count()")
    #expect(group.status == 2 && group.errors.contains("behind grouped by"))
    let date = try CommandRun("dump", shop.path, "Customer", "--where", #"joined > "2026-01-01""#)
    #expect(date.status == 2 && date.errors.contains("--arg NAME=VALUE"))
    let model = try CommandRun("inspect", shop.path, "--model", folder.path("no.xcdatamodeld"))
    #expect(model.status == 3 && model.errors.contains("there is nothing"))
    for run in [group, date, model] {
      for word in ["propertiesTo", "%@", "CocoaError"] { #expect(!run.errors.contains(word)) }
    }
  }

  @Test func aForetoldLossNamesTheOptionThatAllowsIt() throws {
    let model = folder.path("Shop.xcdatamodel")
    #expect(try CommandRun("convert", shop.path, "--to", model).status == 0)
    let contents = URL(fileURLWithPath: model).appendingPathComponent("contents")
    let text = try String(contentsOf: contents, encoding: .utf8)
    let lines = text.split(separator: "\n").filter { !$0.contains("name=\"city\"") }
    try Data(lines.joined(separator: "\n").utf8).write(to: contents)
    for words in [[], ["--json"]] {
      let run = try CommandRun(["migrate", shop.path, "--models", model, "--dry-run"] + words)
      #expect(run.status == 1 && run.output.contains("--allow-losses"), "\(run.output)")
      #expect(!run.output.contains("migration.losses"))
    }
  }

  @Test func aMistakeInAConditionIsSaidOnce() throws {
    let run = try CommandRun("export", shop.path, "Customer", "--where", "nam == 'a'")
    #expect(run.status == 2)
    #expect(run.errors.split(separator: "\n").count == 1 && run.errors.contains("name"))
  }

  @Test func aModelOfAnotherVersionIsTold() throws {
    let pets = try PetModel.writeVersions(in: folder)
    let run = try CommandRun("inspect", shop.path, "--model", pets)
    #expect(run.errors.contains("another version of the model"))
  }

  @Test func aCopyWithoutItsLogIsSuspected() throws {
    let path = folder.path("Empty.sqlite")
    try Data().write(to: URL(fileURLWithPath: path))
    let store = try SQLiteStore(
      path: folder.path("Open.sqlite"), model: try ManagedObjectModel([Customer.self, Order.self]))
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: folder.path("Open.sqlite"), toPath: path)
    let run = try CommandRun("inspect", path)
    try store.close()
    #expect(run.status == 3)
    #expect(run.errors.contains("Empty.sqlite-wal") || run.errors.contains("is empty"))
  }

  @Test(arguments: ["Testing", "SporadesModel", "Sporades"])
  func aPackageHasNoNameOfAModule(_ name: String) throws {
    let run = try CommandRun("new", name, "--sporades", folder.path(""), in: folder.url)
    #expect(run.status == 2 && run.errors.contains("the name of a module"))
  }

  @Test func aNarrowTerminalIsTold() throws {
    let run = try CommandRun(onTerminal: 40, "dump", shop.path, "Customer")
    #expect(run.output.contains("too narrow for"))
  }

  @Test func nearWordsOfTheProgramAreNamed() throws {
    #expect(try CommandRun("--verson").errors.contains("--version"))
  }
}
