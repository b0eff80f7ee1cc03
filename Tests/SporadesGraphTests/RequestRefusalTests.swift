// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// What requests are refused for: the same, in the same words, wherever the answer would come from.
@Suite struct RequestRefusalTests {
  enum Place: CaseIterable, Sendable {
    case memory, sqlite, nested, oneOfSeveral, several

    func stack() throws -> DataStack {
      let store: any PersistentStore
      switch self {
      case .memory: store = MemoryStore(model: People.model)
      case .sqlite, .nested: store = try SQLiteStore(inMemory: People.model)
      case .oneOfSeveral, .several:
        let coordinator = PersistentStoreCoordinator(model: People.model)
        try coordinator.addPersistentStore(MemoryStore(model: People.model))
        if self == .several {
          try coordinator.addPersistentStore(SQLiteStore(inMemory: People.model))
        }
        store = coordinator
      }
      return DataStack(store: store, classes: People.classes)
    }

    func context() throws -> ContextQueue {
      let stack = try stack()
      let context = stack.newContext()
      return self == .nested ? stack.newChild(of: stack.newChild(of: context)) : context
    }
  }

  private static let wrong: [(FetchPredicate, [SortTerm])] = [
    (.equals("nothing", 1), []),
    (.equals("age", "text"), []),
    (.equals("dogs", 1), []),
    (.equals("name.first", 1), []),
    (.equals("parent..name", "x"), []),
    (.compare("name", .matches, "("), []),
    (
      .not(.or([.equals("age", 1), .comparison(.init(.variable("x"), .equal, .keyPath("age")))])),
      []
    ),
    (.constant(true), [SortTerm("nothing")]),
    (.constant(true), [SortTerm("dogs.name")]),
    (.constant(true), [SortTerm("parent")]),
    (.equals("nothing", 1), [SortTerm("nowhere")]),
  ]

  @Test(arguments: wrong.indices)
  func aWrongPredicateOrOrderIsOneError(index: Int) throws {
    let (predicate, terms) = Self.wrong[index]
    let request = FetchRequest("Person", where: predicate, sortedBy: terms)
    var errors: Set<FetchPredicateError> = []
    var number = 0
    func collect(_ body: () throws -> Void) {
      number += 1
      if let error = #expect(throws: FetchPredicateError.self, performing: body) {
        errors.insert(error)
      }
    }
    for place in Place.allCases {
      try place.context().performAndWait { context in
        for _ in 0..<3 {
          collect { _ = try context.fetch(request) }
          collect { _ = try context.count(request) }
          collect { _ = try context.fetchIDs(request) }
          collect { _ = try context.fetchInBatches(Person.self, request) }
          collect { _ = try context.aggregate(.sum, of: "age", request) }
          Person.make("Ann", in: context)
          Dog.create(in: context)
          if context.insertedObjects.count > 2 { try context.save() }
        }
      }
    }
    #expect(errors.count == 1, "\(errors)")
    #expect(number == 15 * Place.allCases.count, "\(errors)")
  }

  @Test(arguments: wrong.indices)
  func storesSayTheSame(index: Int) throws {
    let (predicate, terms) = Self.wrong[index]
    let shape = try #require(People.model.shape(named: "Person"))
    let fetch = StoreFetch(shape, where: predicate, sortedBy: terms)
    var errors: Set<FetchPredicateError> = []
    for place in Place.allCases {
      let store = try place.stack().store
      func collect(_ body: () throws -> Void) {
        let error = #expect(throws: StoreError.self, performing: body)
        guard let cause = error?.underlying as? FetchPredicateError else {
          Issue.record("\(place): \(String(describing: error))")
          return
        }
        #expect(error?.code == .unsupported)
        #expect(error?.detail == cause.description)
        errors.insert(cause)
      }
      collect { _ = try store.rows(fetch, in: .accepted) }
      collect { _ = try store.keys(fetch, in: .accepted) }
      collect { _ = try store.count(fetch, in: .committed) }
      collect { _ = try store.aggregate(.max, of: ["age"], fetch, in: .accepted) }
    }
    #expect(errors.count == 1, "\(errors)")
  }

  @Test(arguments: Place.allCases)
  func resultsThatDoNotExistAreRefused(in place: Place) throws {
    try place.context().performAndWait { context in
      Person.make("Ann", in: context)
      func refuses<Output>(
        _ change: (inout FetchRequest) -> Void, _ body: (FetchRequest) throws -> Output,
        at location: SourceLocation = #_sourceLocation
      ) {
        var request = FetchRequest("Person")
        change(&request)
        let error = #expect(throws: ContextError.self, sourceLocation: location) {
          _ = try body(request)
        }
        guard case .unsupportedRequest(let reason)? = error else {
          Issue.record("\(String(describing: error))", sourceLocation: location)
          return
        }
        #expect(reason.contains("Person"), sourceLocation: location)
      }
      for type in [FetchRequest.ResultType.managedObjectID, .dictionary, .count] {
        refuses {
          $0.resultType = type
        } _: {
          try context.fetch($0)
        }
        refuses {
          $0.resultType = type
        } _: {
          try context.fetch(Person.self, $0)
        }
        refuses {
          $0.resultType = type
        } _: {
          try context.aggregate(.sum, of: "age", $0)
        }
      }
      refuses {
        $0.resultType = .count
      } _: {
        try context.fetchIDs($0)
      }
      refuses {
        $0.propertiesToFetch = ["name"]
      } _: {
        try context.count($0)
      }
      refuses {
        $0.fetchLimit = -1
      } _: {
        try context.fetch($0)
      }
      refuses {
        $0.fetchOffset = -1
      } _: {
        try context.count($0)
      }
      refuses {
        $0.fetchBatchSize = -1
      } _: {
        try context.fetch($0)
      }

      var request = FetchRequest("Person")
      request.resultType = .managedObjectID
      let ids = try context.fetchIDs(request)
      #expect(ids.count == 1)
      #expect(try context.count(request) == 1)
      request.resultType = .count
      #expect(try context.count(request) == 1)
    }
  }

  @Test(arguments: Place.allCases, ["nothing", "name", "dogs.name", "dogs..owner", ""])
  func whatCanNotBePrefetchedIsRefusedWithoutObjectsToo(in place: Place, path: String) throws {
    try place.context().performAndWait { context in
      var request = FetchRequest("Person")
      request.relationshipKeyPathsForPrefetching = [path]
      for _ in 0..<2 {
        #expect(throws: FetchPredicateError.self) { try context.fetch(request) }
        Person.make("Ann", in: context)
        try context.save()
      }
      request.relationshipKeyPathsForPrefetching = ["dogs.owner"]
      #expect(try context.fetch(request).count == 2)
    }
  }

  @Test(arguments: Place.allCases)
  func aServiceTellsOfThePredicate(in place: Place) throws {
    let service = DALService(stack: try place.stack())
    for unsaved in [false, true] {
      let error = #expect(throws: DALError.self) {
        try service.writeSync { context in
          if unsaved { Person.create(in: context) }
          _ = Person.all(where: FetchPredicate.equals("nothing", 1), in: context)
        }.get()
      }
      guard case .predicate(let cause)? = error?.code else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(cause.code == .unknownKeyPath)
    }
  }
}
