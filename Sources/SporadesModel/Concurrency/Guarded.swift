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
/// It takes the place of `Mutex`. On Linux, Thread Sanitizer cannot see into the library that holds
/// the waiting half of `Mutex`, and reports every contended lock as a race. Thread Sanitizer knows the
/// lock of the C library, which this class uses.
@safe @usableFromInline
package final class Guarded<Content>: @unchecked Sendable {
  // @unchecked: only `withLock` touches the value.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let value: UnsafeMutablePointer<Content>

  package init(_ value: sending Content) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    let status = unsafe pthread_mutex_init(mutex, nil)
    precondition(status == 0, "The system could not create a lock.")
    unsafe self.value = .allocate(capacity: 1)
    unsafe self.value.initialize(to: value)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
  }

  /// Calls `body` with the value while no other thread can touch it.
  ///
  /// The function is inlined, because otherwise the process looks up its generic code for each type at
  /// run time.
  @inlinable
  package func withLock<Output, Failure: Error>(
    _ body: (inout Content) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    lock()
    defer { unlock() }
    return try unsafe body(&value.pointee)
  }

  @usableFromInline func lock() { unsafe pthread_mutex_lock(mutex) }
  @usableFromInline func unlock() { unsafe pthread_mutex_unlock(mutex) }
}
