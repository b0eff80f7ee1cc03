// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesStore

/// The objects of a fetch, read a batch at a time while they are walked.
///
/// The ids are fetched at once, and with them who belongs to the result and in which order: what is
/// saved or changed later moves nobody. The values are read when a batch is come to, so they are
/// those of that moment; an object that was deleted meanwhile is there and answers with nothing.
/// Objects of a batch that is left are let go, unless you hold them or they were changed; save
/// between batches to let those go too. A batch that can not be read is reported as a fault is.
///
/// Walk it in order, or at least batch by batch: each change of batch asks the store.
public struct FetchedBatches<Object: ManagedObject>: RandomAccessCollection {
  private let reader: BatchReader

  init(_ reader: BatchReader) { self.reader = reader }

  public var startIndex: Int { 0 }
  public var endIndex: Int { reader.ids.count }
  /// The ids of all objects, which are known without reading any.
  public var objectIDs: [ManagedObjectID] { reader.ids }

  public subscript(position: Int) -> Object {
    let object = reader.object(at: position)
    guard let object = object as? Object else {
      preconditionFailure(
        "A fetch of \(Object.self) found an object of class \(type(of: object)).")
    }
    return object
  }
}

/// Holds one batch of objects, and lets go of it before it reads another.
final class BatchReader {
  let ids: [ManagedObjectID]
  private let context: ManagedObjectContext
  private let size: Int
  private let prefetching: [String]
  /// New objects, which no id finds once they were saved.
  private let new: [Int: ManagedObject]
  private var objects: [ManagedObject] = []
  private var start = 0

  init(_ ids: [ManagedObjectID], _ request: FetchRequest, in context: ManagedObjectContext) {
    self.ids = ids
    self.context = context
    size = request.fetchBatchSize > 0 ? request.fetchBatchSize : FaultList.batch
    prefetching = request.relationshipKeyPathsForPrefetching
    var new: [Int: ManagedObject] = [:]
    for (place, id) in ids.enumerated() where id.isTemporaryID {
      // The fetch has just found it among the changes, so it is there.
      new[place] = try? context.object(with: id)
    }
    self.new = new
  }

  func object(at position: Int) -> ManagedObject {
    precondition(
      ids.indices.contains(position), "The fetch has \(ids.count) objects, not number \(position).")
    if position < start || position >= start + objects.count {
      read(position / size * size)
    }
    return objects[position - start]
  }

  private func read(_ first: Int) {
    objects = []
    if !context.retainsRegisteredObjects { context.sweepIfGrown() }
    start = first
    objects = (first..<Swift.min(first + size, ids.count)).map { place in
      new[place] ?? context.object(forKey: ids[place].key)
    }
    do {
      try context.fulfil(objects)
      try context.prefetch(prefetching, of: objects)
    } catch {
      context.keep(error)
    }
  }
}

extension ManagedObjectContext {
  /// The objects that satisfy the request, a batch of `fetchBatchSize` in memory at a time: for
  /// walking over more of them than should be held.
  public func fetchInBatches<Object: ManagedObject>(
    _ type: Object.Type, _ request: FetchRequest
  ) throws -> FetchedBatches<Object> {
    FetchedBatches(BatchReader(try fetchIDs(request), request, in: self))
  }
}
