// SPDX-License-Identifier: MIT
import Foundation
import SporadesStore

// Reads the command line, and says in a sentence what went wrong.

let usage = """
  usage: move-store [--schema NAME] FILE ADDRESS
         move-store [--schema NAME] --back ADDRESS FILE
  Moves the Core Data store in FILE into an empty schema of the server at ADDRESS, a connection string of libpq; with --back,
  the store in the schema into FILE, where there is nothing yet. The schema is `public` unless NAME is another one.

  """

func fail(_ sentence: String, status: Int32 = 1) -> Never {
  FileHandle.standardError.write(Data((sentence + "\n").utf8))
  exit(status)
}

var arguments = Array(CommandLine.arguments.dropFirst())
var schema = "public"
if let place = arguments.firstIndex(of: "--schema"), place + 1 < arguments.count {
  schema = arguments[place + 1]
  arguments.removeSubrange(place...place + 1)
}
let goesBack = arguments.first == "--back"
if goesBack { arguments.removeFirst() }
guard arguments.count == 2, !arguments.contains(where: { $0.hasPrefix("--") }) else {
  fail(usage, status: 2)
}
do throws(StoreError) {
  if goesBack {
    try Moving(schema: schema).move(serverAt: arguments[0], toFile: arguments[1])
  } else {
    try Moving(schema: schema).move(file: arguments[0], toServerAt: arguments[1])
  }
} catch {
  fail("move-store: \(error)")
}
