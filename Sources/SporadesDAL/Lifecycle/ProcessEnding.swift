// SPDX-License-Identifier: MIT
import Dispatch

// Unsafe because the C library's streams are unguarded variables. This file uses only `stdout`, which the
// library locks in every call.
#if canImport(Darwin)
  @unsafe @preconcurrency import Darwin
#elseif canImport(Musl)
  @unsafe @preconcurrency import Musl
#else
  @unsafe @preconcurrency import Glibc
#endif

/// The C library's handler of a signal: the address of a function, or one of two special numbers.
struct SignalDisposition: Hashable, Sendable {
  private let address: Int

  static let standard = unsafe SignalDisposition(address: unsafeBitCast(SIG_DFL, to: Int.self))
  static let ignored = unsafe SignalDisposition(address: unsafeBitCast(SIG_IGN, to: Int.self))

  /// Replaces the handler of a signal and returns the former one.
  static func replace(
    of signal: ProcessSignal, with new: SignalDisposition
  ) -> SignalDisposition {
    typealias Handler = (@convention(c) (Int32) -> Void)?
    #if canImport(Darwin)
      let former = unsafe Darwin.signal(
        signal.number, unsafeBitCast(new.address, to: Handler.self))
    #elseif canImport(Musl)
      let former = unsafe Musl.signal(signal.number, unsafeBitCast(new.address, to: Handler.self))
    #else
      let former = unsafe Glibc.signal(signal.number, unsafeBitCast(new.address, to: Handler.self))
    #endif
    return unsafe SignalDisposition(address: unsafeBitCast(former, to: Int.self))
  }
}

/// Writes out the buffer of standard output, and ends the process by a signal.
func endProcess(by signal: ProcessSignal) -> Never {
  writeOutStandardOutput()
  _ = SignalDisposition.replace(of: signal, with: .standard)
  // Dispatch blocks signals on its threads, so the signal is unblocked before it is raised.
  var signals = sigset_t()
  unsafe sigemptyset(&signals)
  unsafe sigaddset(&signals, signal.number)
  unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  raise(signal.number)
  // Reached only if a debugger or another thread has kept the signal from ending the process.
  _exit(128 + signal.number)
}

/// Registers a function for the exit of the process. Returns false if the C library takes no more functions.
func atProcessExit(_ function: @convention(c) () -> Void) -> Bool {
  atexit(function) == 0
}

/// Writes a line with one system call, because the process may end before it writes out a buffer.
func writeToStandardError(_ text: String) {
  var text = text
  text.withUTF8 { bytes in
    // Ignored, because there is no other place for a message.
    unsafe _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
  }
}

/// Writes out the buffer of standard output, because a signal ends a process without doing so. The wait is
/// limited, because a thread that is stuck in `print` holds the lock of standard output.
private func writeOutStandardOutput() {
  let isWritten = DispatchSemaphore(value: 0)
  DispatchQueue(label: "sporades.output", qos: .userInitiated).async {
    // Ignored, because the process ends whether its output arrives or not.
    unsafe _ = fflush(stdout)
    isWritten.signal()
  }
  _ = isWritten.wait(timeout: .now() + .seconds(1))
}
