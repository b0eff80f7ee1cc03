// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore
import SporadesXcode
import Testing

@testable import Sporades

/// Of several ways between two versions, the one with the fewest stages is taken.
@Suite struct MigrationPathTests {
  /// Versions of one entity, which has one more attribute in each.
  private let versions: [ManagedObjectModel]

  init() throws {
    versions = try (1...6).map { count in
      try ManagedObjectModel(entities: [
        EntityDescription(
          "Thing",
          attributes: (1...count).map { AttributeDescription("a\($0)", .string, isOptional: true) })
      ])
    }
  }

  private func stage(_ from: Int, _ to: Int) -> MigrationStage {
    .lightweight(from: versions[from], to: versions[to], label: "\(from)-\(to)")
  }

  private func labels(_ from: Int, _ to: Int, _ stages: [MigrationStage]) throws -> [String] {
    try MigrationPath(
      from: versions[from].versionChecksum, to: versions[to], configuration: nil, through: stages
    ).stages.map(\.label)
  }

  @Test func theFewestStagesAreTaken() throws {
    let stages = [stage(0, 1), stage(1, 2), stage(2, 3), stage(0, 3), stage(3, 4)]
    #expect(try labels(0, 2, stages) == ["0-1", "1-2"])
    #expect(try labels(0, 4, stages) == ["0-3", "3-4"])
    #expect(try labels(1, 4, stages) == ["1-2", "2-3", "3-4"])
  }

  @Test func stagesThatLeadBackEndNowhere() throws {
    let stages = [stage(0, 1), stage(1, 0), stage(1, 2), stage(2, 1)]
    #expect(try labels(0, 2, stages) == ["0-1", "1-2"])
    #expect(try labels(2, 0, stages) == ["2-1", "1-0"])
  }

  @Test func theStepAfterTheLastStageIsInferred() throws {
    let stages = [stage(0, 1), stage(1, 2)]
    #expect(try labels(0, 5, stages) == ["0-1", "1-2", ""])
    #expect(try labels(2, 5, stages) == [""])
  }

  @Test func noWayIsInferredBetweenVersionsOfThePlan() throws {
    let stages = [stage(0, 1), stage(2, 3)]
    #expect(throws: StoreError.self) { try labels(0, 3, stages) }
    #expect(throws: StoreError.self) { try labels(3, 0, stages) }
    #expect(throws: StoreError.self) { try labels(5, 1, stages) }
  }

  /// A reference that no path needs is not read.
  @Test func versionsAreReadWhenTheyAreNeeded() throws {
    let missing = ManagedObjectModelReference(
      fileURL: URL(fileURLWithPath: "/nowhere.mom"), versionChecksum: "old")
    let stages = [
      MigrationStage.lightweight(from: missing, to: versions[0]), stage(0, 1),
    ]
    #expect(try labels(0, 1, stages) == ["0-1"])
  }
}
