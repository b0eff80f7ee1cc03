// SPDX-License-Identifier: MIT
import Foundation
import SporadesModelFiles

/// Damages input of programs, as seeds choose, and has the library read it.
///
/// `MutantTests` starts the probe. A mutant that traps, hangs or fills the memory ends this process, and the last line
/// of output names its seed. The arguments are the kind of input, the first seed, the number of mutants, and
/// optionally the files of a store and of its model to damage instead of the probe's own.
@main
enum MutantProbe {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4 || arguments.count == 6, let kind = Kind(rawValue: arguments[1]),
      let first = UInt64(arguments[2]), let count = UInt64(arguments[3])
    else { fatalError("Give \(Kind.allCases.map(\.rawValue)), a seed, a number, and two files.") }
    limitMemory()
    let base =
      try arguments.count == 6 ? BaseStore(copying: arguments[4], model: arguments[5]) : BaseStore()
    defer { base.remove() }
    for seed in first..<first + count {
      say("seed \(seed)")
      // A mutant that takes longer counts as one that never ends.
      alarm(120)
      var random = Randomness(seed)
      say("is \(Outcome.of { try kind.run(&random, base) })")
    }
    say("peak \(peakMegabytes())")
  }

  /// Writes each line at once, so that the last one survives the end of the process.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  /// Limits the process to a few gigabytes, so that a mutant does not fill the machine's memory. The address sanitizer
  /// reserves more than the machine has, and has its own limit.
  private static func limitMemory() {
    guard unsafe dlsym(nil, "__asan_init") == nil else { return }
    var limit = rlimit(rlim_cur: 6 << 30, rlim_max: 6 << 30)
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else {
      fatalError("The memory of the process cannot be limited.")
    }
  }

  /// The peak of the probe's own memory. The system's peak of a process includes the one of its parent.
  private static func peakMegabytes() -> Int {
    let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let peak = lines.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let kilobytes = peak?.split(whereSeparator: { !$0.isNumber }).last.flatMap({ Int($0) })
    else { fatalError("The system does not tell the memory of the process.") }
    return kilobytes / 1024
  }
}

/// The kind of damaged input.
enum Kind: String, CaseIterable {
  case bytes, cells, schema, plists, models, predicates, words

  func run(_ random: inout Randomness, _ base: BaseStore) throws {
    switch self {
    case .bytes: try StoreMutant(base, &random, StoreMutant.damageBytes).exercise()
    case .cells: try StoreMutant(base, &random, StoreMutant.damageCells).exercise()
    case .schema: try StoreMutant(base, &random, StoreMutant.damageSchema).exercise()
    case .plists: try StoreMutant(base, &random, StoreMutant.damagePropertyList).readMetadata()
    case .models: try TextMutants.model(&random)
    case .predicates: try TextMutants.predicate(&random, base)
    case .words: try TextMutants.words(&random, base)
    }
  }
}
