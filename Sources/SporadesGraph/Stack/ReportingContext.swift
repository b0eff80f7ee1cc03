// SPDX-License-Identifier: MIT

/// A context whose finders need no `try`: a failure is kept, and fails the block when it ends.
///
/// The chained blocks of a service get one, so that they stay short. Nothing is lost by it: a write
/// in whose block something failed is discarded, and the failure reaches the service.
public final class ReportingContext: ManagedObjectContext {
  /// What `body` returns, or `fallback` with the failure kept for the end of the block.
  @usableFromInline
  func reporting<Output>(_ fallback: Output, _ body: () throws -> Output) -> Output {
    do {
      return try body()
    } catch {
      keep(error)
      return fallback
    }
  }
}
