// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesModel

/// The things that all objects of one entity in one context share.
///
/// Objects keep their home alive; the home does not keep the context alive. An object that outlives
/// its context sees that it is gone and still answers with the values in memory.
@safe @usableFromInline
final class ObjectHome {
  @usableFromInline let binding: EntityBinding
  /// The class of the objects.
  let type: ManagedObject.Type
  private(set) var scope: StoreScope
  /// The context clears this before it goes away.
  private var contextReference: Unmanaged<ManagedObjectContext>?
  /// The identity of the context, comparable without reference counting. The context clears it
  /// together with the reference, because a later context may get the same address.
  private(set) var contextToken: ObjectIdentifier?
  @usableFromInline let places: UnsafePointer<Int32>
  @usableFromInline let slots: SlotPlaces
  /// The entity's number, in the bits of a key that hold it.
  let entityBits: UInt64
  /// Whether the context belonged to a block of a service that has ended. Nobody saves or reads in it
  /// any more.
  private(set) var isOfEndedBlock = false
  /// Whether each access checks that it runs on the context's queue.
  @usableFromInline let checksQueue: Bool
  /// Whether each read has to tell the home first: it checks the queue, or somebody tracks reads.
  // @exclusivity(unchecked): a flag, which no reader holds on to.
  @exclusivity(unchecked) @usableFromInline var hearsReads: Bool

  // @exclusivity(unchecked): pages never call homes.
  @exclusivity(unchecked) private var insertPages = OpenPages()
  @exclusivity(unchecked) private var updatePages = OpenPages()

  init(_ binding: EntityBinding, context: ManagedObjectContext?, scope: StoreScope) {
    self.binding = binding
    type = binding.type
    self.scope = scope
    unsafe contextReference = context.map { unsafe Unmanaged.passUnretained($0) }
    contextToken = context.map { ObjectIdentifier($0) }
    unsafe places = UnsafePointer(binding.places)
    unsafe slots = binding.shape.layout.places
    entityBits = RowKey(entity: binding.shape.number, primaryKey: 0).rawValue
    checksQueue = context?.checksQueue ?? ConcurrencyCheck.isOn
    unsafe hearsReads = checksQueue || context?.readListener != nil
  }

  var shape: EntityShape { binding.shape }

  /// Makes an object of the class.
  @inline(__always)
  func makeObject(_ seed: ObjectSeed) -> ManagedObject { type.makeObject(seed) }

  /// The id with the key. The context remembers the temporary ones, so that they find their objects
  /// after a save too.
  func id(of key: RowKey) -> ManagedObjectID {
    if key.isTemporary { context?.noteTemporaryID(key) }
    return ManagedObjectID(key: key, scope: scope)
  }

  var context: ManagedObjectContext? { unsafe contextReference?.takeUnretainedValue() }

  /// Calls `body` with the context, unless it is gone, and counts no reference to it. `body` must call no code of the
  /// application, which could release the context.
  @discardableResult @inline(__always)
  func onContext<Output>(_ body: (ManagedObjectContext) -> Output) -> Output? {
    unsafe contextReference?._withUnsafeGuaranteedRef(body)
  }

  /// The open page for rows of new objects.
  var insertPage: RowPage {
    unsafe insertPages.next {
      RowPage(
        openFor: shape.layout, capacity: $0, startingAs: binding.newRow, binding.defaultBytes)
    }
  }
  /// The open page for rows of changed objects.
  var updatePage: RowPage {
    unsafe updatePages.next { RowPage(openForChangedRowsOf: shape.layout, capacity: $0) }
  }

  /// Stops filling the open pages. The objects that show them keep them alive.
  func closePages() {
    unsafe insertPages.close()
    unsafe updatePages.close()
  }

  /// Leads to another context from now on. The home has objects that the other context adopts.
  func attach(to context: ManagedObjectContext) {
    unsafe contextReference = unsafe Unmanaged.passUnretained(context)
    contextToken = ObjectIdentifier(context)
    scope = context.stack.scope
    closePages()
  }

  /// Detaches the home from its context, when the context goes away or drops its objects.
  func detachFromContext(atEndOfBlock: Bool) {
    unsafe contextReference = nil
    contextToken = nil
    isOfEndedBlock = atEndOfBlock
  }

  /// Checks that the object is used on the queue or thread of its context. `property` is named if it is not.
  func checkQueue(_ object: ManagedObject, _ property: @autoclosure () -> String? = nil) {
    context?.checkQueue(describe(object, property()))
  }

  private func describe(_ object: ManagedObject, _ property: String?) -> String {
    "\(id(of: object.key))\(property.map { ".\($0)" } ?? "")"
  }

  /// Checks the queue, and tells who tracks reads which property is read.
  @usableFromInline
  func hear(readOf object: ManagedObject, _ place: Int) {
    guard let context else { return }
    if checksQueue { checkQueue(object, object.propertyName(at: place)) }
    context.readListener?.hear(readOf: object, object.propertyName(at: place))
  }

  /// Does the same for a property with a name.
  func hear(readOf object: ManagedObject, named name: String) {
    guard let context else { return }
    if checksQueue { checkQueue(object, name) }
    context.readListener?.hear(readOf: object, name)
  }
}
