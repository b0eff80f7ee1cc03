// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

/// Saves that are made of rows, without a context.
@Suite struct SaveRequestTests {
  private let store = MemoryStore(model: SampleLibrary.model)
  private let austen = RowDraft("Author", 1, ["name": .string("Jane Austen")])

  /// Notes the arrivals that the root delivers.
  private final class Listener: SaveListener {
    let arrivals = Arrivals()

    func deliver(_ arrival: Arrival) { _ = arrivals.add(arrival) }

    /// The numbers of the saves that arrived since the last call.
    var savedNumbers: [Int] {
      arrivals.take(upTo: .max).compactMap {
        if case .saved(_, let number) = $0 { number } else { nil }
      }
    }
  }

  private func authors(in root: RootContext) throws -> Int {
    let shape = try #require(store.model.shape(named: "Author"))
    return try root.rows(StoreFetch(shape)).reduce(0) { $0 + $1.count }
  }

  /// An idle context keeps some megabytes of what it has not merged, however few rows these are, and links count, too.
  @Test func aContextThatDoesNotListenKeepsLittle() throws {
    let text = String(repeating: "x", count: 1 << 20)
    let arrivals = Arrivals()
    for number in 1...40 {
      let author = RowDraft("Author", Int64(number), ["name": .string(text)])
      _ = arrivals.add(.saved(ChangeSet(inserting: [author]), number: number))
    }
    #expect(arrivals.take(upTo: .max).count { if case .saved = $0 { true } else { false } } == 0)
    let key = RowKey(entity: 1, primaryKey: 1)
    let links = (0..<1000).map { _ in
      LinkChange(
        join: 0, isFirst: true, owner: key,
        added: Array(repeating: LinkChange.Link(other: key), count: 100))
    }
    for number in 1...10 {
      _ = arrivals.add(.saved(ChangeSet(links: links), number: number))
    }
    let kept = arrivals.take(upTo: .max)
    #expect(kept.contains { if case .outdated(let number) = $0 { number == 10 } else { false } })
    for number in 1...10 {
      let author = RowDraft("Author", Int64(number), ["name": .string("x")])
      _ = arrivals.add(.saved(ChangeSet(inserting: [author]), number: number))
    }
    #expect(arrivals.take(upTo: .max).count == 10)
  }

  @Test func aSaveNeedsNoContext() throws {
    let root = RootContext(store: store)
    let receipt = try root.accept(SaveRequest(ChangeSet(inserting: [austen])))
    #expect(receipt.order == 1)
    #expect(receipt.commitFailure == nil)
    #expect(try authors(in: root) == 1)
    let number = try #require(receipt.number)
    #expect(root.commit(.eventual) == nil)
    guard case .committed = root.receipt(of: number).state else {
      Issue.record("The save is \(root.receipt(of: number).state)")
      return
    }
  }

  @Test func aSaveThatMustBeOnTheDiskIsCommittedWhenItReturns() throws {
    let root = RootContext(store: store)
    var save = SaveRequest(ChangeSet(inserting: [austen]))
    save.durability = .immediate
    let receipt = try root.accept(save)
    let number = try #require(receipt.number)
    guard case .committed = root.receipt(of: number).state else {
      Issue.record("The save is \(root.receipt(of: number).state)")
      return
    }
    #expect(root.metrics.commits == 1)
  }

  @Test func theExitReportsNoSaveThatAClosedStoreTook() throws {
    let root = RootContext(store: store)
    let receipt = try root.accept(SaveRequest(ChangeSet(inserting: [austen])))
    try store.close()
    #expect(root.commitAtExit() == nil)
    let number = try #require(receipt.number)
    guard case .committed = root.receipt(of: number).state else {
      Issue.record("The save is \(root.receipt(of: number).state)")
      return
    }
  }

