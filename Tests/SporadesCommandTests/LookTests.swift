// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The verbs that look at a store, on a store with known contents.
@Suite struct LookTests {
  private let folder: WorkFolder
  private let shop: ShopStore

  init() throws {
    folder = try WorkFolder()
    shop = try ShopStore(in: folder)
  }

  @Test func inspectCountsTheRowsOfEachEntity() throws {
    let run = try CommandRun("inspect", shop.path, "--json")
    #expect(run.status == 0, "\(run.errors)")
    let report: [String: Any] = try run.json()
    #expect(report["model"] as? String == "cached")
    #expect((report["uuid"] as? String)?.count == 36)
    let entities = try #require(report["entities"] as? [String: [String: Any]])
    #expect(entities["Customer"]?["count"] as? Int == 5)
    #expect(entities["Order"]?["count"] as? Int == 6)
  }

  @Test func inspectPrintsATableForPeople() throws {
    let run = try CommandRun("inspect", shop.path)
    #expect(run.status == 0)
    #expect(run.output.contains("\nCustomer     5           8              1"), "\(run.output)")
    #expect(!run.output.contains("\u{1B}"))
  }

  @Test func aTerminalHasColourUnlessItsUserWantsNone() throws {
    let coloured = try CommandRun(onTerminal: 100, "inspect", shop.path)
    #expect(coloured.status == 0)
    #expect(coloured.output.contains("\u{1B}[1mStore"))
    let plain = try CommandRun(
      onTerminal: 100, "inspect", shop.path, environment: ["NO_COLOR": "1"])
    #expect(!plain.output.contains("\u{1B}"))
    #expect(plain.output.contains("Customer"))
  }

  @Test func dumpPrintsALineOfJSONForEachObject() throws {
    let run = try CommandRun("dump", shop.path, "Customer")
    #expect(run.status == 0, "\(run.errors)")
    let lines = try run.lines()
    #expect(lines.count == 5)
    let first = lines[0]
    #expect(first["objectID"] as? String == "Customer/1")
    #expect(first["name"] as? String == "Customer 1")
    #expect(first["age"] as? Int == 16)
    #expect(first["joined"] as? String == "2001-01-02T00:00:00Z")
    #expect((first["balance"] as? NSNumber)?.doubleValue == 0.25)
    #expect(first["photo"] as? String == "AQID")
    #expect(first["code"] as? String == "0F0E0D0C-0B0A-0908-0706-050403020100")
    #expect(lines[1]["age"] is NSNull)
    #expect(lines[2]["name"] as? String == "O'Hara \"Ann\"")
    #expect(lines[3]["isActive"] as? Bool == false)
  }

  @Test func dumpPrintsATableOnATerminalThatIsAsWideAsIt() throws {
    let run = try CommandRun(
      onTerminal: 60, "dump", shop.path, "Customer", environment: ["NO_COLOR": "1"])
    #expect(run.status == 0)
    let all = run.output.split(separator: "\n")
    #expect(all[0].hasPrefix("The terminal is too narrow for 9 columns."))
    let lines = Array(all.dropFirst())
    #expect(lines.count == 6)
    #expect(lines.allSatisfy { $0.count <= 60 }, "\(run.output)")
    #expect(lines[0].contains("name"))
  }

  @Test func dumpChoosesRowsAndColumns() throws {
    let run = try CommandRun(
      "dump", shop.path, "Order", "--where", "total > $least AND customer.city == $city", "--arg",
      "least=2", "--arg", "city=Kiel", "--columns", "number,customer.name, total * 2", "--sort",
      "number desc", "--limit", "1")
    #expect(run.status == 0, "\(run.errors)")
    let lines = try run.lines()
    #expect(lines.count == 1)
    #expect(lines[0]["number"] as? Int == 40)
    #expect(lines[0]["customer.name"] as? String == "Customer 4")
    #expect((lines[0]["total * 2"] as? NSNumber)?.doubleValue == 12)
  }

  @Test func aDumpOfManyObjectsHasEachOfThemInTheirOrder() throws {
    let large = try ShopStore(in: folder, named: "Large.sqlite", customers: 9_000)
    let run = try CommandRun(
      "dump", large.path, "Customer", "--columns", "name,age", "--sort", "age desc")
    #expect(run.status == 0, "\(run.errors)")
    let ages: [Int?] = try run.lines().map { $0["age"] as? Int }
    #expect(ages.count == 9_000)
    let expected = (1...9_000).filter { $0 != 2 }.reversed().map { 15 + $0 }
    #expect(ages.compactMap(\.self) == expected)
    #expect(ages.last == .some(nil))
  }

