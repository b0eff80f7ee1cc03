// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Conflicts of objects whose values lie in files that others removed.
@Suite struct LargeConflictTests {
  private let folder: TemporaryFolder
  private let old = Data(repeating: 7, count: 300_000)
  private let new = Data(repeating: 8, count: 200_000)

  init() throws { folder = try TemporaryFolder() }

  private var values: URL { folder.url.appendingPathComponent(".kinds_SUPPORT/_EXTERNAL_DATA") }

  private func files() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: values.path))
  }

  /// Changes a number here while others replace the large value, takes files away, and saves.
  private func meet(
    _ policy: MergePolicy, removesNew: Bool = false,
    _ check: (Kinds, ManagedObjectContext) throws -> Void
  ) throws {
    let model = try ManagedObjectModel([Kinds.self])
    let url = folder.url.appendingPathComponent("kinds.sqlite")
    let stack = DataStack(store: try SQLiteStore(url: url, model: model), classes: [Kinds.self])
    try stack.save { Kinds.create(in: $0).data = old }
    _ = stack.root.commit(.immediate)
    let former = try files()
    try stack.newContext().performAndWait { context in
      context.mergePolicy = policy
      context.automaticallyMergesChangesFromParent = false
      let object = try #require(try Kinds.all(in: context).first)
      object.number = 3
      try stack.save { try Kinds.all(in: $0).first?.data = new }
      _ = stack.root.commit(.immediate)
      let gone = try files().filter { removesNew || former.contains($0) }
      for name in gone { try FileManager.default.removeItem(at: values.appending(path: name)) }
      try check(object, context)
    }
  }

  @Test(arguments: ["store", "object", "rollback"])
  func aValueThatDecidesNothingIsNotRead(policy: String) throws {
    let policies: [String: MergePolicy] = [
      "store": .storeTrump, "object": .objectTrump, "rollback": .rollback,
    ]
    try meet(try #require(policies[policy])) { object, context in
      try context.save()
      #expect(context.takeFailures().isEmpty)
      #expect(object.data == new)
      #expect(object.number == (policy == "rollback" ? 7 : 3))
    }
  }

  @Test func aReplacedValueIsMissingFromSnapshotsAndIsNotSavedAsNull() throws {
    let policy = MergePolicy.custom { conflict in
      guard case .merge(let merge) = conflict, let mine = merge.objectSnapshot else {
        return .refuse
      }
      return merge.persistedSnapshot?["data"] == nil ? .refuse : .values(mine)
    }
    try meet(policy) { object, context in
      try context.save()
      #expect(context.takeFailures().isEmpty)
      #expect(object.data == new)
      #expect(object.number == 3)
    }
  }

  @Test func nothingIsDecidedByValuesThatCanNotBeRead() throws {
    let policy = MergePolicy.custom { _ in
      Issue.record("the policy was asked")
      return .objectTrump
    }
    try meet(policy, removesNew: true) { object, context in
      for _ in 0..<2 {
        let error = #expect(throws: ContextError.self) { try context.save() }
        guard case .unreadable(object.objectID, "data", _)? = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
      }
      #expect(object.hasPersistentChangedValues)
      #expect(object.number == 3)
      context.rollback()
      let emptied = try Kinds.count(where: \.data == nil, in: context)
      #expect(emptied == 0)
    }
  }

  @Test func aRefusedConflictIsListedWithoutWhatCanNotBeRead() throws {
    try meet(.error, removesNew: true) { object, context in
      let error = try #require(#expect(throws: StoreError.self) { try context.save() })
      let conflict = try #require(error.mergeConflicts.first)
      #expect(conflict.persistedSnapshot?["number"] == 7)
      #expect(conflict.persistedSnapshot?.keys.contains("data") == false)
    }
  }
}
