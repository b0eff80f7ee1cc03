// SPDX-License-Identifier: MIT
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A value that one thread at a time can touch.
///
/// It stands where `Mutex` would, because on Linux the waiting half of `Mutex` lies in a library
/// that Thread Sanitizer cannot see into: every contended lock is reported as a race. The C
/// library's lock is one it knows.
@safe
package final class Guarded<Value>: @unchecked Sendable {
  // @unchecked: only `withLock` touches the value.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  /// The second half is there because an access to an empty value, as in `Guarded(())`, is one to
  /// whatever lies at its place, and Thread Sanitizer takes it for a race with that.
  private var storage: (value: Value, filler: UInt8)

  package init(_ value: sending Value) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    let status = unsafe pthread_mutex_init(mutex, nil)
    precondition(status == 0, "The system has no lock to give.")
    storage = (value, 0)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  package func withLock<Output, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&storage.value)
  }
}
