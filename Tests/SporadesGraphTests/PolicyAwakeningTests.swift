// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// What objects hear of merge policies.
@Suite struct PolicyAwakeningTests {
  /// `a` meets another value of what it changed, `b` a change of something else, `c` nothing.
  @Test(
    arguments: StoreKind.atEveryDepth,
    [
      (MergePolicy.storeTrump, "ab"), (.objectTrump, "b"), (.rollback, "ab"), (.overwrite, ""),
    ])
  func objectsThatAPolicyChangedAreTold(
    in kind: StoreKind, of policy: (kind: MergePolicy, tells: String)
  ) throws {
    let stack = try kind.witnesses()
    try stack.save { context in
      for name in ["a", "b", "c"] { _ = Witness.make(name, in: context) }
    }
    let parent = kind == .nested ? stack.newContext() : nil
    func context() -> ContextQueue { parent.map { stack.newChild(of: $0) } ?? stack.newContext() }
    try context().performAndWait { mine in
      mine.automaticallyMergesChangesFromParent = false
      mine.mergePolicy = policy.kind
      let log = Log()
      for witness in try Witness.all(sortedBy: \.name, in: mine) {
        let name = witness.name
        witness.hears = { if $0 == "snapshot 64" { log.note(name) } }
        witness.level += 1
      }
      try context().performAndWait { other in
        let others = try Witness.all(sortedBy: \.name, in: other)
        others[0].level += 10
        others[1].parent = others[2]
        try other.save()
      }
      try mine.save()
      #expect(log.take().sorted().joined() == policy.tells)
    }
  }

  /// A deletion that is given up brings values back.
  @Test func whatComesBackIsTold() throws {
    let stack = try StoreKind.sqlite.witnesses()
    try stack.save { context in _ = Witness.make("a", in: context) }
    try stack.newContext().performAndWait { mine in
      mine.automaticallyMergesChangesFromParent = false
      mine.mergePolicy = .storeTrump
      let log = Log()
      let witness = try #require(try Witness.all(in: mine).first)
      witness.hears = { if $0 == "snapshot 64" { log.note("told") } }
      mine.delete(witness)
      try stack.save { context in try Witness.all(in: context).first?.level = 5 }
      try mine.save()
      #expect(log.take() == ["told"])
      #expect(witness.level == 5)
      #expect(!witness.isDeleted)
    }
  }
}
