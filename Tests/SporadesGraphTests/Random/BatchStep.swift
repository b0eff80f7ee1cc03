// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesTesting

/// One step of a random run of batches. Its numbers choose among the objects that there are.
struct BatchStep: CustomStringConvertible, Sendable {
  enum Kind: CaseIterable, Sendable {
    case populate, changeListener, saveListener, update, delete, insert
  }

  let kind: Kind
  let numbers: [Int]

  private static let all: [Kind] = [
    .populate, .populate, .changeListener, .changeListener, .changeListener, .saveListener, .update,
    .update, .update, .delete, .delete, .insert,
  ]

  init(_ random: inout SeededGenerator) {
    kind = Self.all[Int.random(in: 0..<Self.all.count, using: &random)]
    numbers = (0..<6).map { _ in Int.random(in: 0..<5040, using: &random) }
  }

  var description: String { "\(kind)\(numbers)" }

  // MARK: - Objects

  /// Adds objects with random links among themselves and to earlier ones.
  func populate(_ context: ManagedObjectContext, from number: Int) throws {
    var random = SeededGenerator(seed: UInt64(numbers[0]))
    func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
    let aisle = Aisle.create(in: context)
    aisle.number = number
    let maker = Maker.create(in: context)
    maker.number = number
    let sticker = Sticker.create(in: context)
    sticker.number = number
    if chance(2) { aisle.extras = [sticker] }
    var wares: [Ware] = try Ware.all(sortedBy: \.number, limit: 3, in: context)
    for place in 0..<4 {
      let ware =
        chance(3)
        ? GiftWare.make(number + place, price: Double(place), in: context)
        : Ware.make(number + place, price: Double(place), in: context)
      if chance(2) { ware.aisle = aisle }
      if chance(2) { ware.windowOf = aisle }
      if chance(5) { ware.maker = maker }
      if chance(2) { ware.stickers = [sticker] }
      if chance(2) { ware.whole = wares.randomElement(using: &random) }
      if chance(2), let other = wares.randomElement(using: &random) { ware.similar.insert(other) }
      if chance(2) {
        let tally = Tally.create(in: context)
        tally.number = number + place
        ware.tally = tally
      }
      if chance(2) {
        let opinion = Opinion.create(in: context)
        opinion.number = number + place
        opinion.stars = place
        opinion.ware = ware
      }
      wares.append(ware)
    }
  }

  /// Changes objects of a context that listens, without saving.
  func change(_ context: ManagedObjectContext) throws {
    let wares = try Ware.all(sortedBy: \.number, in: context)
    guard !wares.isEmpty else { return }
    let ware = wares[numbers[1] % wares.count]
    switch numbers[2] % 6 {
    case 0: ware.label = "listener \(numbers[3] % 5)"
    case 1: ware.stock = Int16(numbers[3] % 50)
    case 2: ware.price += 0.25
    case 3: ware.aisle = try Aisle.first(sortedBy: \.number, in: context)
    case 4:
      _ = wares.map(\.opinions.count)
      _ = try Aisle.all(in: context).map { $0.wares.count + $0.window.count }
    default: ware.name = "renamed \(numbers[3] % 5)"
    }
  }

  // MARK: - Batches

  private var predicate: FetchPredicate? {
    let bound = numbers[1] % 40
    let format: String? =
      switch numbers[2] % 6 {
      case 0: nil
      case 1: "number %% 3 == \(bound % 3)"
      case 2: "number > \(bound)"
      case 3: "number == \(bound)"
      case 4: "number < \(bound) AND number %% 2 == 1"
      default: "number IN {\(bound), \(bound + 1), \(bound + 7)}"
      }
    // The formats are written above, so a mistake in one is a mistake of the test.
    return format.map { try! FetchPredicate(format: $0) }
  }

  private var request: FetchRequest {
    var entity = "Ware"
    if kind == .delete { entity = BatchRun.entities[numbers[0] % BatchRun.entities.count] }
    if numbers[0] % 5 == 0, entity == "Ware" { entity = "GiftWare" }
    var request = FetchRequest(entity, where: predicate)
    if numbers[3] % 4 == 0 {
      request.sortTerms = [SortTerm("number", ascending: numbers[3] % 8 == 0)]
      request.fetchLimit = 1 + numbers[3] % 3
    }
    return request
  }

  private var values: [String: Any?] {
    switch numbers[4] % 7 {
    case 0:
      ["price": FetchExpression.arithmetic(.multiply, .keyPath("price"), .constant(.double(1.5)))]
    case 1: ["label": "batch \(numbers[5] % 3)", "stock": numbers[5] % 20]
    case 2: ["label": nil]
    case 3: ["stock": FetchExpression.arithmetic(.add, .keyPath("stock"), .constant(.integer(1)))]
    case 4: ["phase": WarePhase.sold, "name": FetchExpression.keyPath("label")]
    case 5: ["mark": numbers[5] % 2 == 0 ? "ok" : "far too long"]
    default: ["code": "c\(numbers[5] % 3)"]
    }
  }

  private func dictionaries(_ number: Int) -> [[String: Any?]] {
    (0..<3).map { ["number": 1000 + number + $0, "name": "inserted", "label": nil, "stock": $0] }
  }

  func runBatch(_ context: ManagedObjectContext, _ number: Int) throws {
    switch kind {
    case .update:
      try context.execute(
        BatchUpdateRequest(fetchRequest: request, propertiesToUpdate: values))
    case .delete: try context.execute(BatchDeleteRequest(fetchRequest: request))
    default:
      try context.execute(BatchInsertRequest(entityName: "Ware", objects: dictionaries(number)))
    }
  }

  /// The same as the batch, by objects. The caller saves.
  func runObjects(_ context: ManagedObjectContext, _ number: Int) throws {
    switch kind {
    case .update:
      // A batch checks its constants, even if it finds no row.
      if case .some(let mark as String) = values["mark"] {
        try GiftWare.create(in: context).validateValue(.string(mark), forKey: "mark")
        context.rollback()
      }
      for object in try context.fetch(request) {
        let new = values.mapValues { value -> Any? in
          switch value {
          case .some(FetchExpression.keyPath(let path)): object.value(forKey: path.joined())
          case .some(FetchExpression.arithmetic(.multiply, _, _)):
            (object as? Ware).map { $0.price * 1.5 }
          case .some(FetchExpression.arithmetic): (object as? Ware).map { $0.stock + 1 }
          default: value
          }
        }
        for (name, value) in new { object.setValue(value, forKey: name) }
      }
    case .delete: for object in try context.fetch(request) { context.delete(object) }
    default:
      for values in dictionaries(number) {
        let object = try context.insert(entityNamed: "Ware")
        for (name, value) in values { object.setValue(value, forKey: name) }
      }
    }
  }
}
