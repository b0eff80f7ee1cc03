// SPDX-License-Identifier: MIT
import Foundation

/// The results of a run as they lie in a file: `{"bulk_insert": {"raw_ms": …, "ours_ms": …,
/// "ratio": …}, …, "peak_mb": …}`.
struct Results: Codable, Equatable {
  private(set) var byKey: [String: Result] = [:]

  enum Result: Codable, Equatable {
    case pair(Pair)
    case number(Double)
  }

  struct Pair: Codable, Equatable {
    let raw: Double
    let ours: Double
    let ratio: Double

    enum CodingKeys: String, CodingKey {
      case raw = "raw_ms"
      case ours = "ours_ms"
      case ratio
    }
  }

  init() {}

  mutating func add(_ measure: Measure, for key: String) {
    byKey[key] = .pair(
      Pair(
        raw: rounded(measure.raw.total), ours: rounded(measure.ours.total),
        ratio: rounded(measure.ratio)))
  }

  mutating func add(_ number: Double, for key: String) { byKey[key] = .number(rounded(number)) }

  private func rounded(_ number: Double) -> Double { (number * 1_000).rounded() / 1_000 }
}

extension Results {
  init(from decoder: any Decoder) throws { byKey = try [String: Result](from: decoder) }

  func encode(to encoder: any Encoder) throws { try byKey.encode(to: encoder) }

  init(contentsOf path: String) throws {
    self = try JSONDecoder().decode(
      Results.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
  }
}

extension Results.Result {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .pair(try container.decode(Results.Pair.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .pair(let pair): try container.encode(pair)
    case .number(let number): try container.encode(number)
    }
  }
}
