// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesModel
import SporadesTesting
import Testing

@testable import SporadesGraph

/// Random key paths: those of stored properties alone have their names, and none of them has a name
/// any more when something that is computed stands at its end.
@Suite struct KeyPathPropertyTests {
  private struct Made {
    var path: AnyKeyPath
    var names: [String]
    var last: PropertyKeyPath
    /// Swift can not append what follows a property that an optional chain wrapped.
    var isWrapped = false
  }

  /// Up to five properties, one leading to the next.
  private func random(_ random: inout SeededGenerator) throws -> Made {
    let first = try #require(Ship.propertyKeyPaths.randomElement(using: &random))
    var made = Made(path: first.direct, names: [first.name], last: first)
    var last = first
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      guard !made.isWrapped,
        let next = last.continuations.filter({ $0.member == nil }).randomElement(using: &random)
      else { break }
      let valueType = type(of: last.direct).valueType
      let isOptional = unwrapped(valueType) != valueType
      let isChain = isOptional && Bool.random(using: &random)
      var path: AnyKeyPath? = made.path
      if isOptional && !isChain { path = path?.appending(path: next.unwrapping()) }
      path = path?.appending(path: isChain ? next.chained() : next.direct)
      let nextType = type(of: next.direct).valueType
      let isWrapped = isChain && unwrapped(nextType) == nextType
      made = Made(
        path: try #require(path), names: made.names + [next.name], last: next, isWrapped: isWrapped)
      last = next
    }
    return made
  }

  /// Key paths to computed members, one for each type that has some here.
  private static var tails: [AnyKeyPath] {
    [
      \String.count, \String?.?.isEmpty, \Int.magnitude, \Int?.?.description, \Double.magnitude,
      \Double?.?.sign, \URL?.?.path, \Date?.?.timeIntervalSince1970, \Int16.magnitude,
      \Rig.rawValue,
      \[String].count, \Berth?.?.label, \Depth?.?.mean, \Set<Ship>.count, \Set<Ship>.first,
      \[Captain].first, \Ship?.?.title, \Company?.?.first, \Seat.town, \Seat?.?.town,
      \Captain?.?.isFault, \Company?.!.first, \Ship?.!.owed, \Size.hashValueOfNothing,
      \Size?.?.hashValueOfNothing,
    ]
  }

  /// Predicates know the members of the last property, and nothing else does.
  private func expectMembers(of path: PartialKeyPath<Ship>, _ made: Made) throws {
    let valueType = type(of: made.last.direct).valueType
    for member in made.last.continuations where member.member != nil {
      let isOptional = unwrapped(valueType) != valueType
      let start: AnyKeyPath? = isOptional ? path.appending(path: member.unwrapping()) : path
      let longer = try #require(start?.appending(path: member.direct) as? PartialKeyPath<Ship>)
      let found = try KeyPathNames.path(of: longer)
      #expect(found.names == made.names && found.member == member.member, "\(longer)")
      #expect(throws: FetchPredicateError.self, "\(longer)") {
        try KeyPathNames.names(of: longer)
      }
    }
  }

  @Test(arguments: 1...20)
  func onlyStoredPropertiesHaveNames(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let tails = Self.tails
    var refused = 0
    for _ in 0..<50 {
      let made = try random(&generator)
      let path = try #require(made.path as? PartialKeyPath<Ship>)
      #expect(try KeyPathNames.names(of: path) == made.names, "seed \(seed): \(path)")
      if !made.isWrapped { try expectMembers(of: path, made) }
      for tail in tails {
        guard let longer = path.appending(path: tail) else { continue }
        refused += 1
        #expect(throws: FetchPredicateError.self, "seed \(seed): \(longer)") {
          try KeyPathNames.names(of: longer)
        }
      }
    }
    #expect(refused > 40, "seed \(seed)")
  }
}

extension Size {
  fileprivate var hashValueOfNothing: Int { 0 }
}
