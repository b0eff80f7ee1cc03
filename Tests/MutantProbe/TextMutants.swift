// SPDX-License-Identifier: MIT
import Foundation
import SporadesContainers
import SporadesGraph
import SporadesModel
import SporadesModelFiles
import SporadesSQLite
import SporadesStore

/// Damaged texts that a program gets from people and files: predicates, orders, ids and models.
enum TextMutants {
  // MARK: - Predicates

  private static let words = [
    "name", "age", "count", "height", "wealth", "born", "isAdult", "code", "page", "pets", "owner",
    "friends", "boss", "SELF", "ANY", "ALL", "NONE", "SOME", "NOT", "AND", "OR", "==", "!=", "<",
    ">=",
    "BETWEEN", "IN", "LIKE[cd]", "CONTAINS[c]", "BEGINSWITH", "ENDSWITH", "MATCHES", "(", ")", "{",
    "}",
    ",", ".", "@count", "@sum", "@avg", "@min", "+", "-", "*", "/", "nil", "TRUE", "0", "1",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e999", "-1e999", "0x7f",
    "0xFFFFFFFFFFFFFFFFF", "0b1", "1.5", "1e400000000", "'a'", "\"b\\u0041\"", "'\\uD800'", "\"\\",
    "$x", "%@", "%d", "%K", "%", "%%", "CAST('1e400000', 'NSDecimalNumber')",
    "CAST(1e300, 'NSDate')", "CAST('nan', 'NSNumber')", "CAST('inf', 'NSNumber')", "FUNCTION(",
    "now()",
    "SUBQUERY(", "pets.name", "boss.boss.boss.name", "TRUEPREDICATE", "\u{0}", "é", "𝄞", "#name",
    "`",
  ]

  static func predicate(_ random: inout Randomness, _ base: BaseStore) throws {
    var parts = (0..<1 + random.below(12)).map { _ in random.one(of: words) }
    // Half of the texts begin well, so that they get past the parser.
    if random.below(2) == 0 {
      let sums = (0..<random.below(3)).map { _ in " * \(random.one(of: words))" }.joined()
      parts = [
        random.one(of: ["age", "count", "height", "wealth", "born", "name", "pets.@count"]), sums,
        random.one(of: ["==", "<", ">=", "!="]), random.one(of: words),
      ]
    }
    if random.below(10) == 0 {
      let depth = random.one(of: [10, 60, 3_000])
      parts = Array(repeating: random.one(of: ["(", "NOT", "{", "-", "("]), count: depth) + parts
    }
    let format = parts.joined(separator: random.below(4) == 0 ? "" : " ")
    let predicate = try FetchPredicate(format: format, argumentArray: [])
    _ = try FetchPredicate(format: "\(predicate)", argumentArray: [])
    let store = try SQLiteStore(path: base.path, model: base.model)
    defer { try? store.close() }  // It wrote nothing that could be lost.
    guard let person = base.model.shape(named: "Person") else { return }
    _ = try store.rows(StoreFetch(person, where: predicate), in: .committed)
    try DataStack(store: store).newContext().performAndWait { context in
      // With a change, the context answers from memory.
      let made = try context.insert(entityNamed: "Person")
      made["age"] = .integer(Int64(Int16.max))
      made["count"] = .integer(.max)
      made["height"] = .double(.infinity)
      made["wealth"] = .decimal(.greatestFiniteMagnitude)
      made["born"] = .date(Date(timeIntervalSinceReferenceDate: 1e300))
      _ = try context.fetch(FetchRequest("Person", where: predicate))
    }
  }

  // MARK: - Orders, bounds and ids

