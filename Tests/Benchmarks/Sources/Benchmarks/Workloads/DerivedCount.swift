// SPDX-License-Identifier: MIT
import Dispatch
import RawStore
import Sporades

/// One line added to an order of thousands, whose lines are counted, again and again.
struct DerivedCount: Workload {
  static let key = "derived_count"
  static let title = "one-object writes into a large owner that counts its members"
  static let start = Template.lines
  let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  /// Writes enough for a clock, and too few to make the owner much larger.
  private var writes: Int { sample.scale.singles / 4 }

  func raw(on path: String, _ watch: inout Stopwatch) -> UInt64 {
    do {
      let database = RawDatabase(path)
      watch.time { RawLine.add(writes, to: database) }
    }
    return checksum(path)
  }

  private func checksum(_ path: String) -> UInt64 {
    var sum = Checksum()
    for number in RawLine.contents(RawDatabase(path)) { sum.add(Int(number)) }
    return sum.value
  }
}

extension DerivedCount {
  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    do {
      let service = try openService(path, [Order.self, Line.self])
      defer { try? service.close() }
      let ids = try service.readValue { context in try context.fetchIDs(FetchRequest("Order")) }
      let reported = DispatchGroup()
      try watch.time {
        for amount in 1...writes {
          reported.enter()
          try service.writeSync(
            { context in
              let line = Line.create(in: context)
              line.amount = amount
              line.order = try context.object(with: ids[0]) as? Order
            },
            completion: { _ in reported.leave() }
          ).get()
        }
        reported.wait()
      }
    }
    return checksum(path)
  }
}
