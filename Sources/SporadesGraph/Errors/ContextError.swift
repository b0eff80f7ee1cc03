// SPDX-License-Identifier: MIT
public import SporadesChain
public import SporadesModel
public import SporadesStore

/// A failure inside a context: a request that the context refused, or a failure of an access that
/// can not throw.
public enum ContextError: DescribedError, Sendable {
  /// A property was set on an object whose row is gone from the store.
  case objectGone(ManagedObjectID)
  /// A required to-one relationship was read that leads to no object.
  case missingObject(ManagedObjectID, property: String)
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
  case unknownRawValue(ManagedObjectID, property: String, value: String, type: String)
  /// The entity is abstract, and only its subentities have objects.
  case abstractEntity(String)
  /// Neither the context nor the store has an object with the id.
  case objectNotFound(ManagedObjectID)
  /// The id belongs to another store.
  case foreignObject(ManagedObjectID)
  /// The model has no entity with the name. The others are the names that it has.
  case unknownEntity(String, known: [String])
  /// No entity of the stack's model is bound to the class. The other class is the one that the stack has for the entity, which
  /// is of another version of the model.
  case unboundClass(String, instead: String? = nil)
  /// The fetch of a fetched property failed.
  case unfetched(ManagedObjectID, property: String, any Error)
  /// The model has no fetch request template with the name. The others are the names that it has.
  case unknownTemplate(String, known: [String])
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
  /// The context of an awaited read shows one state of the store to its end.
  case generationOfRead
  /// The state of the store belongs to another stack.
  case foreignGeneration
  /// Objects changed in each of many rounds of `willSave`.
  case endlessWillSave
  /// The block of a read saved its context.
  case savedInRead
  /// A hook, a check, or an observer of `willSave`, saved the same context.
  case savedInSave
  /// Several accesses failed since the last save.
  case several([any Error])
}

extension ContextError {
  public var description: String {
    switch self {
    case .objectGone(let id): Sentence.gone(id)
    case .missingObject(let id, let property): Sentence.missing(property, of: id)
    case .unfulfilled(let id, let error): "The values of \(id) could not be read: \(error)"
    case .unreadable(let id, let property, let error):
      "The value of \(id).\(property) could not be read: \(error)"
    case .tooLarge(let id, let property):
      "\(id).\(property) was set to more than \(RowPage.longestValue) bytes, or to more than fits beside its object's other values. The property keeps its former value. Keep the value in a file, or allow the attribute external storage."
    case .unloaded(let id, let name, let error): "\(id).\(name) could not be read: \(error)"
    case .undecodable(let id, let property, let error):
      "\(id).\(property) could not be decoded or encoded: \(error) If its type has changed, let init(from:) take a default for what former values lack."
    case .unknownRawValue(let id, let property, let value, let type):
      "\(id).\(property) has the raw value \(value), which belongs to no case of \(type). Add the case, or set the property."
    case .abstractEntity(let name):
      "\(name) is abstract, so it has no objects of its own. Make an object of one of its subentities."
    case .objectNotFound(let id): Sentence.missing(object: id)
    case .foreignObject(let id): Sentence.foreign(object: id)
    case .unknownEntity(let name, let known): Sentence.missing(entity: name, known)
    case .unboundClass(let name, let other): Sentence.unbound(class: name, other)
    case .unfetched(let id, let property, let error):
      "\(id).\(property) could not be fetched: \(error)"
    case .unknownTemplate(let name, let known): Sentence.missing(request: name, known)
    case .unsupportedRequest(let reason): reason
    case .aggregateDoesNotFit(let function, let property, let type):
      "The \(function.rawValue) of \(property) does not fit the type \(type). Call the context's aggregate(_:of:_:) instead."
    case .notDurable(let error, _):
      "The store accepted the changes but could not commit them yet: \(error) It keeps them and tries again by itself, so do not save them again."
    case .noContext: Sentence.noContext
    case .alreadyStored(let id):
      "\(id) belongs to a store already, because it has its permanent id. Assign only new objects, before they are saved."
    case .foreignStore(let place):
      "The store \(place) does not belong to the stack. Add it to the coordinator before you assign objects to it."
    case .generationOfParent: Sentence.generationOfParent
    case .generationOfRead: Sentence.generationOfRead
    case .foreignGeneration: Sentence.foreignGeneration
    case .savedInRead: Sentence.savedInRead
    case .savedInSave: Sentence.savedInSave
    case .several(let errors): Sentence.summary(of: errors)
    case .endlessWillSave: Sentence.endlessWillSave
    }
  }

  /// The sentences of errors that carry no details, and the summary of several errors.
  private enum Sentence {
    static func unbound(class name: String, _ other: String?) -> String {
      guard let other else {
        return
          "No entity of this stack is bound to the class \(name). Mark the class @Entity, and list it under entities: or classes: where the stack, service or container is made."
      }
      return
        "\(name) is a class of another version of the model. The objects here have the class \(other); use that one."
    }
    static let noContext =
      "There is no context to save. The object's context is gone or was reset. Nothing was saved."
    static let generationOfParent =
      "A context over a context shows its parent's state and can not be pinned. Pin the context over the store."
    static let generationOfRead =
      "An awaited read shows one state of the store to the end of its block. Begin another read for a newer state, or pin a context of your own, stack.newContext()."
    static let foreignGeneration =
      "The query generation token belongs to another stack. Pin the context to a token of its own stack, or to .current."
    static let savedInRead =
      "The block of a read saved its context, or executed a batch. Nothing was saved. Make changes in the block of a write."
    static let savedInSave =
      "save() or a batch was called while its context was saving: in willSave, didSave, a check or an observer. The save in progress writes what willSave changes; for anything else, save when it has returned."
    static let endlessWillSave =
      "Objects still changed in the hundredth round of willSave. In willSave, set a property only if its value differs."

    static func missing(object id: ManagedObjectID) -> String {
      id.isTemporaryID
        ? "\(id) is a temporary id, which only the context that gave it out knows. Call obtainPermanentIDs(for:) before the id leaves its block, or take the id after a save; if that failed, no store has the object."
        : "There is no object \(id). It was deleted, or it was never saved."
    }

    static func missing(_ property: String, of id: ManagedObjectID) -> String {
      "\(id).\(property) was read and leads to no object, but its class requires one. Set it before reading it, or make the property optional."
    }

    static func foreign(object id: ManagedObjectID) -> String {
      "\(id) belongs to another store than the context. Find the object through its own stack."
    }

    static func gone(_ id: ManagedObjectID) -> String {
      id.isTemporaryID
        ? "\(id) was deleted or undone before its first save, and was changed or linked to afterwards. The change is lost. Create a new object, or delete this one later."
        : "\(id) was changed, but the store has no row for it any more. The change is lost. Fetch the object before changing it, and create a new one if there is none."
    }

    static func missing(entity name: String, _ known: [String]) -> String {
      missing("entity", name, known)
    }

    static func missing(request name: String, _ known: [String]) -> String {
      missing("fetch request template", name, known)
    }

    private static func missing(_ kind: String, _ name: String, _ known: [String]) -> String {
      let shown = known.sorted().prefix(40).joined(separator: ", ")
      let more = known.count > 40 ? " and \(known.count - 40) more" : ""
      return "The model has no \(kind) \(name). It has \(known.isEmpty ? "none" : shown + more)."
    }

    static func summary(of errors: [any Error]) -> String {
      "\(errors.count) accesses failed since the last save, and nothing was saved: "
        + errors.prefix(5).map { "\($0)" }.joined(separator: "; ")
        + (errors.count > 5 ? "; and \(errors.count - 5) more." : "")
    }
  }
}
