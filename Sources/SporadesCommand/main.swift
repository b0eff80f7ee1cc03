// SPDX-License-Identifier: MIT
import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

// A reader that closes the output ends the printing, and not a copy or a repair that is under way.
_ = signal(SIGPIPE, SIG_IGN)
let terminal = Terminal.current(ProcessInfo.processInfo.environment)
let program = Program(verbs: Program.allVerbs, output: Output(terminal))
exit(program.run(Array(CommandLine.arguments.dropFirst())))
