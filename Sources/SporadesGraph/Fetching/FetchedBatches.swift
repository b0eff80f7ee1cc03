// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesStore

/// The objects of a fetch, which a loop reads one batch at a time.
///
/// The fetch reads all ids at once. They fix the members and the order of the result; later saves
/// and changes do not move an object. Each batch reads its values when the loop reaches it. An
/// object that was deleted in the meantime stays in the result and has empty values. When the loop
/// leaves a batch, its objects are released, unless you hold them or they have changes; save
/// between batches to release changed ones too. If a batch can not be read, the context reports the
/// failure, as it does for a fault.
///
/// Read the collection in order, or at least batch by batch: each change of batch asks the store.
public struct FetchedBatches<Object: ManagedObject>: RandomAccessCollection {
  private let reader: BatchReader

  init(_ reader: BatchReader) { self.reader = reader }

  /// The result where no object was found.
  static func none(in context: ManagedObjectContext) -> Self {
    Self(BatchReader([], FetchRequest(""), in: context))
  }

  /// The position of the first object.
  public var startIndex: Int { 0 }
  /// The number of objects.
  public var endIndex: Int { reader.ids.count }
  /// The ids of all objects. Asking for them reads no values.
  public var objectIDs: [ManagedObjectID] { reader.ids }

  /// The object at the position, in memory as a part of its batch.
  public subscript(position: Int) -> Object {
    let object = reader.object(at: position)
    guard let object = object as? Object else {
      trap(
        "A fetch of \(Object.self) found an object of class \(type(of: object)). Fetch the entity of the class."
      )
    }
    return object
  }
}

/// Holds one batch of objects, and releases it before it reads another.
final class BatchReader {
  let ids: [ManagedObjectID]
  private let context: ManagedObjectContext
  private let size: Int
  private let prefetching: [String]
  /// New objects by position. Their temporary ids are not valid any more after a save.
  private let new: [Int: ManagedObject]
  private var objects: [ManagedObject] = []
  private var start = 0

  init(_ ids: [ManagedObjectID], _ request: FetchRequest, in context: ManagedObjectContext) {
    self.ids = ids
    self.context = context
    size = request.fetchBatchSize ?? FaultList.batch
    prefetching = request.relationshipKeyPathsForPrefetching
    var new: [Int: ManagedObject] = [:]
    for (place, id) in ids.enumerated() where id.isTemporaryID {
      // because the fetch has just found the object among the changes, the look-up does not fail
      new[place] = try? context.object(with: id)
    }
    self.new = new
  }

  func object(at position: Int) -> ManagedObject {
    trap(
      unless: ids.indices.contains(position),
      "The fetch has \(ids.count) objects and none at position \(position).")
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
      context.keepFailure(error)
    }
  }
}

extension ManagedObjectContext {
  /// The objects that satisfy the request, with `fetchBatchSize` of them in memory at a time. Use
  /// it to walk over more objects than memory should hold.
  public func fetchInBatches<Object: ManagedObject>(
    _ type: Object.Type, _ request: FetchRequest
  ) throws -> FetchedBatches<Object> {
    FetchedBatches(BatchReader(try fetchIDs(request), request, in: self))
  }
}

extension FetchedBatches: CustomStringConvertible {
  /// The class and the number of the objects. None of them is read.
  public var description: String { "\(count) objects of \(Object.self), in batches" }
}
