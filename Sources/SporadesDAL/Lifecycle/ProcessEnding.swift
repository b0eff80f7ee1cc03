// SPDX-License-Identifier: MIT
import CSystem
import Dispatch
import SporadesGraph

// The end of the process by a signal, after its output is written.

// Unsafe because the C library's streams are unguarded variables. This file uses only `stdout`, which the
// library locks in every call.
#if canImport(Darwin)
  @unsafe @preconcurrency import Darwin
#elseif canImport(Musl)
  @unsafe @preconcurrency import Musl
#else
  @unsafe @preconcurrency import Glibc
#endif

/// Writes out the buffer of standard output, and ends the process by a signal.
func endProcess(by signal: ProcessSignal) -> Never {
  ContextsAtExit.hint()
  writeOutStandardOutput()
  sporades_end_by_signal(signal.number)
  // Reached only if a debugger or another thread has kept the signal from ending the process.
  _exit(128 + signal.number)
}

/// Writes out the buffer of standard output, because a signal ends a process without doing so. The wait is
/// limited, because a thread that is stuck in `print` holds the lock of standard output.
func writeOutStandardOutput() {
  let isWritten = DispatchSemaphore(value: 0)
  DispatchQueue(label: "sporades.output", qos: .userInitiated).async {
    // Ignored, because the process ends whether its output arrives or not.
    unsafe _ = fflush(stdout)
    isWritten.signal()
  }
  _ = isWritten.wait(timeout: .now() + .seconds(1))
}
