// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesSelection
public import SporadesStore

extension PersistentStoreCoordinator {
  /// The digits of dates that all stores keep, since a save is made for all of them.
  public var datePrecision: DatePrecision {
    persistentStores.contains { $0.datePrecision != .exact } ? .microseconds : .exact
  }

  // MARK: - Stores of a request

  /// Finds the stores that a fetch reads, by number.
  func holders(_ fetch: StoreFetch) throws(StoreError) -> [CoordinatedStore] {
    let holders = try holders(of: fetch.entity)
    var checked = fetch
    do { try checked.check(model) } catch { throw StoreError(refusing: error) }
    guard let affected = fetch.affectedStores else { return holders }
    return holders.filter { affected.contains($0.store.identifier) }
  }

  private func holders(of entity: EntityShape) throws(StoreError) -> [CoordinatedStore] {
    let all = try stores.withLock { stores throws(StoreError) in
      try checkOpen(stores)
      return stores.numbered
    }
    let holders = all.filter { $0.configuration.holds(entity.number) }
    guard holders.isEmpty else { return holders }
    throw StoreError(
      .noStore,
      all.isEmpty
        ? "The coordinator has no store; add one before fetching or saving."
        : "No store of the coordinator holds \(entity.name); add one that does.")
  }

  /// Asks a store. The answer is `nothing` if the program removes the store meanwhile, or added it after the
  /// generation was made.
  func ask<Output>(
    _ member: CoordinatedStore, _ view: StoreView, else nothing: Output,
    _ body: (CoordinatedStore, StoreView) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    var answer = Answer<Output>()
    let hasAnswered = try asks(member, view) { member, view throws(StoreError) in
      answer.take(try body(member, view))
    }
    return hasAnswered ? answer.get() : nothing
  }

  // `dynamic`, because the optimizer would else make a copy for each block that a caller passes.
  private dynamic func asks(
    _ member: CoordinatedStore, _ view: StoreView,
    _ body: (CoordinatedStore, StoreView) throws(StoreError) -> Void
  ) throws(StoreError) -> Bool {
    guard let view = try member.own(view, of: self) else { return false }
    var member = member
    while true {
      do {
        try body(member, view)
        return true
      } catch  where error.code == .closed {
        let current = stores.withLock { $0.isClosed ? member : $0[member.number] }
        guard let current else { return false }
        guard current.store !== member.store else { throw error }
        member = current
      } catch {
        throw member.shared(error)
      }
    }
  }

  // MARK: - Fetches

  public func rows(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowPage] {
    let holders = try holders(fetch)
    guard holders.count > 1 else {
      return try holders.first.map { member throws(StoreError) in try rows(fetch, member, view) }
        ?? []
    }
    guard fetch.sortTerms.allSatisfy({ $0.keyPath != nil }) else {
      return try computedOrder(fetch, view)
    }
    var merge = try SortedMerge(fetch, model)
    for member in holders {
      let pages = try rows(merge.part, member, view)
      try merge.add(pages, from: StoreRows(self, view))
    }
    return merge.pages()
  }

  /// The rows in an order that the stores compute.
  private func computedOrder(
    _ fetch: StoreFetch, _ view: StoreView
  ) throws(StoreError) -> [RowPage] {
    let keys = try sortedKeys(fetch, view)
    var places: [UInt64: (page: RowPage, index: Int)] = [:]
    for page in try rows(for: keys, in: view) {
      for index in 0..<page.count { places[page.key(index).identity] = (page, index) }
    }
    guard !places.isEmpty else { return [] }
    var copies = RowCopies(fetch.entity.layout, count: places.count)
    for place in keys.compactMap({ places[$0.identity] }) {
      copies.append(place.index, of: place.page)
    }
    return copies.finish()
  }

  private func sortedKeys(
    _ fetch: StoreFetch, _ view: StoreView
  ) throws(StoreError) -> [RowKey] {
    try answer(TableQuestion(fetch, [.subject]), in: view).values.compactMap { value in
      if case .objectID(let id) = value { id.key } else { nil }
    }
  }

  private func rows(
    _ fetch: StoreFetch, _ member: CoordinatedStore, _ view: StoreView
  ) throws(StoreError) -> [RowPage] {
    try ask(member, view, else: []) { member, view throws(StoreError) in
      member.shared(try member.store.rows(member.own(fetch), in: view))
    }
  }

