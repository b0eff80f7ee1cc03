// SPDX-License-Identifier: MIT
import CFaults
import Foundation
import Sporades

/// Plays one scenario over one store; `FaultTests` starts it, harms a call, and looks at what is left.
///
/// Lines of output: `ok N` when the change with the number N has been promised to be kept,
/// `failed …` for what was refused, and at the end `calls N` and `harmed true` or `false`.
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
    // What the process does at its end is none of the scenario's.
    exit(0)
  }
}

/// What a run of the probe does. Each case has a file; the raw value is the argument.
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
    }
  }

  case permissions, smallWrites, recovery, upkeep
}

/// Writes a line at once, past the buffer.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// Says that a change was promised to be kept, to the test and to the journal.
func acknowledge(_ number: Int) {
  unsafe faults_note("ok \(number)")
  say("ok \(number)")
}
