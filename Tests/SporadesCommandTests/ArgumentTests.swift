// SPDX-License-Identifier: MIT
import Testing

/// What the program says of its command line, before a verb begins.
@Suite struct ArgumentTests {
  @Test func withoutWordsItShowsItsHelpAndWasAskedWrongly() throws {
    let run = try CommandRun()
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(run.errors.contains("usage: sporades VERB"))
  }

  @Test(arguments: [["--help"], ["-h"], ["help"]])
  func theHelpListsTheVerbs(_ words: [String]) throws {
    let run = try CommandRun(words)
    #expect(run.status == 0)
    #expect(run.output.contains("\n  inspect  "))
    #expect(run.errors == "")
  }

  @Test func aVerbHasItsOwnHelp() throws {
    let run = try CommandRun("inspect", "--help")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("usage: sporades inspect STORE [options]\n"))
    #expect(try CommandRun("help", "inspect").output == run.output)
  }

  @Test func mistypedWordsNameTheNearOnes() throws {
    let verb = try CommandRun("inspct", "x")
    #expect(verb.status == 2)
    #expect(verb.errors.contains("Did you mean inspect?"), "\(verb.errors)")
    let option = try CommandRun("inspect", "x", "--modell", "y")
    #expect(option.status == 2)
    #expect(option.errors.contains("Did you mean --model?"), "\(option.errors)")
  }

  @Test(arguments: [
    (["inspect"], "STORE is missing."), (["inspect", "a", "b"], "\"b\" is one word too many."),
    (["inspect", "a", "--model"], "--model needs a value"),
    (["inspect", "a", "--model", "--json"], "Write --model=--json"),
    (["inspect", "a", "--json=yes"], "--json takes no value."),
    (["inspect", "a", "--json", "--json"], "--json is given twice."),
    (["dump", "a", "B", "--limit", "-1"], "--limit needs a whole number"),
  ])
  func mistakesAreNamed(_ words: [String], _ sentence: String) throws {
    let run = try CommandRun(words)
    #expect(run.status == 2)
    #expect(run.errors.contains(sentence), "\(run.errors)")
    #expect(run.output == "")
  }

  @Test func aNameThatBeginsWithDashesStandsBehindTwoDashes() throws {
    let run = try CommandRun("inspect", "--", "--no-store")
    #expect(run.status == 3)
    #expect(run.errors.contains("--no-store"), "\(run.errors)")
  }
}
