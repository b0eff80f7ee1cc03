// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// A child's save passes the transient values that it set to its parent, and to no store.
@Suite struct TransientSaveTests {
  enum Case: CaseIterable, Sendable { case changed, new, transientOnly, byKey }

  @Test(arguments: StoreKind.allCases, Case.allCases)
  func transientValuesGoToTheParents(in kind: StoreKind, with what: Case) throws {
    let stack = try kind.people()
    let id = try stack.newContext().performAndWait { context in
      let ann = Person.make("Ann", in: context)
      try context.save()
      return ann.objectID
    }
    let chain = stack.chain(depth: 3)
    // because a context keeps unchanged objects no longer than somebody holds them
    for queue in chain { queue.performAndWait { $0.retainsRegisteredObjects = true } }
    for queue in chain[..<2] { try queue.performAndWait { _ = try $0.existingObject(with: id) } }
    let saved = try chain[2].performAndWait { context in
      let known = try #require(try context.existingObject(with: id) as? Person)
      let person = what == .new ? Person.make("Bob", in: context) : known
      if what == .changed { person.age = 5 }
      if what == .byKey {
        person.setValue(Style.plain.rawValue, forKey: "style")
      } else {
        (person.style, person.scratch) = (.plain, [1, 2])
      }
      try context.save()
      return person.objectID
    }
    func shown(_ queue: ContextQueue) throws -> (Style, [Int]) {
      try queue.performAndWait { context in
        let person = try #require(try context.existingObject(with: saved) as? Person)
        return (person.style, person.scratch)
      }
    }
    let scratch = what == .byKey ? [] : [1, 2]
    #expect(try shown(chain[1]) == (.plain, scratch))
    if what != .new { #expect(try shown(chain[0]) == (.festive, [])) }
    // A later save of the child passes only what was set since.
    try chain[1].performAndWait { context in
      let person = try #require(try context.existingObject(with: saved) as? Person)
      person.scratch = [3]
    }
    try chain[2].performAndWait { context in
      let person = try #require(try context.existingObject(with: saved) as? Person)
      person.age = 6
      try context.save()
    }
    #expect(try shown(chain[1]) == (.plain, [3]))
    try chain[1].performAndWait { try $0.save() }
    #expect(try shown(chain[0]) == (.plain, [3]))
    try chain[0].performAndWait { try $0.save() }
    #expect(try shown(stack.newContext()) == (.festive, []))
  }
}
