// SPDX-License-Identifier: MIT
import Dispatch

// Unsafe because the C library's streams are variables that nothing guards; only `stdout` is used,
// and the library locks it in every call.
#if canImport(Darwin)
  @unsafe @preconcurrency import Darwin
#elseif canImport(Musl)
  @unsafe @preconcurrency import Musl
#else
  @unsafe @preconcurrency import Glibc
#endif

/// What the C library does with a signal: an address, or one of its two special numbers.
struct SignalDisposition: Hashable, Sendable {
  private let address: Int

  static let standard = unsafe SignalDisposition(address: unsafeBitCast(SIG_DFL, to: Int.self))
  static let ignored = unsafe SignalDisposition(address: unsafeBitCast(SIG_IGN, to: Int.self))

  /// Sets what happens on a signal and returns what happened before.
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

/// Ends the process by a signal, with what it has printed written out.
func endProcess(by signal: ProcessSignal) -> Never {
  writeOutStandardOutput()
  _ = SignalDisposition.replace(of: signal, with: .standard)
  // Dispatch blocks signals on its threads, and a blocked signal would only wait.
  var signals = sigset_t()
  unsafe sigemptyset(&signals)
  unsafe sigaddset(&signals, signal.number)
  unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  raise(signal.number)
  // Reached only where something else holds the signal off.
  _exit(128 + signal.number)
}

/// Has C call a function when the process exits; false where it takes no more of them.
func atProcessExit(_ function: @convention(c) () -> Void) -> Bool {
  atexit(function) == 0
}

/// Writes a line as one system call, because buffers may never be written out any more.
func writeToStandardError(_ text: String) {
  var text = text
  text.withUTF8 { bytes in
    unsafe _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
  }
}

/// A signal ends a process without writing its buffers. The wait is bounded because a thread that
/// is stuck in `print` holds the lock of standard output.
private func writeOutStandardOutput() {
  let isWritten = DispatchSemaphore(value: 0)
  DispatchQueue(label: "sporades.output", qos: .userInitiated).async {
    unsafe _ = fflush(stdout)
    isWritten.signal()
  }
  _ = isWritten.wait(timeout: .now() + .seconds(1))
}
