// SPDX-License-Identifier: MIT
public import SporadesChain
public import SporadesModel
public import SporadesStore

/// A failure inside a context: a request that the context refused, or a failure of an access that
/// can not throw.
public enum ContextError: Error, Sendable {
  /// A property was set on an object whose row is gone from the store.
  case objectGone(ManagedObjectID)
  /// The values of a fault could not be read.
  case unfulfilled(ManagedObjectID, StoreError)
  /// A value that lies in a file could not be read.
  case unreadable(ManagedObjectID, property: String, StoreError)
  /// A value was set that has more bytes than a store can keep. The property keeps its former
  /// value.
  case tooLarge(ManagedObjectID, property: String)
  /// A relationship could not be read.
  case unloaded(ManagedObjectID, relationship: String, StoreError)
  /// The attribute's transformer could not decode the stored bytes, or could not encode the value.
  case undecodable(ManagedObjectID, property: String, any Error)
  /// An enum attribute has a raw value that belongs to no case.
  case unknownRawValue(ManagedObjectID, property: String)
  /// The entity is abstract, so it has no objects of its own.
  case abstractEntity(String)
  /// Neither the context nor the store has an object with the id.
  case objectNotFound(ManagedObjectID)
  /// The id belongs to another store.
  case foreignObject(ManagedObjectID)
  /// The model has no entity with the name.
  case unknownEntity(String)
  /// No entity of the stack's model is bound to the class.
  case unboundClass(String)
  /// The fetch of a fetched property failed.
  case unfetched(ManagedObjectID, property: String, any Error)
  /// The model has no fetch request template with the name.
  case unknownTemplate(String)
  /// A fetch request has an option that no context supports; the text names it.
  case unsupportedRequest(String)
  /// The result of an aggregate does not fit the property's Swift type.
  case aggregateDoesNotFit(AggregateFunction, property: String, type: String)
  /// The store accepted and keeps the changes, but could not commit them before the save returned,
  /// as the context's durability demands. The commit is tried again; the receipt tells its outcome.
  case notDurable(StoreError, WriteReceipt)
  /// The object has no context to save.
  case noContext
  /// The object has its permanent id, so its store is already chosen.
  case alreadyStored(ManagedObjectID)
  /// The store does not belong to the stack.
  case foreignStore(String)
  /// A context over another context can not be pinned to a state of the store.
  case generationOfParent
  /// The state of the store belongs to another stack.
  case foreignGeneration
  /// Objects changed in each of many rounds of `willSave`.
  case endlessWillSave
  /// The block of a read saved its context.
  case savedInRead
  /// Several accesses failed since the last save.
  case several([any Error])
}

extension ContextError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .objectGone(let id):
      "\(id) was changed, but its row is not in the store any more. Fetch it again before changing it."
    case .unfulfilled(let id, let error): "The values of \(id) could not be read: \(error)"
    case .unreadable(let id, let property, let error):
      "The value of \(id).\(property) could not be read: \(error)"
    case .tooLarge(let id, let property):
      "\(id).\(property) was set to more than \(RowPage.longestValue) bytes, or to more than fits beside its object's other values, and still holds its former value. Keep so much in a file, or allow the attribute external storage."
    case .unloaded(let id, let name, let error): "\(id).\(name) could not be read: \(error)"
    case .undecodable(let id, let property, let error):
      "\(id).\(property) could not be decoded or encoded: \(error)"
    case .unknownRawValue(let id, let property):
      "\(id).\(property) holds a raw value that no case of its enum has. Add the case, or set the property."
    case .abstractEntity(let name):
      "\(name) is abstract, and has no objects of its own. Make an object of an entity below it."
    case .objectNotFound(let id): "There is no object \(id); it was deleted, or never saved."
    case .foreignObject(let id):
      "\(id) belongs to another store than the context's. Find the object through its own stack."
    case .unknownEntity(let name): "The model has no entity \(name)."
    case .unboundClass(let name):
      "\(name) is the class of no entity of this stack. Name it among the stack's entities."
    case .unfetched(let id, let property, let error):
      "\(id).\(property) could not be fetched: \(error)"
    case .unknownTemplate(let name): "The model has no fetch request template \(name)."
    case .unsupportedRequest(let reason): reason
    case .aggregateDoesNotFit(let function, let property, let type):
      "The \(function.rawValue) of \(property) is no value of type \(type). Ask the context's aggregate(_:of:_:) for it."
    case .notDurable(let error, _):
      "The changes were accepted but could not be committed yet; they are kept and will be tried again: \(error)"
    case .noContext:
      "There is no context to save: its object was made without one, or its context is gone or was reset. Nothing was saved."
    case .alreadyStored(let id):
      "\(id) has a store already, since it was saved or was given its permanent id. Assign new objects only."
    case .foreignStore(let identifier):
      "The store \(identifier) is none of the stack's. Add it to the coordinator before objects are assigned to it."
    case .generationOfParent:
      "A context over another sees what that one does. Pin the one over the store."
    case .foreignGeneration:
      "The query generation token is one of another stack. Pin contexts to a token of their own stack, or to .current."
    case .savedInRead:
      "A read block saved its context. Nothing was saved; make changes in a write block."
    case .several(let errors):
      "\(errors.count) things failed since the last save, and nothing was saved: "
        + errors.prefix(5).map { "\($0)" }.joined(separator: "; ")
        + (errors.count > 5 ? "; and \(errors.count - 5) more." : "")
    case .endlessWillSave:
      "Objects were still being changed after 100 rounds of willSave. Change a property there only if its value differs."
    }
  }
}
