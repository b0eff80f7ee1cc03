// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGenerating

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

// The tool of the plugins: GenerateModels has it write the classes of one model into one file, and GenerateAccessors
// what the Core Data of a target needs beside its sources, and its resources.

let arguments = Array(CommandLine.arguments.dropFirst())
do {
  if arguments.first == "accessors", arguments.count > 3 {
    let run = AccessorRun(
      module: arguments[1], output: arguments[2], files: Array(arguments.dropFirst(3)))
    exit(try run.write())
  } else if arguments.first == "compile", [3, 4].contains(arguments.count) {
    try ModelCompilation(
      source: URL(fileURLWithPath: arguments[1]), target: URL(fileURLWithPath: arguments[2]),
      module: arguments.count == 4 ? arguments[3] : nil
    ).write()
  } else if arguments.count == 2 {
    try ToolFile.writeClasses(ofModel: arguments[0], to: arguments[1])
  } else {
    ToolFile.say([
      "usage: SporadesGenerator MODEL FILE",
      "       SporadesGenerator accessors MODULE FILE (SOURCE | MODEL)…",
      "       SporadesGenerator compile MODEL FILE [MODULE]",
    ])
    exit(2)
  }
} catch {
  ToolFile.say(ToolFile.lines(of: error))
  exit(3)
}
