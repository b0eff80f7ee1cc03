// SPDX-License-Identifier: MIT
import SporadesImport
import SporadesModel
import SporadesStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Runs the verb of a command line, and turns each error into a sentence and a code.
struct Program {
  let verbs: [Verb]
  let output: Output

  /// The code for a process whose reader has closed its output, as shells know it: 128 and the number of SIGPIPE.
  private static let closedOutput: Int32 = 141

  /// Runs the words behind the program's name.
  func run(_ arguments: [String]) -> Int32 {
    do {
      let code = try answer(arguments)
      try output.flush()
      return code.rawValue
    } catch is OutputClosed {
      return Self.closedOutput
    } catch {
      // `try?`: what was printed before the error is shown if it can be.
      try? output.flush()
      let failure = Self.failure(of: error)
      Output.writeError("sporades: \(failure.description)\n")
      return failure.code.rawValue
    }
  }

  private func answer(_ arguments: [String]) throws -> ExitCode {
    guard let name = arguments.first else {
      Output.writeError(HelpText.text(of: verbs))
      return .askedWrongly
    }
    let rest = Array(arguments.dropFirst())
    if ["--help", "-h", "help"].contains(name) { return try help(rest) }
    if name == "--version" {
      try output.printLine("sporades \(HelpText.version)")
      return .done
    }
    guard let verb = verbs.first(where: { $0.name == name }) else { throw unknown(name) }
    let invocation = try Invocation(verb, rest, output)
    guard !invocation.has("help") else {
      try output.print(HelpText.text(of: verb))
      return .done
    }
    return try run(invocation)
  }

  /// Runs a verb. If another program has changed the store meanwhile, it begins again and locks the store.
  private func run(_ invocation: Invocation) throws -> ExitCode {
    defer { output.release() }
    do { return try invocation.verb.run(invocation) } catch  where isOvertaken(error) {
      guard output.withdraw() else { throw error }
      var locking = invocation
      locking.locksStores = true
      return try locking.verb.run(locking)
    }
  }

  /// Whether a lock would avoid the error. What looks like damage may be a commit that was under way.
  private func isOvertaken(_ error: any Error) -> Bool {
    (error as? StoreError).map { $0.code == .moved || output.isHeld } ?? (error is AnswerTooLong)
  }

  private func help(_ words: [String]) throws -> ExitCode {
    guard let name = words.first else {
      try output.print(HelpText.text(of: verbs))
      return .done
    }
    guard let verb = verbs.first(where: { $0.name == name }) else { throw unknown(name) }
    try output.print(HelpText.text(of: verb))
    return .done
  }

  private func unknown(_ name: String) -> CommandError {
    let near = NearNames(name, among: verbs.map(\.name) + ["--help", "--version"]).nearest
    return .asked(
      "There is no verb \(name.shownAsWord). \(near.map { "Did you mean \($0)? " } ?? "")"
        + "sporades --help lists them.")
  }

  /// The sentence and the code for an error of any kind.
  private static func failure(of error: any Error) -> CommandError {
    let failure = ownFailure(of: error)
    return CommandError(failure.code, OwnWords.of(failure.description))
  }

  private static func ownFailure(of error: any Error) -> CommandError {
    switch error {
    case let error as CommandError: error
    // The user's own words did not fit the model.
    case let error as FetchPredicateError: .asked("\(error)")
    case let error as StoreError where error.code == .corrupt:
      .failed(
        "\(error.detail)\nsporades recover saves the rows of a damaged store that can be read.")
    case let error as StoreError: .failed(error.detail)
    case let error as ImportError where error.code == .request: .asked(error.detail)
    case let error as ExportError where error.code == .request: .asked(error.detail)
    default: .failed(OwnWords.of(error))
    }
  }
}
