// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// The statements of the last fetches of a connection, found by the forms of the fetches.
///
/// A fetch of a known form is not compiled: its constants become the parameters of the statement. Compiling takes
/// longer than the search for a few rows.
struct KnownFetches {
  /// The question of a fetch.
  enum Purpose {
    case rows, keys
    /// The keys alone, where all rows of the table are of one entity.
    case primaryKeys
  }

  private struct Entry {
    let form: FetchForm
    let purpose: Purpose
    let statement: Statement
    let trial = FetchTrial()
  }
  private var entries: [Entry] = []
  private var next = 0
  private static let most = 32

  /// The statement of a form; nil if it is not known, or if somebody steps it.
  func statement(_ form: FetchForm, _ purpose: Purpose) -> Statement? {
    let known = entries.first { $0.purpose == purpose && $0.form == form }
    guard let known, !known.statement.isBusy else { return nil }
    return known.statement
  }

  /// How fetches of a form fared whose rows were asked for; nil if the form is not known.
  func trial(_ form: FetchForm) -> FetchTrial? {
    entries.first { $0.purpose == .rows && $0.form == form }?.trial
  }

  /// Notes the statement that a fetch was compiled to, if the fetch's constants and bounds are its parameters.
  mutating func note(
    _ statement: Statement, _ compiled: SQLStatement, _ fetch: StoreFetch, _ form: FetchForm,
    _ purpose: Purpose, _ scope: StoreScope
  ) {
    guard compiled.bindings == fetch.parameters(scope) else { return }
    let entry = Entry(form: form, purpose: purpose, statement: statement)
    if let place = entries.firstIndex(where: { $0.purpose == purpose && $0.form == form }) {
      entries[place] = entry
    } else if entries.count < Self.most {
      entries.append(entry)
    } else {
      entries[next] = entry
      next = (next + 1) % Self.most
    }
  }

  mutating func forget() {
    entries = []
    next = 0
  }
}

extension Statement {
  /// Binds the constants and bounds of a fetch of the statement's form.
  func bindParameters(of fetch: StoreFetch, _ scope: StoreScope) {
    var place: Int32 = 0
    fetch.visitParameters(scope) { value in
      place += 1
      bind(value, at: place)
    }
  }
}

extension StoreFetch {
  fileprivate func parameters(_ scope: StoreScope) -> [SQLValue] {
    var values: [SQLValue] = []
    visitParameters(scope) { values.append($0) }
    return values
  }

  /// Calls `body` with the constants of the predicate, and then with the bounds, in the order in which a compiled
  /// fetch binds them.
  fileprivate func visitParameters(_ scope: StoreScope, _ body: (SQLValue) -> Void) {
    predicate?.visitConstants { body(SQLValue($0, scope)) }
    guard limit != nil || offset > 0 else { return }
    body(.integer(limit.map(Int64.init) ?? .max))
    if offset > 0 { body(.integer(Int64(offset))) }
  }
}