  public func keys(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowKey] {
    let holders = try holders(fetch)
    guard holders.count < 2 || fetch.sortTerms.isEmpty else {
      return try sortedKeys(fetch, view)
    }
    var part = fetch
    if holders.count > 1 { part = try SortedMerge(fetch, model).part }
    var keys: [RowKey] = []
    for member in holders {
      keys += try ask(member, view, else: []) { member, view throws(StoreError) in
        try member.store.keys(member.own(part), in: view).map(member.shared)
      }
    }
    guard holders.count > 1 else { return keys }
    return Array(fetch.shown.elements(of: keys))
  }

  package func askHolders(
    _ question: ExplainedQuestion, in view: StoreView,
    _ body: (any PersistentStore, ExplainedQuestion, StoreView) throws(StoreError) -> Void
  ) throws(StoreError) {
    let holders = try holders(question.fetch)
    let asked = holders.count > 1 ? try partial(question) : question
    for member in holders {
      try ask(member, view, else: ()) { member, view throws(StoreError) in
        try body(member.store, member.own(asked), view)
      }
    }
  }

  // MARK: - Rows by key

  public func rows(for keys: [RowKey], in view: StoreView) throws(StoreError) -> [RowPage] {
    var pages: [RowPage] = []
    for (member, keys) in try grouped(keys) { pages += try rows(keys, member, view) }
    return pages
  }

  public func absent(_ keys: [RowKey]) throws(StoreError) -> [RowKey] {
    // A key is absent if its store was removed or does not hold its entity.
    var present: Set<RowKey> = []
    for (member, keys) in try grouped(keys) {
      let held = keys.filter {
        $0.store == member.number && member.configuration.holds($0.entity)
      }
      present.formUnion(
        try ask(member, .accepted, else: []) { member, _ throws(StoreError) in
          let absent = Set(try member.store.absent(held.map(member.own)))
          return held.filter { !absent.contains(member.own($0)) }
        })
    }
    return keys.filter { !present.contains($0) }
  }

  private func rows(
    _ keys: [RowKey], _ member: CoordinatedStore, _ view: StoreView
  ) throws(StoreError) -> [RowPage] {
    guard let entity = keys.first?.entity, member.configuration.holds(entity) else { return [] }
    return try ask(member, view, else: []) { member, view throws(StoreError) in
      member.shared(try member.store.rows(for: keys.map(member.own), in: view))
    }
  }

  public func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?,
    in view: StoreView
  ) throws(StoreError) -> [RowPage] {
    var pages: [RowPage] = []
    for (member, owners) in try grouped(owners) where member.configuration.holds(entity.number) {
      pages += try ask(member, view, else: []) { member, view throws(StoreError) in
        member.shared(
          try member.store.rows(
            of: entity, referencing: owners.map(member.own), in: slot, position: position, in: view)
        )
      }
    }
    return pages
  }

  public func links(
    of relationship: RelationshipShape, owners: [RowKey], in view: StoreView
  ) throws(StoreError) -> [StoredLink] {
    var links: [StoredLink] = []
    for (member, owners) in try grouped(owners) {
      links += try ask(member, view, else: []) { member, view throws(StoreError) in
        try member.store.links(of: relationship, owners: owners.map(member.own), in: view)
          .map {
            StoredLink(
              owner: member.shared($0.owner), other: member.shared($0.other), position: $0.position)
          }
      }
    }
    return links
  }

  public func lastPosition(
    in relationship: RelationshipShape, of owner: RowKey, in view: StoreView
  ) throws(StoreError) -> Int64? {
    guard let (member, owners) = try grouped([owner]).first else { return nil }
    return try ask(member, view, else: nil) { member, view throws(StoreError) in
      try member.store.lastPosition(in: relationship, of: member.own(owners[0]), in: view)
    }
  }

  /// Groups keys by store, in the order of the stores. It leaves out keys of removed stores, whose rows are
  /// gone.
  private func grouped(
    _ keys: [RowKey]
  ) throws(StoreError) -> [(CoordinatedStore, [RowKey])] {
    let stores = try stores.withLock { stores throws(StoreError) in
      try checkOpen(stores)
      return stores
    }
    if let only = stores.only, only.number == 0 { return [(only, keys)] }
    return stores.numbered.compactMap { member in
      let own = keys.filter { $0.store == member.number }
      return own.isEmpty ? nil : (member, own)
    }
  }

  func checkOpen(_ stores: CoordinatedStores) throws(StoreError) {
    guard !stores.isClosed else { throw StoreError(.closed, "The coordinator was closed.") }
  }
}
