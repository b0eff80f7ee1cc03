// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesModel

/// What all objects of one entity in one context have in common.
///
/// Objects keep their home alive, the home does not keep the context: an object that outlives its
/// context finds it gone and answers with what it still holds.
@safe @usableFromInline
final class ObjectHome {
  let binding: EntityBinding
  let scope: StoreScope
  /// The context's own reference is taken back when it goes away.
  private unowned(unsafe) var contextReference: ManagedObjectContext?
  /// Tells contexts apart without counting references.
  /// Taken back with the reference: a later context may lie at the same place in memory.
  private(set) var contextToken: ObjectIdentifier?
  @usableFromInline let places: UnsafePointer<Int32>
  @usableFromInline let slots: SlotPlaces
  /// The entity's number where keys have it.
  let entityBits: UInt64
  /// Every access asks whether it happens on the context's queue.
  @usableFromInline let checksQueue: Bool

  // @exclusivity(unchecked): pages know nothing of homes.
  @exclusivity(unchecked) private var insertPages = OpenPages(ofChangedRows: false)
  @exclusivity(unchecked) private var updatePages = OpenPages(ofChangedRows: true)

  init(_ binding: EntityBinding, context: ManagedObjectContext?, scope: StoreScope) {
    self.binding = binding
    self.scope = scope
    unsafe contextReference = context
    contextToken = context.map { ObjectIdentifier($0) }
    unsafe places = UnsafePointer(binding.places)
    unsafe slots = binding.shape.layout.places
    entityBits = RowKey(entity: binding.shape.number, primaryKey: 0).rawValue
    checksQueue = ConcurrencyCheck.isOn
  }

  var shape: EntityShape { binding.shape }

  var context: ManagedObjectContext? { unsafe contextReference }

  /// Where the row of a new object goes.
  var insertPage: RowPage { unsafe insertPages.next(shape.layout) }
  /// Where the row of a changed object goes.
  var updatePage: RowPage { unsafe updatePages.next(shape.layout) }

  /// The pages in use live on in the objects that show them.
  func closePages() {
    unsafe insertPages.close()
    unsafe updatePages.close()
  }

  /// Called by the context when it goes away or forgets its objects.
  func abandon() {
    unsafe contextReference = nil
    contextToken = nil
  }

  @usableFromInline
  func checkQueue() { context?.checkQueue() }
}
