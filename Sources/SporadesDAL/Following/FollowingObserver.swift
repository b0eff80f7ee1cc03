// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel

/// A consumer of values that the hub wakes.
protocol FollowingConsumer: AnyObject, Sendable {
  /// There is a newer value. The call returns at once.
  func wake()
  /// No value follows any more.
  func end()
}

/// One request of an observer.
struct FollowedPart {
  enum Content {
    /// Nobody has fetched the rows, or they were lost.
    case missing
    case rows(FollowedRows)
    case count(FollowedCount)
    case groups(FollowedGroups)
    case asked(FollowedAnswer)
    /// The store's answer to a question that reads other rows. The next change that concerns it takes it away.
    case answer(TableAnswer)

    /// The part that changes of rows bring up to date; nil if there is none.
    var followed: (any FollowedContent)? {
      switch self {
      case .missing, .answer: nil
      case .rows(let rows): rows
      case .count(let count): count
      case .groups(let groups): groups
      case .asked(let asked): asked
      }
    }
  }

  /// The form in which the consumer wants the rows.
  enum Form {
    case rows, count, groups
  }

  let observer: Int
  let condition: FollowedCondition
  let form: Form
  var content = Content.missing

  /// The hub notes the keys that the part holds, because neither a guard nor the entity alone tells them.
  var notesMembers: Bool {
    guard condition.isExact, condition.isFiltered else { return false }
    if case .keys? = condition.rowGuard { return false }
    return true
  }

  var keys: [RowKey] { content.followed?.keys ?? [] }

  /// The next value has to ask the store.
  var needsStore: Bool {
    switch content {
    case .missing: true
    case .asked(let asked): asked.answer == nil
    default: false
    }
  }

  func apply(_ changes: [RowChange], _ members: inout MemberChanges) -> FollowedEffect {
    guard condition.isExact else { return .lost }
    if case .answer = content { return .lost }
    do throws(FetchPredicateError) {
      return try content.followed?.apply(changes, &members) ?? .none
    } catch {
      // The store answers, or refuses the predicate with the same sentence.
      return .lost
    }
  }

  func removeAll() -> MemberChanges { content.followed?.removeAll() ?? MemberChanges() }
}

/// The answer to one request, for the maker of a value.
enum PartAnswer: Sendable {
  case rows(ArraySlice<RowPlace>, of: FetchRequest)
  case count(Int)
  case groups(TableAnswer)
  /// The store has to be asked for groups of known rows, whose keys these are.
  case unanswered(Set<RowKey>)
  /// The store has to be asked.
  case unknown
}

/// One observer, as the hub sees it.
struct FollowingObserver {
  weak let consumer: (any FollowingConsumer)?
  /// The numbers of its parts.
  let parts: [Int]
  /// The number of what its mapping read beside the parts, and the notes.
  let reader: Int
  var reads = ReadNotes()
  /// The mapping reads more than the rows of the parts, so it needs a state of the store.
  var readsMore = false
  /// There is a newer value.
  var isDirty = true
  var origin = ChangeOrigin()
}

/// The answers that the maker of a value gets.
struct FollowingTicket: Sendable {
  /// The place in the log of changes at which the answers are right.
  let start: Int
  /// The number of the last save that the answers show.
  let number: Int
  /// The state of exactly these saves; nil if none was needed, or if the store keeps none now.
  let state: QueryGeneration?
  /// The store must be asked, and keeps no state.
  let isWithoutState: Bool
  let answers: [PartAnswer]
  let origin: ChangeOrigin
}

/// The counts of an index of observers.
package struct FollowingMetrics: Hashable, Sendable {
  /// The number of observers now.
  package var observers = 0
  /// The number of values that were made.
  package var values = 0
  /// The number of times that requests were asked again though their own rows tell the result.
  package var askedAgain = 0
  /// The number of times that requests were asked again which lead through relationships.
  package var askedThroughRelationships = 0
  /// The number of observers that changes concerned.
  package var concerned = 0
}
