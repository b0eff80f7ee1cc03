// SPDX-License-Identifier: MIT
import CSQLite
import SporadesModel
import SporadesSQL
import SporadesStore

extension Statement {
  /// Runs the statement to its end, and packs its rows. Each column has the values of an attribute of the type.
  func packedAnswer(_ types: [AttributeType]) throws(StoreError) -> TableAnswer {
    var values = PackedValuesBuilder()
    var bound = RowBound()
    while try step() {
      try bound.count(1, of: self)
      for place in types.indices { pack(Int32(place), types[place], in: &values) }
    }
    return TableAnswer(width: types.count, values.finish())
  }

  @inline(__always)
  func pack(_ column: Int32, _ type: AttributeType, in values: inout PackedValuesBuilder) {
    // One look-up of the column serves for its type and its value.
    let stored = unsafe sqlite3_column_value(pointer, column)
    switch (unsafe sqlite3_value_type(stored), type) {
    case (SQLITE_NULL, _): values.appendNull()
    case (SQLITE_INTEGER, .integer64), (SQLITE_INTEGER, .integer32), (SQLITE_INTEGER, .integer16):
      values.append(unsafe sqlite3_value_int64(stored))
    case (SQLITE_FLOAT, .double), (SQLITE_FLOAT, .float):
      values.append(unsafe sqlite3_value_double(stored))
    case (SQLITE_FLOAT, .date): values.append(date: unsafe sqlite3_value_double(stored))
    case (SQLITE_INTEGER, .boolean):
      values.append(unsafe sqlite3_value_int64(stored) != 0)
    case (SQLITE_TEXT, .string):
      let start = unsafe sqlite3_value_blob(stored)
      let count = unsafe sqlite3_value_bytes(stored)
      unsafe values.append(
        text: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count)))
    default: values.append(value(column).modelValue(type))
    }
  }
}
