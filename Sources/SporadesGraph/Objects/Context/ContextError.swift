// SPDX-License-Identifier: MIT
public import SporadesChain
public import SporadesModel
public import SporadesStore

/// What went wrong inside a context where no caller could be told by a thrown error, or what a
/// context refused.
public enum ContextError: Error, Sendable {
  /// A property of an object was set whose row is not in the store any more.
  case objectGone(ManagedObjectID)
  /// A fault could not be fulfilled.
  case unfulfilled(ManagedObjectID, StoreError)
  /// A large value could not be read.
  case unreadable(ManagedObjectID, property: String, StoreError)
  /// A value was set that has more bytes than any store can keep; the property holds what it held.
  case tooLarge(ManagedObjectID, property: String)
  /// A relationship could not be loaded.
  case unloaded(ManagedObjectID, relationship: String, StoreError)
  /// The bytes of a transformable attribute are not what its transformer makes.
  case undecodable(ManagedObjectID, property: String, any Error)
  /// An enum attribute holds a raw value that no case has.
  case unknownRawValue(ManagedObjectID, property: String)
  /// The entity is abstract, and has no objects of its own.
  case abstractEntity(String)
  /// There is no object with the id, in the context or in the store.
  case objectNotFound(ManagedObjectID)
  /// The id belongs to another store.
  case foreignObject(ManagedObjectID)
  /// The model has no such entity.
  case unknownEntity(String)
  /// The class is bound to no entity of the stack's model.
  case unboundClass(String)
  /// A fetched property could not be fetched.
  case unfetched(ManagedObjectID, property: String, any Error)
  /// The model keeps no fetch request under the name.
  case unknownTemplate(String)
  /// A fetch request asks for something that no context does; the text says what.
  case unsupportedRequest(String)
  /// An aggregate is a value that the property's Swift type does not hold.
  case aggregateDoesNotFit(AggregateFunction, property: String, type: String)
  /// The changes were accepted and are kept, but could not be committed yet, though the save was to
  /// return after its commit. The commit will be tried again; the receipt tells what becomes of it.
  case notDurable(StoreError, WriteReceipt)
  /// There is no context to save.
  case noContext
  /// The object has the id it will keep, and so a store.
  case alreadyStored(ManagedObjectID)
  /// The store is none of the stack's.
  case foreignStore(String)
  /// A context over another was to be pinned to a state of the store.
  case generationOfParent
  /// The state of the store is one of another stack's.
  case foreignGeneration
  /// `willSave` kept changing objects.
  case endlessWillSave
  /// A context was saved in the block of a read.
  case savedInRead
  /// Several things failed since the last save.
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
    case .noContext: Sentence.noContext
    case .alreadyStored(let id):
      "\(id) has a store already, since it was saved or was given its permanent id. Assign new objects only."
    case .foreignStore(let identifier):
      "The store \(identifier) is none of the stack's. Add it to the coordinator before objects are assigned to it."
    case .generationOfParent: Sentence.generationOfParent
    case .foreignGeneration: Sentence.foreignGeneration
    case .savedInRead: Sentence.savedInRead
    case .several(let errors): Sentence.summary(of: errors)
    case .endlessWillSave: Sentence.endlessWillSave
    }
  }

  /// Sentences that need no more of the error than its kind, and the one that has others in it.
  private enum Sentence {
    static let noContext =
      "There is no context to save: its object was made without one, or its context is gone or was reset. Nothing was saved."
    static let generationOfParent =
      "A context over another sees what that one does. Pin the one over the store."
    static let foreignGeneration =
      "The query generation token is one of another stack. Pin contexts to a token of their own stack, or to .current."
    static let savedInRead =
      "A read block saved its context. Nothing was saved; make changes in a write block."
    static let endlessWillSave =
      "Objects were still being changed after 100 rounds of willSave. Change a property there only if its value differs."

    static func summary(of errors: [any Error]) -> String {
      "\(errors.count) things failed since the last save, and nothing was saved: "
        + errors.prefix(5).map { "\($0)" }.joined(separator: "; ")
        + (errors.count > 5 ? "; and \(errors.count - 5) more." : "")
    }
  }
}
