// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesModelFiles

// The verb `port`: makes sources for Apple's platforms compile on Linux, too.

extension Verb {
  static let port = Verb(
    name: "port", group: .generate,
    summary: "Change sources for Core Data so that they compile on Linux, too",
    operands: [
      Operand(
        name: "DIR", text: "A folder with Swift source, or one file. Links in it are not followed.")
    ],
    options: [
      VerbOption(
        name: "check", text: "Change nothing, and end with 1 if there is something to do."),
      VerbOption(
        name: "write",
        text: "Change the files. The program ends with 1 if something is left to you."),
    ],
    details: [
      "Lists what no module can supply, because the compiler refuses it on Linux, with what is done about it. The changed "
        + "source means the same on Apple's platforms; all other bytes stay. A second run changes nothing.",
      "@objc, @objc(Name) and @objcMembers get #if canImport(ObjectiveC) around them. #keyPath(Person.name) becomes "
        + "\"name\", if the class has that property. A managed class with initializers of its own gets a required "
        + "init(entity:insertInto:), by which contexts make its objects. An import of a module that only Apple has gets "
        + "a condition, if nothing in the file uses it. request as! NSFetchRequest<Person> becomes unsafeDowncast(request, to: "
        + "NSFetchRequest<Person>.self). A member of an extension that overrides one of a superclass moves into its class, if "
        + "that is in the same file. A file that gets CoreData from XCTest or an interface imports it. "
        + "An observer of notifications by #selector gets a block on Linux, "
        + "if the file removes observers in deinit alone; the block stays registered when the object has gone, and does "
        + "nothing then.",
      "Other selectors, optional requirements of protocols, and code that uses a module of Apple are left to you, each with "
        + "its place. Code in #if os(iOS) and the like is no concern of Linux.",
    ],
    examples: ["sporades port Sources", "sporades port Sources --write", "sporades port . --check"]
  ) { invocation in
    guard !(invocation.has("check") && invocation.has("write")) else {
      throw invocation.mistake("--check changes nothing, and --write does; give one of them.")
    }
    let run = try PortRun(invocation.word("DIR"))
    let changed = invocation.has("write") ? try run.write() : []
    try run.print(to: invocation.output, asJSON: invocation.isJSON, changed: changed)
    if !run.failures.isEmpty { return .couldNot }
    let isLeft = run.files.contains { $0.items.contains(where: \.isLeft) }
    if invocation.has("write") { return isLeft ? .foundSomething : .done }
    return invocation.has("check") && !run.files.isEmpty ? .foundSomething : .done
  }
}
