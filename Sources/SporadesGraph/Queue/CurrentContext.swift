// SPDX-License-Identifier: MIT
import FoundationEssentials
public import SporadesModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The context whose block the calling thread runs.
enum CurrentContext {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = unsafe pthread_key_create(&key, nil)
    trap(unless: status == 0, "The system has no room for a value per thread.")
    return key
  }()

  /// Runs a block of a context. Inside it, the context is the current one.
  static func run<Output, Failure: Error>(
    _ context: ManagedObjectContext,
    _ body: (ManagedObjectContext) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    let outer = unsafe pthread_getspecific(key)
    // A thread has room for the value from the first block on, so that setting it does not fail later.
    let status = unsafe pthread_setspecific(key, Unmanaged.passUnretained(context).toOpaque())
    trap(unless: status == 0, "The system has no memory for a value per thread.")
    defer { unsafe _ = pthread_setspecific(key, outer) }
    return try body(context)
  }

  static var ofThread: ManagedObjectContext? {
    // The block that runs keeps the context alive.
    unsafe pthread_getspecific(key).map {
      unsafe Unmanaged<ManagedObjectContext>.fromOpaque($0).takeUnretainedValue()
    }
  }
}

extension FetchRequest {
  /// The objects that satisfy the request, in the context whose block runs. Elsewhere it throws; call
  /// `context.fetch(_:)` there.
  public func execute() throws -> [ManagedObject] {
    guard let context = CurrentContext.ofThread else {
      throw ContextError.unsupportedRequest(
        "A fetch request for \(entityName) was executed outside the block of a context. Call it in a block, or call "
          + "fetch(_:) of a context.")
    }
    return try context.fetch(self)
  }
}
