// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel

// Objects whose row is gone, whose changes fail the save, and objects that outlive their context.
//
// Rules:
// 1. An object shows the values that it has in memory, whatever became of its context.
// 2. A change to an object whose row is gone is reported, and fails the save.
// 3. An object of a block of a service, or of a stage of a migration, that has ended can neither change nor lead to other objects. Both
//    trap, because nobody is left who could save the one or answer the other. The same holds after `reset()` in a write.
// 4. An object of any other context that is gone or was reset keeps the values that it is given, as in
//    Core Data. Its relationships are empty, and changing them traps.
extension ManagedObject {
  private static let changeAfterDelete = Hint(
    " was changed after it was deleted in its context. The change is lost: the save deletes the row. Change it before, "
      + "or do not delete it."
  )

  /// Checks in debug builds that the object's own queue changes it, and hints at a change that is lost.
  @usableFromInline
  final func checkChange(_ place: Int) { checkChange(named: propertyName(at: place)) }

  /// Does the same for a property with a name.
  final func checkChange(named name: @autoclosure () -> String) {
    home.checkQueue(self, name())
    if isDeleted { Self.changeAfterDelete.give(about: "\(objectID)") }
  }

  /// Reports a change to an object whose row is gone, or traps if its context is gone.
  final func refuseChange() {
    if let context = home.context { return context.report(.objectGone(objectID)) }
    trap(
      home.isOfEndedBlock
        ? """
        \(objectID) was changed after the block of the service or stage that it came from, or after reset() in \
        the block, so nobody would save the change. Change it inside the block of a write, or find it again in another one: \
        try object.inContext(context).
        """
        : """
        \(objectID) was changed, but its context is gone or was reset, so nobody would save the change. \
        Keep the context as long as its objects are in use, or find the object again in another one: \
        try object.inContext(context).
        """)
  }

  /// Traps if the object's first change since the last save comes from outside of its context. In every build, because
  /// no save would take the change, and reads would show it until then.
  final func requireBlock(of context: ManagedObjectContext) {
    trap(
      unless: context.isHeld || context.access.isHeldByCurrentThread,
      """
      \(objectID) was changed outside of the block or thread of its context, where no save takes the change. \
      Change it in the block of a write, and find it there first: try object.inContext(context).
      """)
  }

  /// Traps if the object can not read a property because the block that it came from has ended.
  final func refuseReading(_ property: String?) {
    trap(
      unless: !home.isOfEndedBlock,
      """
      \(objectID)\(property.map { ".\($0)" } ?? "") was read after the block of the service or stage that the \
      object came from, or after reset() in the block. There an object shows only the values that it had in memory. Read \
      inside the block and return values, or find the object again in another one: \
      try object.inContext(context).
      """)
  }

  /// Gives an object that outlives its context a row of its own, which nobody saves.
  final func openRowWithoutContext() {
    guard !home.isOfEndedBlock, let page else { return refuseChange() }
    let own = RowPage(openForChangedRowsOf: page.layout, capacity: 1)
    unsafe _ = own.openCopy(of: rowIndex, in: page)
    show(own, 0)
    state.insert(.open)
  }
}

extension ManagedObjectContext {
  /// Traps if the object belongs to another context.
  final func requireOwn(_ object: ManagedObject) {
    trap(
      unless: object.home.context === self,
      object.home.context == nil
        ? """
        \(object.objectID) outlived its context: that is gone, was reset, or belonged to a block of a \
        service that has ended. Find the object in this one first: try object.inContext(context).
        """
        : "\(object.objectID) lives in another context. Find it in this one first: inContext(_:).")
  }
}
