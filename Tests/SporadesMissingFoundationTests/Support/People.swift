// SPDX-License-Identifier: MIT
import Foundation

/// Objects that tests ask predicates of.
final class Person: NSObject {
  let name: String
  let nick: String?
  let age: Int
  let born: Date
  let isMember: Bool
  let score: Double
  let tags: [String]
  let id: UUID
  var friends: [Person] = []
  var boss: Person?

  init(_ name: String, _ age: Int, nick: String? = nil, tags: [String] = []) {
    self.name = name
    self.nick = nick
    self.age = age
    born = Date(timeIntervalSinceReferenceDate: Double(age) * -1000)
    isMember = age > 30
    score = Double(age) / 2
    self.tags = tags
    id = UUID(uuid: (UInt8(truncatingIfNeeded: age), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }

  /// Ann, 41, whose friends are Ben, 20, and Zoë, 33, who is her boss.
  static var ann: Person {
    let ann = Person("Ann", 41, nick: "Annie", tags: ["red", "blue"])
    ann.friends = [Person("Ben", 20, tags: ["red"]), Person("Zoë", 33)]
    ann.boss = ann.friends[1]
    return ann
  }
}

/// A number with a name, as programs have them.
enum Level: Int {
  case low = 1
  case high = 2
}