  static func words(_ random: inout Randomness, _ base: BaseStore) throws {
    let parse: (String, Bool) throws -> [SortTerm] = SortTerm.parse(_:ascending:)
    let pieces = [
      "name", "age", ":", ",", "NO", " ", ".", "boss", "desc", "\u{0}", "-", "é", "pets",
    ]
    let text = (0..<random.below(8)).map { _ in random.one(of: pieces) }.joined()
    let store = try SQLiteStore(path: base.path, model: base.model)
    defer { try? store.close() }  // It wrote nothing that could be lost.
    let coordinator = PersistentStoreCoordinator(model: base.model)
    try coordinator.addPersistentStore(store)
    let number = random.one(of: [
      "1", "0", "-1", "549755813887", "549755813888", "9223372036854775808", "", "+1", "1e3", "٣",
    ])
    let uri =
      "x-coredata://\(random.one(of: [store.identifier, "", "a b", "\u{0}"]))/"
      + "\(random.one(of: ["Person", "Pet", "", "?"]))/\(random.one(of: ["p", "t", ""]))\(number)"
    var refusals = Refusals()
    let bounds = [0, 1, 5, -1, .max, .max - 1, .min]
    try DataStack(store: coordinator).newContext().performAndWait { context in
      try refusals.attempt {
        var request = FetchRequest("Person", sortedBy: try parse(text, true))
        request.fetchLimit = random.one(of: bounds)
        request.fetchOffset = random.one(of: bounds)
        request.fetchBatchSize = random.one(of: bounds)
        if random.below(2) == 0 { _ = try context.insert(entityNamed: "Person") }
        _ = try context.fetch(request)
        _ = try context.count(request)
      }
      try refusals.attempt {
        guard let url = URL(string: uri),
          let id = coordinator.managedObjectID(forURIRepresentation: url)
        else { return }
        _ = try context.existingObject(with: id)
      }
    }
    try refusals.check()
  }

  // MARK: - Models

  private static let contents = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
      <entity name="Dog" representedClassName="Hound" syncable="YES">
        <attribute name="name" optional="YES" attributeType="String" minValueString="1"/>
        <attribute name="weight" attributeType="Integer 64" defaultValueString="1"/>
        <attribute name="price" attributeType="Decimal" defaultValueString="0.0"/>
        <attribute name="born" attributeType="Date" defaultDateTimeInterval="0"/>
        <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Keeper" inverseName="dogs" inverseEntity="Keeper"/>
        <fetchIndex name="byName"><fetchIndexElement property="name" type="Binary" order="ascending"/>\
    </fetchIndex>
      </entity>
      <entity name="Keeper" syncable="YES">
        <relationship name="dogs" optional="YES" toMany="YES" minCount="0" maxCount="9" \
    deletionRule="Cascade" destinationEntity="Dog" inverseName="owner" inverseEntity="Dog"/>
        <attribute name="name" optional="YES" attributeType="String"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint>\
    </uniquenessConstraints>
      </entity>
      <fetchRequest name="heavyDogs" entity="Dog" predicateString="weight &gt; $LIMIT" fetchLimit="3"/>
    </model>
    """

  private static let odd = [
    "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e999", "nan", "-inf",
    "",
    "2147483648", "1e400000000", "0x10", "YES", "Dog", "Keeper", "&#x10FFFF;", "&#0;", "((((", "é",
  ]

  static func model(_ random: inout Randomness) throws {
    var text = contents
    for _ in 0..<random.below(3) {
      // One value of an attribute changes. Numbers change twice as often.
      let numbers = [
        "minValueString=\"", "defaultValueString=\"", "minCount=\"", "maxCount=\"",
        "defaultDateTimeInterval=\"", "fetchLimit=\"", "predicateString=\"",
      ]
      let name = random.below(3) > 0 ? random.one(of: numbers) : "=\""
      let starts = text.ranges(of: name).map(\.upperBound)
      let start = random.one(of: starts)
      let end = text[start...].firstIndex(of: "\"") ?? start
      text.replaceSubrange(start..<end, with: random.one(of: odd))
    }
    var bytes = Array(text.utf8)
    if random.below(3) == 0 { random.damage(&bytes, times: 1 + random.below(3)) }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "contents-\(UUID().uuidString)")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }  // One of the temporary files.
    _ = try SQLiteStore(inMemory: try ManagedObjectModel(contentsOf: file))
  }
}