  // MARK: - Queries

  private func query(_ words: String...) throws -> CommandRun {
    try CommandRun(["query", shop.path] + words)
  }

  @Test func aQueryHasClauses() throws {
    let run = try query("Customer where age > 16 showing name as who sorted by name desc limit 2")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.lines().map { $0["who"] as? String } == ["O'Hara \"Ann\"", "Customer 5"])
  }

  @Test func aQueryGroups() throws {
    let run = try query(
      "Customer grouped by city showing city, count(), average(age) as mean having count() > 1 sorted by city"
    )
    #expect(run.status == 0, "\(run.errors)")
    let lines = try run.lines()
    #expect(lines.map { $0["city"] as? String } == ["Kiel", "Ulm"])
    #expect(lines.map { $0["count()"] as? Int } == [2, 3])
    #expect(lines.map { ($0["mean"] as? NSNumber)?.doubleValue } == [19, 18])
  }

  @Test func anOrderMayNameAColumn() throws {
    let run = try query("Customer showing name, orders.@count as n sorted by n desc, name limit 1")
    #expect(try run.lines().first?["name"] as? String == "Customer 2", "\(run.errors)")
  }

  @Test func aQueryCounts() throws {
    let run = try query("count Customer where city == 'Ulm'")
    #expect(run.output == "{\"count\":3}\n")
  }

  @Test func whatIsInAnArgumentIsNoLanguage() throws {
    let name = "O'Hara \"Ann\""
    let run = try query("Customer where name == $name showing age", "--arg", "name=\(name)")
    #expect(run.output == "{\"age\":18}\n")
    let hostile = try query(
      "count Customer where name == $name", "--arg", "name=' OR TRUEPREDICATE OR name == '")
    #expect(hostile.output == "{\"count\":0}\n")
  }

  @Test func anArgumentHasTheTypeOfItsAttribute() throws {
    for (condition, argument, count) in [
      ("age IN {$x, 17}", "x=16", 1), ("joined < $x", "x=2001-01-03", 1),
      ("SELF == $x", "x=Customer/3", 1),
      ("code == $x", "x=0f0e0d0c-0b0a-0908-0706-050403020100", 1), ("isActive == $x", "x=false", 1),
      ("balance >= $x", "x=1.25", 1), ("orders.@count == $x", "x=2", 2),
    ] {
      let run = try query("count Customer where \(condition)", "--arg", argument)
      #expect(run.output == "{\"count\":\(count)}\n", "\(condition): \(run.errors)")
    }
    let wrong = try query("Customer where age == $x", "--arg", "x=old")
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("--arg x=old"), "\(wrong.errors)")
  }

  @Test(arguments: [
    ("Custmer", "The nearest name is Customer."),
    ("Customer where agee > 1 limit 3", "                 ^"),
    ("Customer where age >", "                     ^"),
    ("Customer whre age > 1", "The nearest clause is where."),
    ("Customer where age > 1 limit many", "limit needs a whole number"),
    ("Customer limit", "Nothing follows limit."),
    ("Customer limit 1 limit 2", "There are two clauses limit."),
    ("Customer showing nme", "The nearest name is name."),
    ("Customer having age > 1", "having needs groups"),
    ("Customer where age == $x", "$x has no value; add --arg x=VALUE."),
    ("", "The query is empty."),
  ])
  func mistakesAreShownAtTheirPlace(_ text: String, _ sentence: String) throws {
    let run = try query(text)
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(run.errors.contains(sentence), "\(run.errors)")
  }

  @Test func aPropertyMayHaveTheNameOfAClause() throws {
    let run = try query("Order where number in {10} sorted by number")
    #expect(try run.lines().count == 1, "\(run.errors)")
  }

  @Test func explainEndsWithOneIfEveryRowIsRead() throws {
    let run = try CommandRun("explain", shop.path, "Customer where age > 16")
    #expect(run.status == 1)
    #expect(run.output.contains("Reads every row of Customer"), "\(run.output)")
    let keyed = try CommandRun(
      "explain", shop.path, "Customer where SELF == $id", "--arg", "id=Customer/1", "--json")
    #expect(keyed.status == 0, "\(keyed.errors)")
    #expect(try keyed.json([String: Any].self)["servedByIndexes"] as? Bool == true)
  }
}
