// SPDX-License-Identifier: MIT
import SporadesStore

/// The values of an observation: the present one, and a newer one after changes that concern it.
///
/// Each iterator observes by itself, from its first value on. Each value is made of one point of the order of writes. A
/// consumer that is slow gets the newest value, and no values wait for it. The sequence ends when the service is closed or
/// gone, and when the task is cancelled; leaving the loop ends the observation. It throws the error of a request, of
/// the mapping or of the store, which the service's `handleError` gets too, and ends then.
public struct ObservedValues<Value: Sendable>: AsyncSequence, Sendable {
  public typealias Element = Value
  let makeStream: @Sendable () -> ValueStream<Value>

  /// Returns an iterator, which begins with the present value.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: makeStream()) }

  /// Fetches one value after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let stream: ValueStream<Value>

    /// Waits for the next value. Nil after the end of the service, and if the task is cancelled.
    public mutating func next() async throws(DALError) -> Value? { try await stream.next()?.value }

    /// Waits for the next value on behalf of an actor.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(DALError) -> Value? { try await stream.next()?.value }
  }
}

/// A value of an observation, and the makers of the changes that led to it.
public struct ObservedChange<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// The makers of the changes since the value before; nil for the first value.
  public let origin: ChangeOrigin?
}

extension ObservedChange: Equatable where Value: Equatable {}

/// A value of an observation, and the way that leads to it from the value before.
public struct ObservedDifference<Value: BidirectionalCollection & Sendable>: Sendable
where Value.Element: Equatable & Sendable {
  /// The value.
  public let value: Value
  /// The elements to remove and to insert. The first value inserts all.
  public let difference: CollectionDifference<Value.Element>
}

/// Elements that are made of the values of an observation, one after the other.
///
/// It begins, ends and fails as its ``ObservedValues`` do.
public struct ObservedSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// Makes the function that waits for the next element.
  let makeNext: @Sendable () -> () async throws(DALError) -> Element?

  /// Returns an iterator, which begins with the present value.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(fetch: makeNext()) }

  /// Fetches one element after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let fetch: () async throws(DALError) -> Element?

    /// Waits for the next element. Nil after the end of the service, and if the task is cancelled.
    public mutating func next() async throws(DALError) -> Element? { try await fetch() }

    /// Waits for the next element on behalf of an actor.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(DALError) -> Element? { try await fetch() }
  }
}

extension ObservedValues {
  /// The values with the authors and the contexts of the changes that led to them.
  public var changes: ObservedSequence<ObservedChange<Value>> {
    let makeStream = makeStream
    return ObservedSequence {
      let stream = makeStream()
      return { () async throws(DALError) in
        try await stream.next().map { ObservedChange(value: $0.value, origin: $0.origin) }
      }
    }
  }
}

extension ObservedValues where Value: Equatable {
  /// The values without those that equal the one before.
  public func removingDuplicates() -> ObservedSequence<Value> {
    let makeStream = makeStream
    return ObservedSequence {
      let stream = makeStream()
      var last: Value?
      return { () async throws(DALError) in
        while let made = try await stream.next() {
          guard made.value != last else { continue }
          last = made.value
          return made.value
        }
        return nil
      }
    }
  }
}

extension ObservedValues
where Value: BidirectionalCollection, Value.Element: Equatable & Sendable {
  /// The values with the elements that came and went since the value before. Values without a difference are left out.
  public var differences: ObservedSequence<ObservedDifference<Value>> {
    let makeStream = makeStream
    return ObservedSequence {
      let stream = makeStream()
      var last: Value?
      return { () async throws(DALError) in
        while let value = try await stream.next()?.value {
          let difference =
            last.map { value.difference(from: $0) } ?? Array(value).difference(from: [])
          guard last == nil || !difference.isEmpty else { continue }
          last = value
          return ObservedDifference(value: value, difference: difference)
        }
        return nil
      }
    }
  }
}
