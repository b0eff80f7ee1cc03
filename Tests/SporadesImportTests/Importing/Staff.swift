// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesImport

enum Rank: String, CaseIterable {
  case junior
  case senior
}

@Entity final class Worker: ManagedObject {
  @Attribute(.unique) var email: String = ""
  var firstName: String?
  var age: Int = 0
  var rank: Rank?
  var salary: Decimal?
  var hired: Date?
  var team: Team?
  @Relationship(inverse: \Skill.workers) var skills: Set<Skill>
}

@Entity final class Team: ManagedObject {
  @Attribute(.unique) var code: String = ""
  var name: String?
  @Relationship(inverse: \Worker.team) var workers: Set<Worker>
}

@Entity final class Skill: ManagedObject {
  @Attribute(.unique) var name: String = ""
  var workers: Set<Worker>
}

@Entity final class Note: ManagedObject {
  var text: String = ""
}

/// A service in memory that keeps no errors, because the tests look at the errors that are thrown.
func makeStaffService() -> DALService {
  var options = DALService.Options()
  options.reactor = nil
  return DALService(
    inMemory: [Worker.self, Team.self, Skill.self, Note.self], options: options)
}

extension DALService {
  /// The email, first name, age and team of all workers, by email.
  func workers() throws -> [String] {
    try readValue { context in
      try Worker.all(sortedBy: \.email, in: context).map {
        "\($0.email) \($0.firstName ?? "-") \($0.age) \($0.team?.code ?? "-")"
      }
    }
  }

  func makeTeams(_ codes: String...) throws {
    try writeSync { context in
      for code in codes { Team.create(in: context).code = code }
    }.get()
  }
}
