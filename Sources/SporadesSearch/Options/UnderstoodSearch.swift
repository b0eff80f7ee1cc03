// SPDX-License-Identifier: MIT
package import SporadesModel

/// A search, understood for the texts of an entity.
package final class UnderstoodSearch: Sendable {
  let search: Search
  package let query: SearchQuery
  package let form: SearchForm
  let names: [String]
  package let entity: EntityShape

  init(_ search: Search, _ names: [String], _ form: SearchForm, _ entity: EntityShape) {
    self.search = search
    query = Search.parse(search.typed, columns: names, form: form)
    (self.form, self.names, self.entity) = (form, names, entity)
  }
}
