// SPDX-License-Identifier: MIT

/// An import that runs, as a sequence of its progress.
///
/// The sequence ends with the import. A loop that is slow misses values in between, and never the last one.
public struct ImportRun: AsyncSequence, Sendable {
  public typealias Element = ImportProgress
  public typealias Failure = Never

  private let stream: AsyncStream<ImportProgress>
  private let task: Task<Result<ImportReport, ImportError>, Never>

  init(
    _ work:
      @escaping @Sendable (@escaping @Sendable (ImportProgress) -> Void) async throws(ImportError)
      -> ImportReport
  ) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ImportProgress.self, bufferingPolicy: .bufferingNewest(1))
    self.stream = stream
    task = Task {
      defer { continuation.finish() }
      do throws(ImportError) {
        return .success(try await work { continuation.yield($0) })
      } catch {
        return .failure(error)
      }
    }
  }

  /// The result. Waits for the end of the import.
  public var report: ImportReport {
    get async throws(ImportError) { try await task.value.get() }
  }

  /// Ends the import behind the present group of rows.
  public func cancel() { task.cancel() }

  public func makeAsyncIterator() -> AsyncStream<ImportProgress>.AsyncIterator {
    stream.makeAsyncIterator()
  }
}
