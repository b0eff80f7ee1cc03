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
@safe @usableFromInline
package final class Guarded<Value>: @unchecked Sendable {
  // @unchecked: only `withLock` touches the value.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let value: UnsafeMutablePointer<Value>

  package init(_ value: sending Value) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    let status = unsafe pthread_mutex_init(mutex, nil)
    precondition(status == 0, "The system has no lock to give.")
    unsafe self.value = .allocate(capacity: 1)
    unsafe self.value.initialize(to: value)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
  }

  /// Inlined, because generic code of another module is looked up type by type at run time.
  @inlinable
  package func withLock<Output, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    lock()
    defer { unlock() }
    return try unsafe body(&value.pointee)
  }

  @usableFromInline func lock() { unsafe pthread_mutex_lock(mutex) }
  @usableFromInline func unlock() { unsafe pthread_mutex_unlock(mutex) }
}
