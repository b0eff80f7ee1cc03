// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesImport

@Composite struct Point {
  var x: Double = 0
  var y: Double?
}

/// An entity with an attribute of every type, required and optional.
@Entity final class Thing: ManagedObject {
  @Attribute(.unique) var number: Int = 0
  var short: Int16 = 0
  var middle: Int32?
  var truth: Bool = false
  var maybe: Bool?
  var double: Double = 0
  var float: Float?
  var decimal: Decimal?
  var text: String = ""
  var words: String?
  var date: Date?
  var data: Data?
  var uuid: UUID?
  var url: URL?
  var list: [String]?
  var point: Point?
  var rank: Rank?
  var kind: Kind?
  @Relationship(inverse: \Label.things) var labels: Set<Label>
}

@Entity final class Kind: ManagedObject {
  @Attribute(.unique) var name: String = ""
}

@Entity final class Label: ManagedObject {
  @Attribute(.unique) var word: String = ""
  var things: Set<Thing>
}

func makeThingService() -> DALService {
  var options = DALService.Options()
  options.reactor = nil
  return DALService(inMemory: [Thing.self, Kind.self, Label.self], options: options)
}

extension Thing {
  /// All values of the object in one text.
  var summary: String {
    let values = entity.attributes.map { "\($0.name): \(exact(value(forKey: $0.name)))" }
    let labels = labels.map(\.word).sorted().joined(separator: ",")
    return values.joined(separator: "; ") + "; kind: \(kind?.name ?? "-"); labels: \(labels)"
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

extension DALService {
  func things() throws -> [String] {
    try readValue { try Thing.all(sortedBy: \.number, in: $0).map(\.summary) }
  }

  /// Makes things with values at the edges of their types, and others at random.
  func makeThings() throws {
    try writeSync { context in
      let kinds = ["a", "b,\"c\"\n", " é😀 "].map { name in
        let kind = Kind.create(in: context)
        kind.name = name
        return kind
      }
      let labels = ["x", "y"].map { word in
        let label = Label.create(in: context)
        label.word = word
        return label
      }
      Thing.create(in: context).number = -1
      let texts = [
        "", "plain", "two\nlines\r\n", "q\"uo,te;s'", "\u{1}\t\\/", " spaces ", "žluťoučký 😀",
      ]
      let doubles = [
        0.1, -0.0, 1e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1 / 3, 123_456_789.125,
      ]
      let dates = [0, 0.1, -0.5, 812_345_678.123_456, -63_114_076_800, 1e10, 3.000_000_5]
      for index in 0..<7 {
        let thing = Thing.create(in: context)
        thing.number = [Int.max, Int.min, 0, 1, 2, 3, 4][index]
        thing.short = [Int16.max, .min, 0, 1, 2, 3, 4][index]
        thing.middle = [Int32.max, .min, 0, nil, 2, 3, 4][index]
        thing.truth = index % 2 == 0
        thing.maybe = [true, false, nil][index % 3]
        thing.double = doubles[index]
        thing.float =
          [Float.pi, .leastNonzeroMagnitude, nil, 0.1, -.greatestFiniteMagnitude, 1e10, 0][index]
        thing.decimal = Decimal(
          string: ["12345678901234567890.123456789", "-0.001", "1e20", "0"][index % 4])
        thing.text = texts[index]
        thing.words = index == 0 ? "" : texts[6 - index]
        thing.date = Date(timeIntervalSinceReferenceDate: dates[index])
        thing.data = Data((0..<index * 3).map { UInt8($0 * 37 & 255) })
        thing.uuid = UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDE\(index)")
        thing.url = URL(string: "https://example.org/a?b=\(index)")
        thing.list = index % 2 == 0 ? ["one", "two \"2\""] : nil
        thing.point = index % 3 == 0 ? Point(x: 1.5, y: index == 0 ? nil : -2.25) : nil
        thing.rank = [.junior, .senior, nil][index % 3]
        thing.kind = index == 6 ? nil : kinds[index % 3]
        thing.labels = [[], [labels[0]], Set(labels)][index % 3]
      }
    }.get()
  }
}
