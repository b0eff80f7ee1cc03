// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The number of resources that the calling thread holds.
enum HeldByThread {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = unsafe pthread_key_create(&key, nil)
    precondition(status == 0, "The system has no room for a value per thread.")
    return key
  }()

  // The pointer that the system keeps per thread is the number itself. No code follows it.
  static var count: Int {
    get { unsafe Int(bitPattern: pthread_getspecific(key)) }
    set { unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
  }
}
