// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

@Suite struct PredicateLanguageTests {
  private let model = SampleLibrary.model

  private func predicate(seed: UInt64) -> (FetchPredicate, EntityShape) {
    let entity = model.shapes[Int(seed) % model.shapes.count]
    var generator = PredicateGenerator(entity, model, seed: seed)
    return (generator.next(depth: 4), entity)
  }

  @Test func readingAPrintedPredicateGivesTheSamePredicate() throws {
    for seed in UInt64(0)..<3_000 {
      let (predicate, _) = predicate(seed: seed)
      let format = predicate.predicateFormat
      #expect(try FetchPredicate(format: format) == predicate, "seed \(seed): \(format)")
    }
  }

  @Test func generatedPredicatesFitTheirEntities() throws {
    for seed in UInt64(0)..<3_000 {
      let (predicate, entity) = predicate(seed: seed)
      #expect(throws: Never.self, "seed \(seed): \(predicate)") {
        try predicate.validate(in: entity, model)
      }
    }
  }

  @Test func generatedPredicatesAreTrueAndFalseOften() throws {
    let (store, rows) = (MemoryStore(model: model), SampleLibrary.rows(seed: 5))
    try store.execute(rows)
    var (none, some, all) = (0, 0, 0)
    for seed in UInt64(0)..<500 {
      var generator = PredicateGenerator(SampleLibrary.shape("Book"), model, seed: seed)
      let fetch = StoreFetch(SampleLibrary.shape("Book"), where: generator.next())
      switch try store.count(fetch, in: .accepted) {
      case 0: none += 1
      case 24: all += 1
      default: some += 1
      }
    }
    #expect(some > 200, "\(none) none, \(some) some, \(all) all")
    #expect(none > 30, "\(none) none, \(some) some, \(all) all")
    #expect(all > 30, "\(none) none, \(some) some, \(all) all")
  }

  /// Random sequences of the language's words, and printed predicates with parts removed, repeated or swapped.
  @Test func everyFormatIsReadOrRefused() {
    var random = SeededGenerator(seed: 11)
    let words = [
      "a", "ANY", "ALL", "NOT", "AND", "||", "(", ")", "{", "}", "==", "<", "IN", "BETWEEN", "'x'",
      "\"", "'", "1", "-", "0x", "1e", ".", "@count", "@", "%@", "%K", "%", "$v", "#", "[cd]", "[",
      ",", "nil", "SELF", "TRUEPREDICATE", "CAST(", "\\", "é", "\u{0}", "\u{301}", "*", "/", "!",
    ]
    var (read, refused) = (0, 0)
    for seed in UInt64(0)..<20_000 {
      var format: String
      if seed % 2 == 0 {
        format = (0..<Int.random(in: 0...9, using: &random))
          .map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
      } else {
        var scalars = Array(predicate(seed: seed).0.predicateFormat.unicodeScalars)
        for _ in 0..<Int.random(in: 1...3, using: &random) where scalars.count > 1 {
          let place = Int.random(in: 0..<scalars.count, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: scalars.remove(at: place)
          case 1: scalars.insert(scalars[place / 2], at: place)
          default: scalars.swapAt(place, scalars.count - 1 - place)
          }
        }
        format = String(String.UnicodeScalarView(scalars))
      }
      do throws(FetchPredicateError) {
        let arguments: [(any ValueConvertible)?] = format.contains("%") ? ["k"] : []
        let predicate = try FetchPredicate(format: format, argumentArray: arguments)
        #expect((try? FetchPredicate(format: predicate.predicateFormat)) != nil, "\(format)")
        read += 1
      } catch {
        refused += 1
        #expect(error.position != nil || error.code == .arguments, "\(format)")
      }
    }
    #expect(read > 400, "\(read) read, \(refused) refused")
    #expect(refused > 2_000, "\(read) read, \(refused) refused")
  }
}
