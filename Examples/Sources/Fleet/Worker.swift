// SPDX-License-Identifier: MIT
import Sporades
import SporadesPostgreSQL

/// The program that writes. It says the number of each order that the store has acknowledged.
///
/// It does nothing about servers that end: a write waits for the next primary, and is done once.
struct Worker {
  let address: String
  let name: String

  func work() throws {
    let service = Orders.service(address, reads: .primary)
    for count in 1... {
      let number = "\(name)-\(count)"
      try service.writeSync(durability: .immediate) { context in
        Order.create(in: context).number = number
      }.get()
      Fleet.say(number)
    }
  }
}

/// The program that reads, on the standby while there is one. It says how many orders it saw.
struct Reader {
  let address: String

  func read() async throws {
    let service = Orders.service(address, reads: .replicas(maxLag: .seconds(1)))
    while true {
      let count = try await service.read { try Order.count(in: $0) }
      Fleet.say("\(count)")
    }
  }
}
