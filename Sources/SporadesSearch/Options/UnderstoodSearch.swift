// SPDX-License-Identifier: MIT
import SporadesModel

/// A search, understood for the texts of an entity.
final class UnderstoodSearch: Sendable {
  let search: Search
  let query: SearchQuery
  let form: SearchForm
  let names: [String]
  let entity: EntityShape

  init(_ search: Search, _ names: [String], _ form: SearchForm, _ entity: EntityShape) {
    self.search = search
    query = Search.parse(search.typed, columns: names, form: form)
    (self.form, self.names, self.entity) = (form, names, entity)
  }
}
