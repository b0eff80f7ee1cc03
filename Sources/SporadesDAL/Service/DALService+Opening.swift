// SPDX-License-Identifier: MIT
import Dispatch
import SporadesGraph

extension QueryModel where Self: DALService {
  /// Makes a service on another thread while the calling task is suspended, and returns it when its store is open.
  ///
  /// ```text
  /// let data = try await AppData.open(.shared)
  /// let other = try await DALService.open(DALService(sqlite: file, entities: [User.self]))
  /// ```
  ///
  /// Throws if the store could not be opened; `handleError` has the error then, too. A `static let` service that
  /// was made before is returned at once.
  public static func open(
    _ service: @autoclosure @escaping @Sendable () -> Self
  ) async throws(DALError) -> Self {
    let result: Result<Self, DALError> = await withCheckedContinuation { continuation in
      onOpeningThread { continuation.resume(returning: service().openOrFailure) }
    }
    return try result.get()
  }

  /// Makes a service on another thread and does not wait. Calls `completion` on the service's completion queue,
  /// with the service or with the error that kept its store from opening.
  public static func open(
    _ service: @autoclosure @escaping @Sendable () -> Self,
    completion: @escaping @Sendable (Result<Self, DALError>) -> Void
  ) {
    onOpeningThread {
      let service = service()
      service.completions.async { completion(service.openOrFailure) }
    }
  }

  private static func onOpeningThread(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "sporades.opening", qos: .userInitiated).async(execute: body)
  }

  /// The service, or the error of its opening.
  private var openOrFailure: Result<Self, DALError> {
    Result { () throws(DALError) -> Self in
      _ = try stack()
      return self
    }
  }
}
