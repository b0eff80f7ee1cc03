// SPDX-License-Identifier: MIT
import CFaults
import Foundation
import Sporades

/// Plays one scenario over one store. `FaultTests` starts the probe, harms a call, and checks the store afterwards.
///
/// The probe prints `ok N` after the store has promised to keep the change N, and `failed …` after a refusal. At its
/// end it prints `calls N` and `harmed true` or `harmed false`.
@main
enum FaultProbe {
  static func main() {
    guard CommandLine.arguments.count == 3,
      let scenario = Scenario(rawValue: CommandLine.arguments[1])
    else {
      FileHandle.standardError.write(
        Data("usage: FaultProbe \(Scenario.allCases.map(\.rawValue)) <store>\n".utf8))
      exit(64)
    }
    do {
      try scenario.play(URL(fileURLWithPath: CommandLine.arguments[2]))
    } catch {
      say("failed \(error)")
    }
    say("calls \(faults_count())")
    say("harmed \(faults_harmed())")
    // The calls at the end of the process do not belong to the scenario.
    exit(0)
  }
}

/// A scenario of the probe. Each case has a file. The raw value is the program's argument.
enum Scenario: String, CaseIterable {
  case creation, largeValues, opening, racing, contention2, contention4

  func play(_ store: URL) throws {
    switch self {
    case .creation: try playCreation(store)
    case .largeValues: try playLargeValues(store)
    case .opening: try playOpening(store)
    case .racing: try playRacing(store)
    case .contention2: try playContention(store, among: 2)
    case .contention4: try playContention(store, among: 4)
    case .permissions: try playPermissions(store)
    case .smallWrites: try playSmallWrites(store)
    case .recovery: try playRecovery(store)
    case .upkeep: try playUpkeep(store)
    case .copying: try playCopying(store)
    case .migrating: try playMigrating(store)
    case .planning: try playPlanning(store)
    case .reworking: try playReworking(store)
    case .cancelling: try playCancelling(store)
    case .mapping: try playMapping(store)
    case .mappingMany: try playMappingMany(store)
    case .batches: try playBatches(store)
    case .severalStores: try playSeveralStores(store)
    }
  }

  case permissions, smallWrites, recovery, upkeep, copying, migrating, planning, reworking
  case cancelling, mapping, mappingMany, batches, severalStores
}

/// Writes a line at once, without a buffer.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// Tells the test and the journal that the store has promised to keep a change.
func acknowledge(_ number: Int) {
  unsafe faults_note("ok \(number)")
  say("ok \(number)")
}
