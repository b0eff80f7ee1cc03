// SPDX-License-Identifier: MIT
import SporadesDAL
public import SporadesGraph
import SporadesModel

/// The pieces of an export, as an asynchronous sequence.
public struct ExportedChunks<Object: ManagedObject>: AsyncSequence, Sendable {
  public typealias Element = [UInt8]

  let service: DALService
  let request: TypedRequest<Object>
  let form: ExportForm
  let mapping: ImportMapping<Object>

  public func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }

  /// The place of a loop in an export.
  public struct Iterator: AsyncIteratorProtocol {
    let chunks: ExportedChunks
    private var stage = Stage.beginning
    private var ids: [ManagedObjectID] = []

    private enum Stage {
      case beginning
      case rows(Int)
      case ended
    }

    init(chunks: ExportedChunks) { self.chunks = chunks }

    /// The next piece; nil at the end.
    public mutating func next() async throws -> [UInt8]? {
      let (request, form, rules) = (chunks.request, chunks.form, chunks.mapping.rules)
      switch stage {
      case .ended: return nil
      case .beginning:
        ids = try await chunks.service.read { context in
          try context.fetchIDs(request.fetchRequest(in: context))
        }
        stage = .rows(0)
        return try await next(0, form, rules, request)
      case .rows(let place): return try await next(place, form, rules, request)
      }
    }

    private mutating func next(
      _ place: Int, _ form: ExportForm, _ rules: MappingRules, _ request: TypedRequest<Object>
    ) async throws -> [UInt8] {
      let end = Swift.min(place + RowExport.batch, ids.count)
      let (some, isLast) = (Array(ids[place..<end]), end == ids.count)
      let bytes = try await chunks.service.read { context in
        try RowExport.piece(
          some, request.fetchRequest(in: context), form, rules, in: context, isFirst: place == 0,
          isLast: isLast)
      }
      stage = isLast ? .ended : .rows(end)
      return bytes
    }
  }
}
