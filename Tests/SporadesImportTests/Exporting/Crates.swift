// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesImport

@Composite struct Extent {
  var width: Double = 0
  var measured: Date?
}

/// An entity with links to objects that are named by keys of each kind.
@Entity final class Crate: ManagedObject {
  @Attribute(.unique) var number: Int = 0
  var label: String?
  var amount: Decimal?
  var weight: Double = 0
  var ratio: Float?
  var packed: Date?
  var isOpen: Bool?
  var token: UUID?
  var page: URL?
  var bytes: Data?
  var words: [String]?
  var extent: Extent?
  var above: Crate?
  @Relationship(inverse: \Shelf.crates) var shelf: Shelf?
  @Relationship(inverse: \Day.crates) var day: Day?
  @Relationship(inverse: \Price.crates) var price: Price?
  @Relationship(inverse: \Stamp.crates) var stamps: [Stamp]
  @Relationship(inverse: \Tag.crates) var tags: Set<Tag>
}

@Entity final class Shelf: ManagedObject {
  var row: Int = 0
  var place: String = ""
  var crates: Set<Crate>
}

@Entity final class Day: ManagedObject {
  @Attribute(.unique) var date: Date = Date(timeIntervalSinceReferenceDate: 0)
  var crates: Set<Crate>
}

@Entity final class Price: ManagedObject {
  @Attribute(.unique) var amount: Decimal = 0
  var crates: Set<Crate>
}

@Entity final class Stamp: ManagedObject {
  @Attribute(.unique) var id: UUID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  var crates: Set<Crate>
}

@Entity final class Tag: ManagedObject {
  @Attribute(.unique) var name: String = ""
  var crates: Set<Crate>
}

/// Numbers that depend on a seed alone.
struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}

/// A service in memory with the objects to which crates can lead.
func makeCrateService() throws -> DALService {
  var options = DALService.Options()
  options.reactor = nil
  let service = DALService(
    inMemory: [Crate.self, Shelf.self, Day.self, Price.self, Stamp.self, Tag.self],
    options: options)
  try service.writeSync { context in
    for index in 0..<3 {
      let shelf = Shelf.create(in: context)
      (shelf.row, shelf.place) = (index % 2, "p\(index)")
      Day.create(in: context).date = Date(timeIntervalSinceReferenceDate: Double(index) * 1e8 + 0.5)
      Price.create(in: context).amount = Decimal(index) / 4
      Stamp.create(in: context).id = stampID(index)
      Tag.create(in: context).name = ["a", "b c", "žluť"][index]
    }
  }.get()
  return service
}

private func stampID(_ index: Int) -> UUID {
  UUID(uuid: (UInt8(index), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
}

extension DALService {
  /// Makes crates with values at random.
  func makeCrates(_ numbers: inout SeededNumbers) throws {
    var chance = numbers
    try writeSync { context in
      let shelves = Shelf.all(sortedBy: \.place, in: context)
      let days = Day.all(sortedBy: \.date, in: context)
      let prices = Price.all(sortedBy: \.amount, in: context)
      let stamps = Stamp.all(in: context).sorted { $0.id.uuidString < $1.id.uuidString }
      let tags = Tag.all(sortedBy: \.name, in: context)
      var last: Crate?
      for number in 0..<12 {
        let crate = Crate.create(in: context)
        crate.number = number
        crate.fill(&chance)
        crate.above = chance.below(2) == 0 ? nil : last
        crate.shelf = (shelves + [nil]).randomElement(using: &chance) ?? nil
        crate.day = (days + [nil]).randomElement(using: &chance) ?? nil
        crate.price = (prices + [nil]).randomElement(using: &chance) ?? nil
        crate.stamps = Array(stamps.shuffled(using: &chance).prefix(chance.below(4)))
        crate.tags = Set(tags.filter { _ in chance.below(2) == 0 })
        last = crate
      }
    }.get()
    numbers = chance
  }

  /// All values of all crates, as texts.
  func crates() throws -> [String] {
    try readValue { try Crate.all(sortedBy: \.number, in: $0).map(\.summary) }
  }
}

extension Crate {
  fileprivate func fill(_ chance: inout SeededNumbers) {
    let texts = ["", " ", "plain", "a;b,c\t|\"'\n\r\n", "\u{1}\\ 😀", "null", "12", "Infinity"]
    label = chance.below(4) == 0 ? nil : texts.randomElement(using: &chance)
    amount =
      chance.below(4) == 0
      ? nil
      : Decimal(chance.below(1_000_000)) / [1, 100, 8, Decimal(1) / 1_000_000][chance.below(4)]
    weight =
      [0.1, 1e300, -.leastNonzeroMagnitude, .infinity, -.infinity, 2.5, 1 / 3][chance.below(7)]
    ratio = [nil, 0.1, .leastNonzeroMagnitude, .infinity, -2][chance.below(5)]
    packed = chance.below(4) == 0 ? nil : date(&chance)
    isOpen = [nil, true, false][chance.below(3)]
    token = chance.below(2) == 0 ? nil : stampID(chance.below(200))
    page = chance.below(2) == 0 ? nil : URL(string: "https://example.org/?a=1,2;3|4")
    bytes = [nil, Data(), Data([1, 2, 255, 0])][chance.below(3)]
    words = [nil, [], ["x", "\"y\""]][chance.below(3)]
    if chance.below(3) > 0 {
      extent = Extent(
        width: Double(chance.below(9)), measured: [nil, date(&chance)][chance.below(2)])
    }
  }

  /// A date of the years 1 to 9999, which some formats hold to the nanosecond.
  private func date(_ chance: inout SeededNumbers) -> Date {
    let seconds = Double.random(in: -6.3e10...2.5e11, using: &chance)
    let scale = [1, 1e3, 1e6][chance.below(3)]
    return Date(timeIntervalSinceReferenceDate: (seconds * scale).rounded() / scale)
  }

  fileprivate var summary: String {
    let values = entity.attributes.map { "\($0.name): \(exact(value(forKey: $0.name)))" }
    let links: [String?] = [
      above.map { "\($0.number)" }, shelf.map { "\($0.row) \($0.place)" },
      day.map { "\($0.date.timeIntervalSinceReferenceDate)" }, price.map { "\($0.amount)" },
      stamps.map(\.id.uuidString).joined(separator: ","), tags.map(\.name).sorted().joined(),
    ]
    return values.joined(separator: "; ") + "; \(links.map { $0 ?? "-" })"
  }

  private func exact(_ value: Value) -> String {
    switch value {
    case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
    case .data(let data): data.base64EncodedString()
    case .list(let values): "\(values.map(exact))"
    default: "\(value)"
    }
  }
}
