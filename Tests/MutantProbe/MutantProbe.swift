// SPDX-License-Identifier: MIT
import Foundation
import SporadesModelFiles

/// Damages what others may hand to a program, as seeds say, and has it read.
///
/// `MutantTests` starts it: something that traps, hangs or eats all memory ends this process, whose
/// last line then tells the seed. Arguments: what to damage, the first seed, how many, and the files of
/// a store and of its model where others than its own are to be damaged.
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
      // Who takes longer than that is taken for one that never ends.
      alarm(120)
      var random = Randomness(seed)
      say("is \(Outcome.of { try kind.run(&random, base) })")
    }
    say("peak \(peakMegabytes())")
  }

  /// Each line is written at once, so that the last one is there when the process ends.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  /// What asks for more than a few gigabytes ends here, and not with the machine's memory. The address
  /// sanitizer reserves more than there is and has a limit of its own.
  private static func limitMemory() {
    guard unsafe dlsym(nil, "__asan_init") == nil else { return }
    var limit = rlimit(rlim_cur: 6 << 30, rlim_max: 6 << 30)
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else {
      fatalError("The memory of the process cannot be limited.")
    }
  }

  /// The system's own peak of a process begins with that of the process that started it; this one does
  /// not.
  private static func peakMegabytes() -> Int {
    let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let peak = lines.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let kilobytes = peak?.split(whereSeparator: { !$0.isNumber }).last.flatMap({ Int($0) })
    else { fatalError("The system does not tell the memory of the process.") }
    return kilobytes / 1024
  }
}

/// What is damaged.
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