  @Test func everyListenerButTheSenderHearsOfASave() throws {
    let root = RootContext(store: store)
    let (sender, other) = (Listener(), Listener())
    root.subscribe(sender, ObjectIdentifier(sender))
    root.subscribe(other, ObjectIdentifier(other))
    var save = SaveRequest(ChangeSet(inserting: [austen]))
    save.sender = ObjectIdentifier(sender)
    _ = try root.accept(save)
    #expect(sender.savedNumbers == [])
    #expect(other.savedNumbers == [1])
    #expect(root.lastPublished == 1)
  }

  /// Reads as soon as a save arrives.
  private final class Reader: SaveListener {
    let seen = Guarded<[Int]>([])
    private let read: @Sendable () -> Int

    init(_ read: @escaping @Sendable () -> Int) { self.read = read }

    func deliver(_ arrival: Arrival) { seen.withLock { $0.append(read()) } }
  }

  @Test func aListenerThatReadsAtOnceSeesTheSave() throws {
    let root = RootContext(store: store)
    let shape = try #require(store.model.shape(named: "Author"))
    let reader = Reader {
      // A failure is a number that no test expects.
      (try? root.rows(StoreFetch(shape)).reduce(0) { $0 + $1.count }) ?? -1
    }
    root.subscribe(reader, ObjectIdentifier(reader))
    _ = try root.accept(SaveRequest(ChangeSet(inserting: [austen])))
    #expect(reader.seen.withLock { $0 } == [1])
  }

  @Test func aSaveWithoutWritesIsNotPublished() throws {
    let root = RootContext(store: store)
    _ = try root.accept(SaveRequest(ChangeSet(inserting: [austen])))
    let expected = RowVersion(key: austen.key, version: 1)
    let receipt = try root.accept(SaveRequest(ChangeSet(expected: [expected])))
    #expect(receipt.number == nil)
    #expect(receipt.order == nil)
    #expect(root.lastPublished == 1)
  }

  @Test func anExpectationThatFailsRefusesTheSave() throws {
    let root = RootContext(store: store)
    _ = try root.accept(SaveRequest(ChangeSet(inserting: [austen])))
    let expected = RowVersion(key: austen.key, version: 7)
    #expect(throws: StoreError.self) {
      try root.accept(SaveRequest(ChangeSet(expected: [expected])))
    }
  }

  /// The link was made by somebody who had not heard of the deletion.
  @Test func aLinkToARowThatIsGoneIsRefused() throws {
    let root = RootContext(store: store)
    _ = try root.accept(SaveRequest(ChangeSet(inserting: [austen])))
    _ = try root.accept(SaveRequest(ChangeSet(deleting: [austen])))
    let emma = RowDraft("Novel", 1, ["title": .string("Emma")], to: ["author": austen])
    var save = SaveRequest(ChangeSet(inserting: [emma]))
    save.basis = 1
    let refusal = #expect(throws: StoreError.self) { try root.accept(save) }
    #expect(refusal?.underlying is ReferenceProblem)
    #expect(root.lastPublished == 2)
  }

  @Test func aDeletionOfARowThatOthersLinkedToIsRefused() throws {
    let root = RootContext(store: store)
    _ = try root.accept(SaveRequest(ChangeSet(inserting: [austen])))
    let emma = RowDraft("Novel", 1, ["title": .string("Emma")], to: ["author": austen])
    _ = try root.accept(SaveRequest(ChangeSet(inserting: [emma])))
    var save = SaveRequest(ChangeSet(deleting: [austen]))
    save.basis = 1
    let refusal = #expect(throws: StoreError.self) { try root.accept(save) }
    #expect(refusal?.underlying is ReferenceProblem)
  }

  @Test func derivedValuesOfOldRowsAreRefused() throws {
    let root = RootContext(store: store, derivesAcrossObjects: true)
    _ = try root.accept(SaveRequest(ChangeSet(inserting: [austen])))
    let other = RowDraft("Author", 2, ["name": .string("Anne Brontë")])
    var save = SaveRequest(ChangeSet(inserting: [other]))
    save.basis = 0
    let refusal = #expect(throws: StoreError.self) { try root.accept(save) }
    #expect(refusal?.underlying is OutdatedDerivations)
    save.derivationBasis = 1
    #expect(try root.accept(save).order == 2)
  }
}
