// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesStore

// Blocks that no read or write takes. The compiler chooses these functions only where no other fits, and reports
// one sentence in place of the candidates.

private let refusal = "The compiler refuses this call."

// A block that awaits would leave its queue in the middle of its work.
extension DALService {
  /// Refuses a block that awaits.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "the block cannot await, because it holds its context until it returns; await before it and carry the values in, or after it and carry them out"
  )
  @discardableResult
  public func writeSync(
    durability: Durability? = nil, _ changes: (ReportingContext) async throws -> Void
  ) -> Chain { trap(refusal) }

  /// Refuses a block that awaits.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "the block cannot await, because it holds its context until it returns; await before it and carry the values in, or after it and carry them out"
  )
  public func writeAsync(
    durability: Durability? = nil,
    _ changes: @escaping @Sendable (ReportingContext) async throws -> Void
  ) { trap(refusal) }

  /// Refuses a block that awaits.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "the block cannot await, because it holds its context until it returns; await before it and carry the values in, or after it and carry them out"
  )
  public func write<Output>(
    durability: Durability? = nil,
    _ changes: (ManagedObjectContext) async throws -> Output
  ) async throws(DALError) -> Output { trap(refusal) }

  /// Refuses a block that awaits.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "the block cannot await, because it holds its context until it returns; await before it and carry the values in, or after it and carry them out"
  )
  @discardableResult
  public func read<Output>(
    _ statements: (ManagedObjectContext) async throws -> Output
  ) async throws(DALError) -> Output { trap(refusal) }
}

// A chain has no value.
extension DALService {
  /// Refuses a result of a chained write.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a chained write returns its chain and no value; set a variable around the block, call try await write { } in a task, or readValue { } afterwards"
  )
  public func writeSync<Output>(
    durability: Durability? = nil, _ changes: (ReportingContext) throws -> Output
  ) -> Output { trap(refusal) }
}

// Values outside of tasks. Without these functions the compiler takes the call for the awaited one, and says only
// that the function around it does not support concurrency. An unavailable function does not help, because the
// compiler prefers the awaited one to it.
extension DALService {
  /// Reads as ``readValue(_:)`` does.
  @_disfavoredOverload
  @available(*, deprecated, renamed: "readValue")
  public func read<Output: Sendable>(
    _ statements: (ManagedObjectContext) throws -> Output
  ) throws(DALError) -> Output { try readValue(statements) }

  /// Writes as ``writeSync(durability:_:completion:)`` does, and returns the result of the block.
  @_disfavoredOverload
  @available(
    *, deprecated,
    message:
      "outside of a task write try service.writeSync { context in … }.get(), and set a variable around the block for a value"
  )
  public func write<Output: Sendable>(
    durability: Durability? = nil, _ changes: (ManagedObjectContext) throws -> Output
  ) throws(DALError) -> Output {
    var output: Output?
    try writeSync(durability: durability) { output = try changes($0.managedObjectContext) }.get()
    guard let output else { trap("A write that succeeded ran its block.") }
    return output
  }
}

// Settings. They stand at the protocol, so that a service's own property may have the name.
extension CommandModel {
  /// Refuses a setting of an open service.
  @available(
    *, unavailable,
    message:
      "options are given when the service is made: DALService(sqlite: \"App\", entities: [User.self], options: .init(durability: .immediate))"
  )
  public var options: DALService.Options {
    get { trap(refusal) }
    set { trap(refusal) }
  }

  /// Refuses a setting of an open service.
  @available(
    *, unavailable,
    message:
      "write writeSync(durability: .immediate) { context in … } for one write, and options: .init(durability: .immediate) where the service is made for all"
  )
  public var durability: Durability {
    get { trap(refusal) }
    set { trap(refusal) }
  }
}

// A service has nothing to save.
extension DALService {
  /// Refuses to save a service.
  @available(
    *, unavailable,
    message:
      "a write saves when its block ends, service.writeSync { context in … }; try service.flush() waits until all writes are on the disk"
  )
  public func save() { trap(refusal) }
}

// Words of other libraries.
extension DALService {
  /// Refuses a write of another name.
  @available(
    *, unavailable,
    message:
      "each write is a transaction: service.writeSync { context in … }, or try await service.write { context in … } in a task"
  )
  public func transaction<Output>(_ changes: (ManagedObjectContext) throws -> Output) -> Output {
    trap(refusal)
  }
}

// Neither form of `then` is ever called. Each stands for blocks that people write.
// swift-format-ignore: AmbiguousTrailingClosureOverload
extension Chain {
  /// Refuses a word of promises.
  @available(
    *, unavailable,
    message:
      "a chain goes on with the next block: .writeSync { context in … } or .read { context in … }"
  )
  public func then(_ body: () throws -> Void) -> Chain { trap(refusal) }

  /// Refuses a word of promises.
  @available(
    *, unavailable,
    message:
      "a chain goes on with the next block: .writeSync { context in … } or .read { context in … }"
  )
  public func then(_ body: (ManagedObjectContext) throws -> Void) -> Chain { trap(refusal) }
}
